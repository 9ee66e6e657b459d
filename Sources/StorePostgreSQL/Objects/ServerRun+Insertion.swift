import SluiceLoad
import SluicePostgreSQL
import SluiceRecords

// New objects and new links: many are copied, few are inserted.
extension ServerRun {
    /// Up to this many rows are inserted: INSERT takes the server some microseconds more for each row, but COPY takes
    /// two round trips.
    static let mostInserted = 1000

    package func insert(
        _ rows: [Int], _ section: EntityRecords, _ arena: Arena, _ work: RowScratch, conflict: (Int) -> Void
    ) throws(Failure) {
        let taken = try takenRows(rows, section, arena)
        if taken.isEmpty { return try write(rows, section, arena, work) }
        for row in rows where taken.contains(row) { conflict(row) }
        try write(rows.filter { !taken.contains($0) }, section, arena, work)
    }

    /// The rows whose identifiers are taken. The loader does not look identifiers up in a table without objects of
    /// earlier runs, so this does. Until the identifiers of the table are indexed, the loader makes sure that they are
    /// new.
    private func takenRows(_ rows: [Int], _ section: EntityRecords, _ arena: Arena) throws(Failure) -> Set<Int> {
        let entity = section.entity
        if beginning.highest[entity] > 0 || indexes.canIndexLate(entity: entity) { return [] }
        let identifier = model.entities[entity].identifier
        var keys = SortedKeys(width: identifier.count)
        defer { keys.deallocate() }
        for row in rows {
            unsafe withUnsafeTemporaryAllocation(of: Cell.self, capacity: identifier.count) { cells in
                for (part, attribute) in identifier.enumerated() {
                    unsafe cells[part] = section.typed[row * section.width + attribute]
                }
                unsafe keys.append(UnsafePointer(cells.baseAddress.unsafelyUnwrapped), number: row, arena.base)
            }
        }
        var taken: Set<Int> = []
        unsafe keys.sort(arena.base) { taken.insert($0) }
        try lookUp(keys, entity: entity, by: identifier, arena) { place, _ in
            taken.insert(keys.number(place))
        }
        return taken
    }

    private func write(
        _ inserted: [Int], _ section: EntityRecords, _ arena: Arena, _ work: RowScratch
    ) throws(Failure) {
        if inserted.isEmpty { return }
        if inserted.count > ServerRun.mostInserted { return try copy(inserted, section, arena, work) }
        let table = tables[section.entity]
        let bytes = unsafe UnsafePointer(arena.base)
        parameters.removeAll()
        parameters.addList(of: .bigint, inserted.count) { $0.appendField(work.objectIDs[inserted[$1]]) }
        for attribute in table.forms.indices {
            parameters.addList(of: table.forms[attribute].type, inserted.count) { buffer, index in
                unsafe table.forms[attribute].append(
                    section.typed[inserted[index] * section.width + attribute], bytes, to: &buffer)
            }
        }
        for column in table.references {
            func reference(_ index: Int) -> Reference {
                work.references[inserted[index] * work.relationshipCount + column.relationship]
            }
            parameters.addList(of: .bigint, inserted.count) { append(reference($1), to: &$0) }
            guard column.targetNames.count > 1 else { continue }
            parameters.addList(of: .text, inserted.count) { append(reference($1), column.targetNames, to: &$0) }
        }
        try connection.write(
            table.insert, parameters, check: connection.writing(inserted.count, to: table.entity.table))
    }

    private func copy(_ inserted: [Int], _ section: EntityRecords, _ arena: Arena, _ work: RowScratch) throws(Failure) {
        let table = tables[section.entity]
        let bytes = unsafe UnsafePointer(arena.base)
        rows.begin(columns: 1 + table.layout.columns.count)
        for row in inserted {
            rows.appendRow { buffer in
                buffer.appendField(work.objectIDs[row])
                for attribute in table.forms.indices {
                    unsafe table.forms[attribute].append(
                        section.typed[row * section.width + attribute], bytes, to: &buffer)
                }
                for column in table.references {
                    let reference = work.references[row * work.relationshipCount + column.relationship]
                    append(reference, to: &buffer)
                    if column.targetNames.count > 1 { append(reference, column.targetNames, to: &buffer) }
                }
                if table.layout.markPlace != nil { buffer.appendNull() }
            }
        }
        rows.end()
        try connection.copy(table.copy, rows, check: connection.writing(inserted.count, to: table.entity.table))
    }

    /// The objectID of a reference.
    @inline(__always)
    private func append(_ reference: Reference, to buffer: inout ByteBuffer) {
        if reference.isKnown { buffer.appendField(reference.objectID) } else { buffer.appendNull() }
    }

    /// The name of its target's entity.
    @inline(__always)
    private func append(_ reference: Reference, _ names: [String], to buffer: inout ByteBuffer) {
        buffer.appendField(reference.isKnown ? names[reference.target] : nil)
    }
}
