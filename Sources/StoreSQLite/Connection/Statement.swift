import CSluiceSQLite
import SluiceLoad
import SluiceRecords

/// A prepared statement; columns count from 0, parameters from 1.
@safe
package final class Statement {
    package let handle: OpaquePointer
    private let connection: Connection

    init(_ connection: Connection, _ sql: String) throws(Failure) {
        var handle: OpaquePointer?
        let code = unsafe sqlite3_prepare_v3(
            connection.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
        guard code == SQLITE_OK, let prepared = unsafe handle else {
            throw connection.failure(code, doing: "read", sql)
        }
        unsafe self.handle = prepared
        self.connection = connection
    }

    /// A statement that is prepared already; it is finalized with this.
    init(_ connection: Connection, prepared: OpaquePointer) {
        unsafe handle = prepared
        self.connection = connection
    }

    deinit { _ = unsafe sqlite3_finalize(handle) }

    /// Goes to the next row; false at the end, after which the statement is ready to run again.
    @inline(__always)
    package func step() throws(Failure) -> Bool {
        let code = unsafe sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        _ = unsafe sqlite3_reset(handle)
        if code != SQLITE_DONE { throw failure(code) }
        return false
    }

    private func failure(_ code: Int32) -> Failure {
        connection.failure(code, doing: "written to", unsafe sqlite3_sql(handle).map { unsafe String(cString: $0) })
    }

    /// Runs a statement that returns no rows.
    @inline(__always)
    package func run() throws(Failure) {
        try connection.countRun()
        _ = try step()
    }

    package func reset() { _ = unsafe sqlite3_reset(handle) }

    // MARK: Parameters

    /// Binds a typed cell. The arena must stay as it is until the statement has run.
    @inline(__always)
    func bind(_ index: Int, _ cell: Cell, _ arena: UnsafePointer<UInt8>) {
        let index = Int32(truncatingIfNeeded: index)
        switch cell.kind {
        case .text, .impossible:
            // The length always goes along, and the pointer is never null: a text may hold NUL, and may be empty.
            unsafe arena.advanced(by: cell.offset).withMemoryRebound(to: CChar.self, capacity: cell.count) { bytes in
                _ = unsafe sqlite3_bind_text64(handle, index, bytes, UInt64(cell.length), nil, UInt8(SQLITE_UTF8))
            }
        case .integer: _ = unsafe sqlite3_bind_int64(handle, index, cell.integer)
        case .real: _ = unsafe sqlite3_bind_double(handle, index, cell.real)
        case .blob: _ = unsafe sqlite3_bind_blob64(handle, index, arena + cell.offset, UInt64(cell.length), nil)
        default: _ = unsafe sqlite3_bind_null(handle, index)
        }
    }

    /// Binds a text of its own; copied.
    package func bind(_ index: Int, _ text: String?) {
        guard let text else {
            _ = unsafe sqlite3_bind_null(handle, Int32(index))
            return
        }
        _ = unsafe sqlite3_bind_text64(
            handle, Int32(index), text, UInt64(text.utf8.count), sluice_sqlite_transient(), UInt8(SQLITE_UTF8))
    }

    @inline(__always)
    package func bind(_ index: Int, _ value: Int64) { _ = unsafe sqlite3_bind_int64(handle, Int32(index), value) }

    func bind(_ index: Int, _ value: Double) { _ = unsafe sqlite3_bind_double(handle, Int32(index), value) }

    /// Binds the objectID of a reference, or null where it is none.
    @inline(__always)
    func bind(reference: Reference, at index: Int) {
        if reference.isKnown {
            _ = unsafe sqlite3_bind_int64(
                handle, Int32(truncatingIfNeeded: index), reference.objectID)
        } else {
            _ = unsafe sqlite3_bind_null(handle, Int32(truncatingIfNeeded: index))
        }
    }

    // MARK: Columns

    package var columnCount: Int { Int(unsafe sqlite3_column_count(handle)) }

    @inline(__always)
    package func integer(_ column: Int) -> Int64 {
        unsafe sqlite3_column_int64(handle, Int32(truncatingIfNeeded: column))
    }

    /// Reads an objectID. Throws where it cannot be one: others may have written it, or the store is damaged.
    @inline(__always)
    func objectID(_ column: Int) throws(Failure) -> Int64 {
        let objectID = integer(column)
        guard objectID > 0, objectID <= Reference.highestStored else { throw notAnObjectID(objectID) }
        return objectID
    }

    /// The index of the entity that a column names, among those that a relationship leads to.
    func target(_ column: Int, among names: [String]) throws(Failure) -> Int {
        let name = text(column)
        guard let target = names.firstIndex(where: { $0.isIdentical(to: name) }) else {
            throw connection.damage(
                "\"\(name)\" stands where one of these should: \(names.joined(separator: ", "))")
        }
        return target
    }

    private func notAnObjectID(_ number: Int64) -> Failure {
        connection.damage("\(number) stands where an objectID should, which go from 1 to \(Reference.highestStored)")
    }

    /// A place among the values of a record.
    func position(_ column: Int) throws(Failure) -> Int64 {
        let position = integer(column)
        guard position >= 0, position <= Int64(UInt32.max) else {
            throw connection.damage("\(position) stands where a position should")
        }
        return position
    }

    @inline(__always)
    package func isNull(_ column: Int) -> Bool {
        unsafe sqlite3_column_type(handle, Int32(truncatingIfNeeded: column)) == SQLITE_NULL
    }

    package func text(_ column: Int) -> String {
        guard let bytes = unsafe sqlite3_column_text(handle, Int32(column)) else { return "" }
        let count = Int(unsafe sqlite3_column_bytes(handle, Int32(column)))
        return unsafe String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    /// Nil: null.
    func optionalText(_ column: Int) -> String? { isNull(column) ? nil : text(column) }

    /// The bytes of a blob as hexadecimal digits.
    func hexadecimal(_ column: Int) -> String {
        guard let bytes = unsafe sqlite3_column_blob(handle, Int32(column)) else { return "" }
        let count = Int(unsafe sqlite3_column_bytes(handle, Int32(column)))
        return unsafe UnsafeRawBufferPointer(start: bytes, count: count).reduce(into: "") { text, byte in
            text += (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
    }

    /// A place in a feed, as the seven columns of the waiting list from `first` on have it.
    func feedPosition(from first: Int) -> FeedPosition {
        FeedPosition(columns: { integer(first + $0) }, path: text(first + FeedPosition.columns.count))
    }

    /// The value as a cell of a column of some type; `impossible` where it is of another type.
    func cell(_ column: Int, as type: ColumnType, in batch: RecordBatch) -> Cell {
        let index = Int32(column)
        switch (unsafe sqlite3_column_type(handle, index), type) {
        case (SQLITE_INTEGER, .integer): return .integer(integer(column))
        case (SQLITE_INTEGER, .real), (SQLITE_FLOAT, .real): return .real(unsafe sqlite3_column_double(handle, index))
        // A reference to one of several entities is stored in one form, and converted to the form of each.
        case (SQLITE_TEXT, .text), (SQLITE_INTEGER, .text): return textCell(column, in: &batch.arena)
        case (SQLITE_TEXT, .integer):
            if let number = Int64(text(column)), String(number) == text(column) { return .integer(number) }
            return batch.arena.appendText(text(column), kind: .impossible)
        case (SQLITE_TEXT, .real):
            let digits = text(column)
            let isNumber = digits.utf8.allSatisfy { "+-.eE0123456789".utf8.contains($0) }
            if isNumber, let number = Double(digits), number.isFinite { return .real(number) }
            return batch.arena.appendText(digits, kind: .impossible)
        case (SQLITE_BLOB, .blob): return cell(column, in: &batch.arena)
        case (SQLITE_NULL, _): return .null
        // As hexadecimal digits.
        case (SQLITE_TEXT, .blob):
            let digits = text(column)
            return batch.arena.appendBytes(hexadecimal: digits) ?? batch.arena.appendText(digits, kind: .impossible)
        default: return batch.arena.appendText(text(column), kind: .impossible)
        }
    }

    /// The value as a cell, of the type that it has.
    func cell(_ column: Int, in arena: inout Arena) -> Cell {
        let index = Int32(column)
        switch unsafe sqlite3_column_type(handle, index) {
        case SQLITE_INTEGER: return .integer(integer(column))
        case SQLITE_FLOAT: return .real(unsafe sqlite3_column_double(handle, index))
        case SQLITE_TEXT: return textCell(column, in: &arena)
        case SQLITE_BLOB:
            let count = Int(unsafe sqlite3_column_bytes(handle, index))
            let offset = arena.reserve(count)
            if let bytes = unsafe sqlite3_column_blob(handle, index), count > 0 {
                unsafe UnsafeMutableRawPointer(arena.base + offset).copyMemory(from: bytes, byteCount: count)
            }
            return Cell(kind: .blob, payload: UInt64(offset), length: UInt32(count))
        default: return .null
        }
    }

    /// The value as a text. Other programs may have stored what is not UTF-8, which a string repairs; ASCII needs none.
    private func textCell(_ column: Int, in arena: inout Arena) -> Cell {
        guard let bytes = unsafe sqlite3_column_text(handle, Int32(column)) else { return arena.appendText("") }
        let count = Int(unsafe sqlite3_column_bytes(handle, Int32(column)))
        var bits: UInt8 = 0
        for index in 0..<count { bits |= unsafe bytes[index] }
        if bits >= 0x80 { return arena.appendText(text(column)) }
        let offset = unsafe arena.append(bytes, count)
        return Cell(kind: .text, payload: UInt64(offset), length: UInt32(count))
    }

    /// How a stored value compares with a typed cell: negative if the stored one comes first in SQLite's order (null,
    /// numbers, texts, blobs; texts by their bytes).
    @inline(__always)
    func compare(_ column: Int, _ cell: Cell, _ arena: UnsafePointer<UInt8>) -> Int {
        // The value is asked for once, and then read without a lock: the connection belongs to one thread at a time.
        let value = unsafe sqlite3_column_value(handle, Int32(truncatingIfNeeded: column))
        let type = unsafe sqlite3_value_type(value)
        switch cell.kind {
        case .text:
            guard type == SQLITE_TEXT else { return rank(type) - 3 }
            return unsafe compareBytes(sqlite3_value_text(value), sqlite3_value_bytes(value), cell, arena)
        case .integer:
            guard type == SQLITE_INTEGER else {
                return rank(type) == 2
                    ? order(unsafe sqlite3_value_double(value), Double(cell.integer)) : rank(type) - 2
            }
            return order(unsafe sqlite3_value_int64(value), cell.integer)
        case .real:
            guard rank(type) == 2 else { return rank(type) - 2 }
            return order(unsafe sqlite3_value_double(value), cell.real)
        case .blob:
            guard type == SQLITE_BLOB else { return rank(type) - 4 }
            let bytes = unsafe sqlite3_value_blob(value)?.assumingMemoryBound(to: UInt8.self)
            return unsafe compareBytes(bytes, sqlite3_value_bytes(value), cell, arena)
        default:
            return type == SQLITE_NULL ? 0 : 1
        }
    }

    /// The hash of a stored value, as that of a cell of a column.
    func hash(_ column: Int, _ hash: ValueHash, _ attribute: Int) -> UInt64 {
        let value = unsafe sqlite3_column_value(handle, Int32(truncatingIfNeeded: column))
        switch unsafe sqlite3_value_type(value) {
        case SQLITE_INTEGER: return hash.integer(unsafe sqlite3_value_int64(value), attribute)
        case SQLITE_FLOAT: return hash.real(unsafe sqlite3_value_double(value), attribute)
        case SQLITE_TEXT:
            return unsafe self.hash(
                sqlite3_value_text(value), sqlite3_value_bytes(value), isText: true, hash, attribute)
        case SQLITE_BLOB:
            let bytes = unsafe sqlite3_value_blob(value)?.assumingMemoryBound(to: UInt8.self)
            return unsafe self.hash(bytes, sqlite3_value_bytes(value), isText: false, hash, attribute)
        default: return hash.null(attribute)
        }
    }

    private func hash(
        _ bytes: UnsafePointer<UInt8>?, _ count: Int32, isText: Bool, _ hash: ValueHash, _ attribute: Int
    ) -> UInt64 {
        // An empty blob has no address.
        var none: UInt8 = 0
        return unsafe withUnsafePointer(to: &none) { empty in
            unsafe hash.bytes(bytes ?? empty, Int(count), isText: isText, attribute)
        }
    }

    @inline(__always)
    private func order<Value: Comparable>(_ stored: Value, _ value: Value) -> Int {
        stored < value ? -1 : stored == value ? 0 : 1
    }

    @inline(__always)
    private func compareBytes(
        _ stored: UnsafePointer<UInt8>?, _ count: Int32, _ cell: Cell, _ arena: UnsafePointer<UInt8>
    ) -> Int {
        unsafe SluiceLoad.compare(stored ?? arena, Int(count), arena + cell.offset, cell.count)
    }

    private func rank(_ type: Int32) -> Int {
        switch type {
        case SQLITE_NULL: 1
        case SQLITE_INTEGER, SQLITE_FLOAT: 2
        case SQLITE_TEXT: 3
        default: 4
        }
    }
}
