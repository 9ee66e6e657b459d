import CSluiceSQLite
import SluiceRecords
import SluiceSchema

/// A row that a query gives, for as long as the closure runs that gets it. Columns count from 0.
@safe
public struct StoreRow: ~Copyable {
    /// The statement; nil: the values are in `given`.
    private let handle: OpaquePointer?
    private let given: GivenRow?

    init(_ handle: OpaquePointer) {
        unsafe self.handle = handle
        given = nil
    }

    /// A row of a store that is no file.
    package init(_ row: GivenRow) {
        unsafe handle = nil
        given = row
    }

    /// Whether the value is null.
    public func isNull(_ column: Int) -> Bool {
        type(column) == SQLITE_NULL
    }

    /// A text.
    ///
    /// - Throws: `invalid` where the value is none, as do all others.
    public func value(_ column: Int) throws(StoreError) -> String {
        // Not `String(validating:as:)`: it asks the runtime for the type of its result each time, which took a third of
        // a fetch.
        let text = unsafe try withText(column) { bytes in
            do { return String(copying: try UTF8Span(validating: unsafe bytes.span)) } catch { return nil }
        }
        guard let text else { throw mismatch(column, "a text in UTF-8") }
        return text
    }

    /// A text, or nil for null.
    public func value(_ column: Int) throws(StoreError) -> String? {
        isNull(column) ? nil : .some(try value(column))
    }

    /// A whole number.
    public func value(_ column: Int) throws(StoreError) -> Int {
        if let given {
            guard case .integer(let number) = given.values[column] else { throw mismatch(column, "a whole number") }
            return Int(number)
        }
        let value = unsafe sqlite3_column_value(handle, Int32(truncatingIfNeeded: column))
        guard unsafe sqlite3_value_type(value) == SQLITE_INTEGER else { throw mismatch(column, "a whole number") }
        return Int(unsafe sqlite3_value_int64(value))
    }

    /// A whole number, or nil for null.
    public func value(_ column: Int) throws(StoreError) -> Int? {
        isNull(column) ? nil : .some(try value(column))
    }

    /// A number.
    public func value(_ column: Int) throws(StoreError) -> Double {
        if let given {
            switch given.values[column] {
            case .real(let number): return number
            case .integer(let number): return Double(number)
            default: throw mismatch(column, "a number")
            }
        }
        let value = unsafe sqlite3_column_value(handle, Int32(truncatingIfNeeded: column))
        let type = unsafe sqlite3_value_type(value)
        guard type == SQLITE_FLOAT || type == SQLITE_INTEGER else { throw mismatch(column, "a number") }
        return unsafe sqlite3_value_double(value)
    }

    /// A number, or nil for null.
    public func value(_ column: Int) throws(StoreError) -> Double? {
        isNull(column) ? nil : .some(try value(column))
    }

    /// A truth value: 0 or 1 in the store.
    public func value(_ column: Int) throws(StoreError) -> Bool {
        let number: Int = try value(column)
        guard number == 0 || number == 1 else { throw mismatch(column, "0 or 1") }
        return number == 1
    }

    /// Bytes.
    public func value(_ column: Int) throws(StoreError) -> [UInt8] {
        if let given {
            guard case .blob(let bytes) = given.values[column] else { throw mismatch(column, "bytes") }
            return bytes
        }
        guard type(column) == SQLITE_BLOB else { throw mismatch(column, "bytes") }
        let bytes = unsafe sqlite3_column_blob(handle, Int32(column))
        let count = Int(unsafe sqlite3_column_bytes(handle, Int32(column)))
        return unsafe Array(UnsafeRawBufferPointer(start: bytes, count: count))
    }

    /// An objectID.
    @inlinable
    public func objectID<Object>(_ column: Int) throws(StoreError) -> ObjectID<Object> {
        ObjectID(Int64(try value(column) as Int))
    }

    /// An objectID, or nil for null.
    @inlinable
    public func objectID<Object>(_ column: Int) throws(StoreError) -> ObjectID<Object>? {
        isNull(column) ? nil : .some(try objectID(column))
    }

    /// A value of any other type.
    public func value<Value: StoreValue>(_ column: Int) throws(StoreError) -> Value { try Value.read(self, column) }

    /// A decimal number that is stored as an integer in units of its last digit.
    public func decimal(_ column: Int, scale: Int) throws(StoreError) -> ExactDecimal {
        ExactDecimal(ExactNumber(Int64(try value(column) as Int), scale: scale))
    }

    /// A decimal number that is stored so, or nil for null.
    public func decimal(_ column: Int, scale: Int) throws(StoreError) -> ExactDecimal? {
        isNull(column) ? nil : .some(try decimal(column, scale: scale))
    }

    /// A duration, of which the column counts units of a digit of a second.
    public func duration(_ column: Int, fraction: Int) throws(StoreError) -> Duration {
        Duration(units: try value(column), fraction: fraction)
    }

    /// A duration that is counted so, or nil for null.
    public func duration(_ column: Int, fraction: Int) throws(StoreError) -> Duration? {
        isNull(column) ? nil : .some(try duration(column, fraction: fraction))
    }

    /// A reference to an object of one of several entities, in two columns: its objectID, and the name of the entity.
    public func reference(_ column: Int, entity: Int) throws(StoreError) -> AnyObjectID? {
        isNull(column)
            ? nil : AnyObjectID(entity: try value(entity), number: Int64(try value(column) as Int))
    }

    // MARK: Values as SQLite has them

    /// The value, whatever it is.
    func any(_ column: Int) throws(StoreError) -> SQLValue {
        if let given { return given.values[column] }
        return switch type(column) {
        case SQLITE_INTEGER: .integer(Int64(try value(column) as Int))
        case SQLITE_FLOAT: .real(try value(column))
        case SQLITE_TEXT: .text(try value(column))
        case SQLITE_BLOB: .blob(try value(column))
        default: .null
        }
    }

    /// The bytes of a text.
    func withText<Result>(
        _ column: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result?
    ) throws(StoreError) -> Result? {
        if let given {
            guard case .text(var text) = given.values[column] else { throw mismatch(column, "a text") }
            return text.withUTF8(body)
        }
        let value = unsafe sqlite3_column_value(handle, Int32(truncatingIfNeeded: column))
        guard unsafe sqlite3_value_type(value) == SQLITE_TEXT else { throw mismatch(column, "a text") }
        let bytes = unsafe sqlite3_value_text(value)
        return unsafe body(UnsafeBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(value))))
    }

    func name(_ column: Int) -> String {
        if let given { return given.names[column] }
        return unsafe sqlite3_column_name(handle, Int32(column)).map { unsafe String(cString: $0) }
            ?? "column \(column)"
    }

    var count: Int { given?.names.count ?? Int(unsafe sqlite3_column_count(handle)) }

    private func type(_ column: Int) -> Int32 {
        if let given { return given.type(column) }
        return unsafe sqlite3_value_type(sqlite3_column_value(handle, Int32(truncatingIfNeeded: column)))
    }

    func mismatch(_ column: Int, _ expected: String) -> StoreError {
        let found =
            switch type(column) {
            case SQLITE_NULL: "null"
            case SQLITE_INTEGER: "a whole number"
            case SQLITE_FLOAT: "a number"
            case SQLITE_BLOB: "bytes"
            default: "the text \(shownText(column))"
            }
        return StoreError(
            .invalid, "\(name(column)): \(expected) expected, found \(found)",
            sql: given?.sql ?? (unsafe handle.flatMap { unsafe sqlite3_sql($0) }.map { unsafe String(cString: $0) }))
    }

    private func shownText(_ column: Int) -> String {
        let text =
            if let given, case .text(let text) = given.values[column] { text } else {
                unsafe sqlite3_column_text(handle, Int32(column)).map { unsafe String(cString: $0) } ?? ""
            }
        return "\"\(text.count > 60 ? text.prefix(59) + "…" : text[...])\""
    }
}
