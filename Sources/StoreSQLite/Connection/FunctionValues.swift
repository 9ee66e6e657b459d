import CSluiceSQLite
import SluiceRecords
import SluiceSchema

// Values as functions of SQL take and give them.

extension StoredValue {
    /// An argument of a function, or a value of a row; nil: null.
    init?(_ value: OpaquePointer?) {
        switch unsafe sqlite3_value_type(value) {
        case SQLITE_INTEGER: self = unsafe .integer(sqlite3_value_int64(value))
        case SQLITE_FLOAT: self = unsafe .real(sqlite3_value_double(value))
        case SQLITE_TEXT:
            let bytes = unsafe UnsafeRawBufferPointer(
                start: sqlite3_value_text(value), count: Int(sqlite3_value_bytes(value)))
            self = .text(unsafe String(decoding: bytes, as: UTF8.self))
        case SQLITE_BLOB: self = .blob
        default: return nil
        }
    }
}

/// Gives a text, of which SQLite makes a copy.
func setTextResult(_ text: String, of context: OpaquePointer?) {
    unsafe sqlite3_result_text64(context, text, UInt64(text.utf8.count), sluice_sqlite_transient(), UInt8(SQLITE_UTF8))
}
