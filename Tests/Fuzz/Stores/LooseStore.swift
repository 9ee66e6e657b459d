import CSluiceSQLite

/// A store into which anything can be written: its tables are not strict while it is open.
@safe
final class LooseStore {
    private var handle: OpaquePointer?

    private init(_ path: String) {
        var opened: OpaquePointer?
        _ = unsafe sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE, nil)
        unsafe handle = opened
        for setting in ["foreign_keys = 0", "ignore_check_constraints = 1", "writable_schema = 1", "synchronous = 0"] {
            execute("PRAGMA \(setting)")
        }
    }

    deinit { _ = unsafe sqlite3_close_v2(handle) }

    private func execute(_ statement: String) { _ = unsafe sqlite3_exec(handle, statement, nil, nil, nil) }

    /// What fails has no effect.
    static func execute(_ statements: [String], in path: String) {
        LooseStore(path).execute("UPDATE sqlite_schema SET sql = replace(sql, ') STRICT', ') /*STRICT*/')")
        let store = LooseStore(path)
        for statement in statements { store.execute(statement) }
        store.execute("UPDATE sqlite_schema SET sql = replace(sql, ') /*STRICT*/', ') STRICT')")
        store.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    /// The tables of a store, with their columns, in the order of their names.
    static func tables(in path: String) -> [Table] {
        var tables: [Table] = []
        let store = LooseStore(path)
        var statement: OpaquePointer?
        let query = """
            SELECT t.name, c.name FROM sqlite_schema t, pragma_table_info(t.name) c
            WHERE t.type = 'table' ORDER BY t.name, c.cid
            """
        guard unsafe sqlite3_prepare_v2(store.handle, query, -1, &statement, nil) == SQLITE_OK else { return [] }
        defer { _ = unsafe sqlite3_finalize(statement) }
        while unsafe sqlite3_step(statement) == SQLITE_ROW {
            let (table, column) = unsafe (text(statement, 0), text(statement, 1))
            if tables.last?.name != table { tables.append(Table(name: table)) }
            tables[tables.count - 1].columns.append(column)
        }
        return tables
    }

    private static func text(_ statement: OpaquePointer?, _ column: Int32) -> String {
        unsafe sqlite3_column_text(statement, column).map { unsafe String(cString: $0) } ?? ""
    }

    struct Table {
        var name: String
        var columns: [String] = []
    }
}
