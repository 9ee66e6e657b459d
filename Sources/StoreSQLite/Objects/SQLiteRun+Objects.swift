import SluiceLoad
import SluiceRecords
import SluiceSchema

extension SQLiteRun: ObjectStore {
    package func highestObjectID(of entity: Int) throws(Failure) -> Int64 {
        let table = model.entities[entity].table
        let highest = try connection.integer("SELECT max(\"objectID\") FROM \(quoted(table))") ?? 0
        // An objectID that an object of the past has had is not given out again.
        return try Reference.checkedHighest(
            max(highest, history.highestEver[entity] ?? 0), table, store: connection.path)
    }

    // MARK: Find

    package func find(
        _ keys: SortedKeys, _ section: EntityRecords, _ arena: Arena, _ work: RowScratch
    ) throws(Failure) {
        try indexes.indexIdentifiers(of: section.entity)
        let table = tables[section.entity]
        let comparison = RowComparison(table, work, edits[section.entity])
        let (objectIDs, typed, width) = unsafe (work.objectIDs, UnsafePointer(section.typed.base), section.width)
        for place in 0..<keys.count { objectIDs[keys.number(place)] = 0 }
        try forEachFound(keys, arena, table.find) { statement, place throws(Failure) in
            let row = keys.number(place)
            objectIDs[row] = try statement.objectID(0)
            try unsafe comparison.compare(statement, from: table.firstColumn, row, typed + row * width, arena.base)
        }
    }

    package func findInSequence(
        _ rows: [Int], _ section: EntityRecords, _ arena: Arena, _ work: RowScratch, behind first: Int64,
        upTo last: Int64, found: (Int) -> Void, missed: (Int) -> Void
    ) throws(Failure) {
        let table = tables[section.entity]
        let scan = try table.sequence()
        let comparison = RowComparison(table, work, edits[section.entity])
        let identifier = table.entity.identifier
        let (objectIDs, typed, width) = unsafe (work.objectIDs, UnsafePointer(section.typed.base), section.width)
        try scan.run(
            rows, behind: first, upTo: last,
            isMet: { statement, row in
                for attribute in identifier
                where unsafe statement.compare(1 + attribute, typed[row * width + attribute], arena.base) != 0 {
                    return false
                }
                return true
            },
            take: { statement, row throws(Failure) in
                objectIDs[row] = try statement.objectID(0)
                try unsafe comparison.compare(statement, from: 1, row, typed + row * width, arena.base)
                found(row)
            },
            missed: missed,
            find: { row throws(Failure) in unsafe try find(typed + row * width, table, arena) })
    }

    /// The objectID of the object with the identifier of a row, or 0.
    private func find(
        _ cells: UnsafePointer<Cell>, _ table: SQLiteTable, _ arena: Arena
    ) throws(Failure) -> Int64 {
        let statement = try table.lookUp(1, by: table.entity.identifier)
        for (part, attribute) in table.entity.identifier.enumerated() {
            unsafe statement.bind(part + 1, cells[attribute], arena.base)
        }
        guard try statement.step() else { return 0 }
        defer { statement.reset() }
        return try statement.objectID(0)
    }

    package func lookUp(
        _ keys: SortedKeys, entity: Int, by attributes: [Int], _ arena: Arena,
        found: (_ place: Int, _ objectID: Int64) -> Void
    ) throws(Failure) {
        if keys.count == 0 { return }
        if attributes == model.entities[entity].identifier {
            try indexes.indexIdentifiers(of: entity)
        } else {
            try indexes.indexValues(of: attributes, entity: entity)
        }
        let table = tables[entity]
        let query = { (length: Int) throws(Failure) in try table.lookUp(length, by: attributes) }
        try forEachFound(keys, arena, query) { statement, place throws(Failure) in
            found(place, try statement.objectID(0))
        }
    }

    /// Asks for sorted keys, a list at a time: `body` gets each row that is found, with the place of its key.
    @inline(__always)
    private func forEachFound(
        _ keys: SortedKeys, _ arena: Arena, _ query: (_ length: Int) throws(Failure) -> Statement,
        _ body: (Statement, _ place: Int) throws(Failure) -> Void
    ) throws(Failure) {
        var start = 0
        while start < keys.count {
            let length = SQLiteTable.listLength(for: keys.count - start)
            let statement = try query(length)
            bind(statement, keys, from: start, length, arena)
            var place = start
            while try statement.step() {
                try walk(statement, keys, &place, arena)
                try body(statement, place)
            }
            start += length
        }
    }

    /// Binds a list of keys; where there are fewer, the rest is null, which equals nothing.
    private func bind(_ statement: Statement, _ keys: SortedKeys, from start: Int, _ length: Int, _ arena: Arena) {
        for index in 0..<length {
            let place = start + index
            for part in 0..<keys.width {
                let parameter = index * keys.width + part + 1
                if place < keys.count {
                    unsafe statement.bind(parameter, keys.cell(place, part), arena.base)
                } else {
                    statement.bind(parameter, nil)
                }
            }
        }
    }

    /// Goes on in the sorted keys to the one that the statement's row has: both are in the same order.
    @inline(__always)
    private func walk(
        _ statement: Statement, _ keys: SortedKeys, _ place: inout Int, _ arena: Arena
    ) throws(Failure) {
        while place < keys.count {
            let order = compareKey(statement, keys, place, arena)
            if order == 0 { return }
            if order < 0 { break }
            place += 1
        }
        throw connection.damage("its objects are not in the order of their identifiers")
    }

    @inline(__always)
    private func compareKey(_ statement: Statement, _ keys: SortedKeys, _ place: Int, _ arena: Arena) -> Int {
        for part in 0..<keys.width {
            let order = unsafe statement.compare(1 + part, keys.cell(place, part), arena.base)
            if order != 0 { return order }
        }
        return 0
    }

    // MARK: Write

    package func insert(
        _ rows: [Int], _ section: EntityRecords, _ arena: Arena, _ work: RowScratch, conflict: (Int) -> Void
    ) throws(Failure) {
        let insertion = tables[section.entity].insertion
        let of = ObjectInsertion.Rows(
            section: section, arena: arena, work: work, isIndexed: indexes.hasIdentifiers(of: section.entity),
            batchTable: store.batchTable)
        let write = { (rows: UnsafeBufferPointer<Int>) throws(Failure) in try unsafe insertion.write(rows, of) }
        let written = unsafe try rows.withUnsafeBufferPointer(write)
        if written < rows.count { try findMissing(rows, section, arena, work, conflict) }
    }

    /// Tells which rows were not written.
    private func findMissing(
        _ rows: [Int], _ section: EntityRecords, _ arena: Arena, _ work: RowScratch, _ missing: (Int) -> Void
    ) throws(Failure) {
        let table = tables[section.entity]
        let statement = try table.presence()
        for row in rows {
            statement.bind(1, work.objectIDs[row])
            if try statement.step() {
                statement.reset()
                continue
            }
            // The caller looks for the object that has the identifier of this row, until that object is found.
            guard unsafe try find(UnsafePointer(section.typed.base) + row * section.width, table, arena) != 0 else {
                throw connection.damage("an object was not written whose identifier no other has")
            }
            missing(row)
        }
    }

    /// Binds the name of the entity that a polymorphic reference refers to.
    private func bind(
        targetOf reference: Reference, _ table: SQLiteTable, _ relationship: Int, _ statement: Statement, at index: Int
    ) {
        statement.bind(index, reference.isKnown ? table.layout.targetNames[relationship][reference.target] : nil)
    }

    package func update(
        _ rows: [Int], _ section: EntityRecords, _ arena: Arena, _ work: RowScratch
    ) throws(Failure) {
        let (table, edits) = (tables[section.entity], edits[section.entity])
        try history.keep(rows, section, work, table, edits)
        for row in rows {
            var columns = work.columnSet(row)
            let isEdited = edits?.contains(work.objectIDs[row]) ?? false
            if isEdited, let edits {
                let cells = unsafe UnsafePointer(section.typed.base) + row * section.width
                columns = try unsafe edits.write(row, cells, arena, work, connection)
            }
            let update = try table.update(columns)
            guard let statement = update.statement else { continue }
            if isEdited { try history.keep(edited: row, section, work) }
            for (index, parameter) in update.parameters.enumerated() {
                switch parameter {
                case .attribute(let column):
                    unsafe statement.bind(index + 1, section.typed[row * section.width + column], arena.base)
                case .reference(let relationship):
                    let reference = work.references[row * work.relationshipCount + relationship]
                    statement.bind(reference: reference, at: index + 1)
                case .targetName(let relationship):
                    let reference = work.references[row * work.relationshipCount + relationship]
                    bind(targetOf: reference, table, relationship, statement, at: index + 1)
                case .mark: statement.bind(index + 1, nil)
                }
            }
            statement.bind(update.parameters.count + 1, work.objectIDs[row])
            try statement.run()
        }
    }

    package func loadReferences(of rows: [Int], _ section: EntityRecords, _ work: RowScratch) throws(Failure) {
        let table = tables[section.entity]
        let statement = try table.references()
        for row in rows {
            statement.bind(1, work.objectIDs[row])
            guard try statement.step() else {
                throw connection.damage("an object that it had is not there any more")
            }
            for relationship in 0..<work.relationshipCount {
                let reference = try table.reference(statement, relationship, from: -work.attributeCount)
                work.stored[row * work.relationshipCount + relationship] = reference
            }
            statement.reset()
        }
    }
}
