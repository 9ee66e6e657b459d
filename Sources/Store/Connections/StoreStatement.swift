import CSluiceSQLite
import SluiceRecords

/// A prepared statement of a connection; parameters count from 1.
@safe
final class StoreStatement {
    let handle: OpaquePointer
    let sql: String
    private unowned let connection: StoreConnection
    /// Whether somebody goes through its rows.
    private(set) var isRunning = false

    init(_ connection: StoreConnection, _ sql: String) throws(StoreError) {
        var handle: OpaquePointer?
        var rest: UnsafePointer<CChar>?
        var hasMore = false
        let code = unsafe sql.withCString { text in
            let code = unsafe sqlite3_prepare_v3(
                connection.handle, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, &rest)
            while let byte = unsafe rest?.pointee, byte == 0x20 || byte == 0x0a || byte == 0x3b { unsafe rest? += 1 }
            unsafe hasMore = rest.map { unsafe $0.pointee != 0 } ?? false
            return code
        }
        if code != SQLITE_OK { throw connection.error(code, sql) }
        guard let prepared = unsafe handle, !hasMore else {
            unsafe sqlite3_finalize(handle)
            throw StoreError(.statement, "one statement is expected", sql: sql)
        }
        unsafe self.handle = prepared
        self.connection = connection
        self.sql = sql
    }

    deinit { _ = unsafe sqlite3_finalize(handle) }

    /// Whether it can change nothing.
    var isReading: Bool { unsafe sqlite3_stmt_readonly(handle) != 0 }

    /// Binds values to the parameters, in their order.
    func bind(_ values: [StatementValue]) throws(StoreError) {
        let count = Int(unsafe sqlite3_bind_parameter_count(handle))
        guard count == values.count else {
            throw StoreError(
                .statement, "the statement has \(count) parameters, and there are \(values.count) values", sql: sql)
        }
        for (index, value) in values.enumerated() { try bind(Int32(index + 1), value) }
    }

    private func bind(_ index: Int32, _ value: StatementValue) throws(StoreError) {
        let code: Int32
        switch value {
        case .value(let value): code = bind(index, value)
        case .list(let list): code = unsafe list.bind(handle, index)
        }
        if code != SQLITE_OK { throw connection.error(code, sql) }
    }

    private func bind(_ index: Int32, _ value: SQLValue) -> Int32 {
        switch value {
        case .null: return unsafe sqlite3_bind_null(handle, index)
        case .integer(let value): return unsafe sqlite3_bind_int64(handle, index, value)
        case .real(let value): return unsafe sqlite3_bind_double(handle, index, value)
        case .text(let text):
            return unsafe sqlite3_bind_text64(
                handle, index, text, UInt64(text.utf8.count), sluice_sqlite_transient(), UInt8(SQLITE_UTF8))
        case .blob(let bytes):
            // An empty array may have no address, which would be null.
            if bytes.isEmpty { return unsafe sqlite3_bind_zeroblob(handle, index, 0) }
            return unsafe sqlite3_bind_blob64(handle, index, bytes, UInt64(bytes.count), sluice_sqlite_transient())
        }
    }

    /// Goes to the next row; false at the end, after which the statement is ready to run again.
    func step() throws(StoreError) -> Bool {
        isRunning = true
        let code = unsafe sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        let error = code == SQLITE_DONE ? nil : connection.error(code, sql)
        reset()
        if let error { throw error }
        return false
    }

    /// The row that was gone to.
    var row: StoreRow { unsafe StoreRow(handle) }

    /// Makes it ready to run again, without values that would keep memory.
    func reset() {
        isRunning = false
        _ = unsafe sqlite3_reset(handle)
        _ = unsafe sqlite3_clear_bindings(handle)
    }
}

/// What a parameter gets: a value, or a list of them.
enum StatementValue: Sendable {
    case value(SQLValue)
    case list(ValueList)
}
