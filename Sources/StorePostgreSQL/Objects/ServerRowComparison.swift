import SluiceLoad
import SluicePostgreSQL
import SluiceRecords

/// Compares rows of a section with rows of a server: the bytes that would be sent for a cell are compared with those
/// that the server has.
///
/// The values that each row needs are properties here: code that copied an entity or a column would copy it for each
/// row.
@safe
final class ServerRowComparison {
    private let table: ServerTable
    private let work: RowScratch
    private let connection: ServerConnection
    private let section: EntityRecords
    private let arena: UnsafePointer<UInt8>
    private let forms: [CellForm]
    private let identifier: [Int]
    private let others: [Int]
    private let references: [ServerTable.ReferenceColumn]
    private let scratch: Unchecked<ByteBuffer>

    /// The index of the first column of the table in a result.
    private static let firstColumn = 2

    init(
        _ table: ServerTable, _ section: EntityRecords, _ arena: Arena, _ work: RowScratch,
        _ connection: ServerConnection
    ) {
        self.table = table
        self.work = work
        self.section = section
        self.connection = connection
        forms = table.forms
        identifier = table.entity.identifier
        others = table.layout.otherAttributes
        references = table.references
        scratch = Unchecked(ByteBuffer())
        unsafe self.arena = UnsafePointer(arena.base)
    }

    deinit {
        scratch.value.deallocate()
        scratch.deallocate()
    }

    /// The bytes that are sent for a cell, behind a length of four bytes; valid until the next call.
    private func field(_ cell: Cell, _ attribute: Int) -> UnsafeBufferPointer<UInt8> {
        scratch.value.removeAll()
        unsafe forms[attribute].append(cell, arena, to: &scratch.value)
        return unsafe UnsafeBufferPointer(start: scratch.value.base + 4, count: scratch.value.count - 4)
    }

    /// Whether an attribute of a row is what the server has.
    @inline(__always)
    private func isSame(_ cell: Cell, _ attribute: Int, _ rows: ServerRows, _ place: Int) -> Bool {
        let column = ServerRowComparison.firstColumn + attribute
        if cell.isNull { return rows.isNull(place, column) }
        let stored = unsafe rows.bytes(place, column)
        if stored.isEmpty, rows.isNull(place, column) { return false }
        return unsafe forms[attribute].isSame(cell, arena, stored, &scratch.value)
    }

    /// Whether a row of the server is the object of a row.
    func isMet(_ row: Int, _ rows: ServerRows, _ place: Int) -> Bool {
        for part in identifier.indices {
            let attribute = identifier[part]
            if !isSame(section.typed[row * section.width + attribute], attribute, rows, place) { return false }
        }
        return true
    }

    /// Hashes the identifier of a row as the server would have it.
    func hash(_ row: Int) -> UInt64 {
        var result: UInt64 = 0
        for attribute in identifier {
            let field = unsafe field(section.typed[row * section.width + attribute], attribute)
            if let base = field.baseAddress { result = unsafe hashBytes(base, field.count, seed: result) }
        }
        return result
    }

    /// Likewise the identifier of a row of the server.
    func hash(_ rows: ServerRows, _ place: Int) -> UInt64 {
        var result: UInt64 = 0
        for attribute in identifier {
            let stored = unsafe rows.bytes(place, ServerRowComparison.firstColumn + attribute)
            // An empty text still has an address.
            if let base = stored.baseAddress { result = unsafe hashBytes(base, stored.count, seed: result) }
        }
        return result
    }

    /// Sets the attributes of a row that differ from the server's, and the references that are stored.
    func compare(_ row: Int, _ rows: ServerRows, _ place: Int) throws(Failure) {
        work.clearDifferences(row)
        for index in others.indices {
            let attribute = others[index]
            let cell = section.typed[row * section.width + attribute]
            if cell.kind == .absent, table.layout.keepsAbsent[attribute] { continue }
            if isSame(cell, attribute, rows, place) { continue }
            work.setDifferent(row, column: attribute)
            work.changes[row] ^= storedHash(attribute, rows, place) ^ newHash(cell, attribute)
        }
        for relationship in 0..<work.relationshipCount {
            work.stored[row * work.relationshipCount + relationship] = .null
        }
        for index in references.indices {
            work.stored[row * work.relationshipCount + references[index].relationship] = try rows.reference(
                place, ServerRowComparison.firstColumn + references[index].place, references[index], connection)
        }
        if let mark = table.layout.markPlace, !rows.isNull(place, ServerRowComparison.firstColumn + mark) {
            work.setDifferent(row, column: work.presenceColumn)
        }
    }

    private func storedHash(_ attribute: Int, _ rows: ServerRows, _ place: Int) -> UInt64 {
        let column = ServerRowComparison.firstColumn + attribute
        let stored = unsafe rows.bytes(place, column)
        guard !rows.isNull(place, column), let base = stored.baseAddress else {
            return work.hash.null(attribute)
        }
        return unsafe work.hash.bytes(base, stored.count, isText: true, attribute)
    }

    private func newHash(_ cell: Cell, _ attribute: Int) -> UInt64 {
        if cell.isNull { return work.hash.null(attribute) }
        let field = unsafe field(cell, attribute)
        guard let base = field.baseAddress else { return work.hash.null(attribute) }
        return unsafe work.hash.bytes(base, field.count, isText: true, attribute)
    }
}

extension ServerRows {
    /// A reference that a row holds; `column`: where its first column is.
    func reference(
        _ row: Int, _ column: Int, _ definition: ServerTable.ReferenceColumn, _ connection: ServerConnection
    ) throws(Failure) -> Reference {
        if isNull(row, column) { return .null }
        let objectID = try objectID(row, column, connection)
        if definition.targetNames.count == 1 { return Reference(objectID) }
        return Reference(
            objectID, target: try target(row, column + 1, among: definition.targetNames, connection))
    }
}
