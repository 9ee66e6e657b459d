import SluiceLoad
import SluicePostgreSQL
import SluiceRecords
import SluiceSchema

extension ServerRun: ObjectStore {
    package func highestObjectID(of entity: Int) throws(Failure) -> Int64 {
        if let highest = beginning.takeHighest(of: entity) { return highest }
        return try BeginningReads.highest(of: entity, store, history)
    }

    // MARK: Find

    package func find(
        _ keys: SortedKeys, _ section: EntityRecords, _ arena: Arena, _ work: RowScratch
    ) throws(Failure) {
        try indexes.indexIdentifiers(of: section.entity)
        let (table, connection) = (tables[section.entity], connection)
        for place in 0..<keys.count { work.objectIDs[keys.number(place)] = 0 }
        setKeys(keys, by: table.entity.identifier, section.entity, arena)
        let found = try connection.query(table.find, parameters)
        let comparison = ServerRowComparison(table, section, arena, work, connection)
        for place in 0..<found.count {
            let row = keys.number(Int(found.integer(place, 0)) - 1)
            work.objectIDs[row] = try found.objectID(place, 1, connection)
            try comparison.compare(row, found, place)
        }
    }

    /// Sets the parameters to sorted keys: all are asked for at once.
    func setKeys(_ keys: SortedKeys, by attributes: [Int], _ entity: Int, _ arena: Arena) {
        parameters.removeAll()
        for (part, attribute) in attributes.enumerated() {
            let form = tables[entity].forms[attribute]
            let bytes = unsafe UnsafePointer(arena.base)
            parameters.addList(of: form.type, keys.count) { buffer, place in
                let cell = keys.cell(place, part)
                // The server has no object with a value that it cannot hold.
                if unsafe form.misfit(cell, bytes) != nil {
                    buffer.appendNull()
                } else {
                    unsafe form.append(cell, bytes, to: &buffer)
                }
            }
        }
    }

    package func findInSequence(
        _ rows: [Int], _ section: EntityRecords, _ arena: Arena, _ work: RowScratch, behind first: Int64,
        upTo last: Int64, found: (Int) -> Void, missed: (Int) -> Void
    ) throws(Failure) {
        let (table, connection) = (tables[section.entity], connection)
        if table.sequence.isSkipped() {
            for row in rows { missed(row) }
            return
        }
        let range = try range(table, behind: first, upTo: last, rows.count)
        let comparison = ServerRowComparison(table, section, arena, work, connection)
        var walk = RangeWalk(range, from: range.place(behind: first))
        try sendNext(table, range, walk, upTo: last, rows.count)
        var hits = 0
        for (index, row) in rows.enumerated() {
            if index % ServerRun.rowsBetween == 0 { connection.takeIn() }
            guard let place = walk.place(of: row, comparison) else {
                missed(row)
                continue
            }
            work.objectIDs[row] = try range.objectID(place, 1, connection)
            try comparison.compare(row, range, place)
            found(row)
            hits += 1
        }
        table.sequence.note(hits: hits, of: rows.count, isAtEnd: walk.isAtEnd && hits < rows.count)
    }

    /// Rows that are compared between two reads of what the server has sent.
    private static let rowsBetween = 512

    /// Objects behind one objectID and up to another: those that were asked for before, or else they are asked for now.
    private func range(
        _ table: ServerTable, behind first: Int64, upTo last: Int64, _ count: Int
    ) throws(Failure) -> ServerRows {
        if let answer = table.sequence.take(behind: first, upTo: last, count) { return try connection.rows(of: answer) }
        let limit = count + table.sequence.slack(count)
        return try connection.query(table.range, .integer(first), .integer(last), .integer(Int64(limit)))
    }

    /// Asks for the objects that the next batch will probably need: those behind the ones that this batch has.
    private func sendNext(
        _ table: ServerTable, _ range: ServerRows, _ walk: RangeWalk, upTo last: Int64, _ count: Int
    ) throws(Failure) {
        let slack = table.sequence.slack(count)
        // Some records may be of new objects: then the batch ends before the object that the count suggests.
        let place = walk.next + max(0, count - 1 - slack)
        guard place < range.count else { return }
        let first = try range.objectID(place, 1, connection)
        let answer = try connection.sendQuery(
            table.range, .integer(first), .integer(last), .integer(Int64(count + 2 * slack)))
        table.sequence.sent = .init(answer: answer, first: first, last: last, count: count)
        try connection.requestFlush()
    }

    package func lookUp(
        _ keys: SortedKeys, entity: Int, by attributes: [Int], _ arena: Arena,
        found: (_ place: Int, _ objectID: Int64) -> Void
    ) throws(Failure) {
        guard let sent = try sendLookUp(keys, entity: entity, by: attributes, arena) else { return }
        try finishLookUp(sent, found: found)
    }

    // MARK: Write

    package func update(
        _ rows: [Int], _ section: EntityRecords, _ arena: Arena, _ work: RowScratch
    ) throws(Failure) {
        var groups: [ColumnSet: [Int]] = [:]
        for row in rows { groups[work.columnSet(row), default: []].append(row) }
        for (set, rows) in groups { try update(set, rows, section, arena, work) }
    }

    /// Writes the columns of a set of many rows.
    private func update(
        _ set: ColumnSet, _ rows: [Int], _ section: EntityRecords, _ arena: Arena, _ work: RowScratch
    ) throws(Failure) {
        let table = tables[section.entity]
        let written = set.writtenColumns(of: table.entity)
        if written.isEmpty { return }
        for row in rows { table.sequence.wrote(work.objectIDs[row]) }
        let bytes = unsafe UnsafePointer(arena.base)
        parameters.removeAll()
        parameters.addList(of: .bigint, rows.count) { $0.appendField(work.objectIDs[rows[$1]]) }
        for (_, what) in written {
            parameters.addList(of: table.type(of: what), rows.count) { buffer, index in
                let row = rows[index]
                switch what {
                case .attribute(let attribute):
                    unsafe table.forms[attribute].append(
                        section.typed[row * section.width + attribute], bytes, to: &buffer)
                case .reference(let relationship):
                    let reference = work.references[row * work.relationshipCount + relationship]
                    if reference.isKnown { buffer.appendField(reference.objectID) } else { buffer.appendNull() }
                case .targetName(let relationship):
                    let reference = work.references[row * work.relationshipCount + relationship]
                    let names = table.layout.targetNames[relationship]
                    buffer.appendField(reference.isKnown ? names[reference.target] : nil)
                case .mark: buffer.appendNull()
                }
            }
        }
        let types = written.enumerated().map { "$\($0 + 2)::\(table.type(of: $1.what).name)[]" }
        let names = written.indices.map { "k\($0)" }
        let assignments = written.enumerated().map { "\(quoted($1.name)) = k.k\($0)" }.joined(separator: ", ")
        try connection.write(
            """
            UPDATE \(table.name) t SET \(assignments)
            FROM unnest(\((["$1::bigint[]"] + types).joined(separator: ", "))) k(\((["o"] + names).joined(separator: ", ")))
            WHERE t."objectID" = k.o
            """, parameters, check: connection.changing(rows.map { work.objectIDs[$0] }, in: table.entity.table))
    }

    package func loadReferences(of rows: [Int], _ section: EntityRecords, _ work: RowScratch) throws(Failure) {
        if rows.isEmpty { return }
        let (table, connection) = (tables[section.entity], connection)
        let found = try self.rows(
            of: .references(entity: section.entity, objectIDs: rows.map { work.objectIDs[$0] }))
        guard found.count == rows.count else {
            throw connection.damage("an object that it had is not there any more")
        }
        for place in 0..<found.count {
            let row = rows[Int(found.integer(place, 0)) - 1]
            for relationship in 0..<work.relationshipCount {
                work.stored[row * work.relationshipCount + relationship] = .null
            }
            for column in table.references {
                work.stored[row * work.relationshipCount + column.relationship] = try found.reference(
                    place, 1 + column.place - table.forms.count, column, connection)
            }
        }
    }
}
