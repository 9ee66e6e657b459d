import Glibc
import SluicePostgreSQL
import SluiceRecords

/// Compares rows of a section with rows of a server: what is sent for a cell is compared with what the server has.
@safe
struct ServerRowComparison {
    private let table: ServerTable
    private let work: RowWork
    private let connection: ServerConnection
    private let section: EntityRecords
    private let arena: UnsafePointer<UInt8>
    private var field = ByteBuffer()

    /// What the first column of the table is among those of a result.
    private static let firstColumn = 2

    init(
        _ table: ServerTable, _ section: EntityRecords, _ arena: Arena, _ work: RowWork, _ connection: ServerConnection
    ) {
        self.table = table
        self.work = work
        self.section = section
        self.connection = connection
        unsafe self.arena = UnsafePointer(arena.base)
    }

    mutating func deallocate() { field.deallocate() }

    /// Whether an attribute of a row is what the server has.
    @inline(__always)
    private mutating func isSame(_ cell: Cell, _ attribute: Int, _ rows: ServerRows, _ place: Int) -> Bool {
        let column = ServerRowComparison.firstColumn + attribute
        if cell.isNull { return rows.isNull(place, column) }
        let stored = unsafe rows.bytes(place, column)
        guard let base = stored.baseAddress, !rows.isNull(place, column) else { return false }
        field.removeAll()
        unsafe table.forms[attribute].append(cell, arena, to: &field)
        return unsafe field.count == stored.count + 4 && memcmp(field.base + 4, base, stored.count) == 0
    }

    /// Whether a row of the server is the object of a row.
    mutating func isMet(_ row: Int, _ rows: ServerRows, _ place: Int) -> Bool {
        for attribute in table.entity.identifier
        where !isSame(section.typed[row * section.width + attribute], attribute, rows, place) { return false }
        return true
    }

    /// Hashes the identifier of a row as the server would have it.
    mutating func hash(_ row: Int) -> UInt64 {
        var result: UInt64 = 0
        for attribute in table.entity.identifier {
            field.removeAll()
            unsafe table.forms[attribute].append(section.typed[row * section.width + attribute], arena, to: &field)
            result = unsafe hashBytes(field.base + 4, field.count - 4, seed: result)
        }
        return result
    }

    /// Likewise the identifier of a row of the server.
    func hash(_ rows: ServerRows, _ place: Int) -> UInt64 {
        var result: UInt64 = 0
        for attribute in table.entity.identifier {
            let stored = unsafe rows.bytes(place, ServerRowComparison.firstColumn + attribute)
            // Its text may be empty, and is still somewhere.
            if let base = stored.baseAddress { result = unsafe hashBytes(base, stored.count, seed: result) }
        }
        return result
    }

    /// Notes the attributes of a row that differ from the server's, and the references that are stored.
    mutating func compare(_ row: Int, _ rows: ServerRows, _ place: Int) throws(Failure) {
        work.clearDifferences(row)
        for attribute in table.otherAttributes {
            let cell = section.typed[row * section.width + attribute]
            if cell.kind == .absent, table.keepsAbsent[attribute] { continue }
            if isSame(cell, attribute, rows, place) { continue }
            work.setDifferent(row, column: attribute)
            work.changes[row] ^= storedHash(attribute, rows, place) ^ newHash(cell, attribute)
        }
        for relationship in 0..<work.relationshipCount {
            work.stored[row * work.relationshipCount + relationship] = .null
        }
        for column in table.references {
            work.stored[row * work.relationshipCount + column.relationship] = try rows.reference(
                place, ServerRowComparison.firstColumn + column.place, column, connection)
        }
        if table.hasMark, !rows.isNull(place, ServerRowComparison.firstColumn + table.columns.count - 1) {
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

    private mutating func newHash(_ cell: Cell, _ attribute: Int) -> UInt64 {
        if cell.isNull { return work.hash.null(attribute) }
        field.removeAll()
        unsafe table.forms[attribute].append(cell, arena, to: &field)
        return unsafe work.hash.bytes(field.base + 4, field.count - 4, isText: true, attribute)
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
