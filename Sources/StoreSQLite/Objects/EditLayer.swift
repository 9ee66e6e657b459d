import SluiceLoad
import SluiceRecords
import SluiceSchema

/// The attributes of one entity's objects that programs have changed. A run compares such an attribute with the value
/// that was imported last, which is beside the edit, in `sluice_edit`, and writes it there. So a run deals with records
/// and their copies as if nothing had been edited, and an edit stays in the object's own column.
@safe
final class EditLayer {
    let objects = EditedObjects()

    let table: SQLiteTable
    private let attributes: [ExactText: Int]
    /// attribute, base and imported of an object.
    private let edits: Statement
    private let imported: Statement
    private let takenOver: Statement

    init(_ connection: Connection, _ table: SQLiteTable) throws(Failure) {
        self.table = table
        let entity = table.entity
        var attributes: [ExactText: Int] = [:]
        for index in table.layout.otherAttributes { attributes[ExactText(entity.attributes[index].name)] = index }
        self.attributes = attributes
        edits = try connection.prepare(
            """
            SELECT attribute, base, imported, base IS imported FROM sluice_edit
            WHERE entity = ? AND objectID = ? ORDER BY attribute
            """)
        imported = try connection.prepare(
            "UPDATE sluice_edit SET imported = ?4 WHERE entity = ?1 AND objectID = ?2 AND attribute = ?3")
        takenOver = try connection.prepare(
            "DELETE FROM sluice_edit WHERE entity = ? AND objectID = ? AND attribute = '\(EditTable.object)'")
        try read(connection)
    }

    private func read(_ connection: Connection) throws(Failure) {
        let statement = try connection.prepare(
            "SELECT objectID, attribute = '\(EditTable.object)' FROM sluice_edit WHERE entity = ?")
        statement.bind(1, table.entity.name)
        while try statement.step() {
            let objectID = try statement.objectID(0)
            _ = objects.all.insert(objectID)
            if statement.integer(1) != 0 { _ = objects.created.insert(objectID) }
        }
    }

    @inline(__always)
    func contains(_ objectID: Int64) -> Bool { objects.contains(objectID) }

    /// Calls back with each edit of an object of which a row states the attribute: `edits` has base in column 1 and
    /// imported in column 2; `stored` has the attributes, in their order.
    private func forEachStated(
        _ objectID: Int64, _ cells: UnsafePointer<Cell>,
        _ body: (_ attribute: Int, _ cell: Cell, _ edits: Statement, _ stored: Statement) throws(Failure) -> Void
    ) throws(Failure) {
        let stored = try table.attributes()
        stored.bind(1, objectID)
        guard try stored.step() else { return }
        defer { stored.reset() }
        edits.bind(1, table.entity.name)
        edits.bind(2, objectID)
        defer { edits.reset() }
        while try edits.step() {
            guard let attribute = attributes[ExactText(edits.text(0))] else { continue }
            let cell = unsafe cells[attribute]
            if cell.kind == .absent, table.layout.keepsAbsent[attribute] { continue }
            try body(attribute, cell, edits, stored)
        }
    }

    /// Compares a row, which has been compared with its object, once more: with the imported values. What differs from
    /// these is written beside the edit, so the object does not change by it.
    func compare(
        _ row: Int, _ cells: UnsafePointer<Cell>, _ arena: UnsafePointer<UInt8>, _ work: RowScratch
    ) throws(Failure) {
        let hash = work.hash
        try unsafe forEachStated(work.objectIDs[row], cells) { attribute, cell, edits, stored in
            if work.isDifferent(row, column: attribute) {
                work.setSame(row, column: attribute)
                unsafe work.changes[row] ^=
                    stored.hash(attribute, hash, attribute) ^ hash.cell(cell, arena, attribute)
            }
            if unsafe edits.compare(2, cell, arena) != 0 { work.setDifferent(row, column: attribute) }
        }
    }

    /// Writes the edited columns of a row beside their edits. Returns the other columns.
    func write(
        _ row: Int, _ cells: UnsafePointer<Cell>, _ arena: Arena, _ work: RowScratch, _ connection: Connection
    ) throws(Failure) -> ColumnSet {
        var rest = work.columnSet(row)
        for column in rest.columns where column < table.entity.attributes.count {
            imported.bind(1, table.entity.name)
            imported.bind(2, work.objectIDs[row])
            imported.bind(3, table.entity.attributes[column].name)
            unsafe imported.bind(4, cells[column], arena.base)
            try imported.run()
            if connection.changes > 0 { rest.remove(column) }
        }
        return rest
    }

    /// The attributes of an object of which a row says neither what the feed said before nor what the program says.
    func conflicts(
        _ row: Int, _ cells: UnsafePointer<Cell>, _ arena: Arena, _ work: RowScratch
    ) throws(Failure) -> [Int] {
        var found: [Int] = []
        try unsafe forEachStated(work.objectIDs[row], cells) { attribute, cell, edits, stored in
            if unsafe edits.compare(1, cell, arena.base) != 0, unsafe stored.compare(attribute, cell, arena.base) != 0 {
                found.append(attribute)
            }
        }
        return found
    }

    /// The edits of an object of which the feed says something else than before.
    func conflicts(of objectID: Int64) throws(Failure) -> [Finding.Edit] {
        let stored = try table.attributes()
        stored.bind(1, objectID)
        guard try stored.step() else { return [] }
        defer { stored.reset() }
        edits.bind(1, table.entity.name)
        edits.bind(2, objectID)
        defer { edits.reset() }
        var found: [Finding.Edit] = []
        while try edits.step() {
            guard let index = attributes[ExactText(edits.text(0))], edits.integer(3) == 0 else { continue }
            let attribute = table.entity.attributes[index]
            found.append(
                Finding.Edit(
                    attribute: attribute.name, before: edits.json(1, attribute), stored: stored.json(index, attribute),
                    feed: edits.json(2, attribute)))
        }
        return found
    }

    /// Records that a feed holds what a program has created.
    func recordImported(_ objectID: Int64) throws(Failure) {
        takenOver.bind(1, table.entity.name)
        takenOver.bind(2, objectID)
        try takenOver.run()
    }
}

extension Statement {
    /// A stored value of an attribute, as JSON.
    fileprivate func json(_ column: Int, _ attribute: Attribute) -> String {
        switch (storedValue(column), attribute.conversion.stored.type) {
        case (nil, _): "null"
        case (.integer(let number), .boolean): number == 0 ? "false" : "true"
        case (.text(let text), .json): text
        case (.text(let text), _): JSONText.quoted(text)
        case (.blob, _): JSONText.quoted(hexadecimal(column))
        case (let value?, _): value.shown
        }
    }
}
