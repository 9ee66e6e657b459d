import CSluiceSQLite
import Foundation

/// A store, read by the tests on their own.
@safe
final class Database {
    private let handle: OpaquePointer?

    /// - Parameter patience: how long a lock is waited for, in milliseconds.
    init(_ path: String, patience: Int32 = 0) throws {
        var handle: OpaquePointer?
        let code = unsafe sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, nil)
        unsafe self.handle = handle
        _ = unsafe sqlite3_busy_timeout(handle, patience)
        if code != SQLITE_OK { throw DatabaseError(message: "cannot open \(path)") }
        // What lies beside the store stays.
        var keeps: Int32 = FileManager.default.fileExists(atPath: path + "-wal") ? 1 : 0
        _ = unsafe sqlite3_file_control(handle, "main", SQLITE_FCNTL_PERSIST_WAL, &keeps)
    }

    deinit { _ = unsafe sqlite3_close_v2(handle) }

    struct DatabaseError: Error { var message: String }

    /// The rows of a query, each value as text; null as `∅`.
    func rows(_ sql: String) throws -> [[String]] {
        var statement: OpaquePointer?
        guard unsafe sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else {
            throw DatabaseError(message: unsafe String(cString: sqlite3_errmsg(handle)) + ": " + sql)
        }
        defer { _ = unsafe sqlite3_finalize(statement) }
        var rows: [[String]] = []
        while true {
            let code = unsafe sqlite3_step(statement)
            if code == SQLITE_DONE { return rows }
            guard code == SQLITE_ROW else {
                throw DatabaseError(message: unsafe String(cString: sqlite3_errmsg(handle)))
            }
            let width = unsafe sqlite3_column_count(statement)
            rows.append((0..<width).map { unsafe text(statement, $0) })
        }
    }

    /// Runs statements that return nothing.
    func execute(_ sql: String) throws {
        guard unsafe sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
            throw DatabaseError(message: unsafe String(cString: sqlite3_errmsg(handle)))
        }
    }

    private func text(_ statement: OpaquePointer?, _ column: Int32) -> String {
        guard let bytes = unsafe sqlite3_column_text(statement, column) else { return "∅" }
        return unsafe String(cString: bytes)
    }

    func integer(_ sql: String) throws -> Int { Int(try rows(sql)[0][0]) ?? -1 }

    /// The names of the tables that are not the tool's own.
    func tables() throws -> [String] {
        try rows(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sluice\\_%' ESCAPE '\\' ORDER BY 1"
        ).map { $0[0] }
    }

    /// All that users see, without regard to objectIDs: each row of each table with its references as the identifiers
    /// of their targets, sorted.
    func contents() throws -> [String: [[String]]] {
        var contents: [String: [[String]]] = [:]
        for table in try tables() { contents[table] = try rows(of: table) }
        return contents
    }

    /// SQLite sorts them as Swift sorts texts, in a tenth of the time that a debug build takes.
    private func rows(of table: String) throws -> [[String]] {
        let selection = try selection(of: table, in: "main")
        let order = (0..<selection.width).map { "coalesce(CAST(c\($0) AS TEXT), '∅') COLLATE BINARY" }
        return try rows("SELECT * FROM (\(selection.sql)) ORDER BY \(order.joined(separator: ", "))")
    }

    /// A query for what users see of a table of an attached database, with the columns `c0`, `c1`, ….
    private func selection(of table: String, in schema: String) throws -> (sql: String, width: Int) {
        let columns = try rows(
            """
            SELECT c.name, (SELECT k."table" FROM pragma_foreign_key_list('\(table)') k WHERE k."from" = c.name)
            FROM pragma_table_xinfo('\(table)') c WHERE c.name <> 'objectID'
            """)
        let tables = try tables()
        let parts = try columns.map { column in
            if column[1] != "∅" { return try reference(column[0], to: column[1], in: schema) }
            // To several entities: the column beside it says which.
            guard columns.contains([column[0] + "_entity", "∅"]) else { return "t.\"\(column[0])\"" }
            let targets = try tables.filter { target in
                try rows("SELECT name FROM pragma_table_xinfo('\(target)')").contains(["objectID"])
            }.map { target in
                "WHEN '\(target)' THEN \(try reference(column[0], to: target, in: schema))"
            }
            return "CASE t.\"\(column[0])_entity\" \(targets.joined(separator: " ")) END"
        }
        let named = parts.enumerated().map { "\($0.element) AS c\($0.offset)" }
        return ("SELECT \(named.joined(separator: ", ")) FROM \(schema).\"\(table)\" t", named.count)
    }

    /// The identifier that a reference refers to, as SQL.
    private func reference(_ column: String, to target: String, in schema: String) throws -> String {
        let index = try rows("SELECT name FROM pragma_index_list('\(target)') WHERE \"unique\" = 1")[0][0]
        let names = try rows("SELECT name FROM pragma_index_info('\(index)') ORDER BY seqno").map { "\"\($0[0])\"" }
        let key = names.joined(separator: " || char(31) || ")
        return "(SELECT \(key) FROM \(schema).\"\(target)\" x WHERE x.objectID = t.\"\(column)\")"
    }

    /// Whether users see the same in another store; much quicker than to compare `contents`.
    func equals(_ path: String) throws -> Bool {
        _ = try rows("ATTACH '\(path)' AS other")
        defer { _ = try? rows("DETACH other") }
        return try tables().allSatisfy { table in
            let (here, there) = try (selection(of: table, in: "main").sql, selection(of: table, in: "other").sql)
            let count = try ["main", "other"].map { try integer("SELECT count(*) FROM \($0).\"\(table)\"") }
            return try count[0] == count[1] && rows("\(here) EXCEPT \(there) LIMIT 1").isEmpty
        }
    }

    /// Everything in the store but its ledger and the secret of its fingerprints, to the byte: the schema, and each row
    /// of each table.
    func snapshot() throws -> [String] {
        let schema = try rows("SELECT quote(name), quote(sql) FROM sqlite_schema ORDER BY name")
        let tables = try rows(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN ('sluice_run', 'sluice_fingerprint') ORDER BY 1"
        )
        let contents = try tables.flatMap { table in
            let columns = try rows("SELECT name FROM pragma_table_xinfo('\(table[0])')").map { "quote(\"\($0[0])\")" }
            return try rows("SELECT \(columns.joined(separator: ", ")) FROM \"\(table[0])\" ORDER BY 1")
        }
        return (schema + contents).map { $0.joined(separator: " ") }
    }

    /// Whether SQLite finds the store sound, with its indexes of words.
    func isSound() throws -> Bool {
        let words = "SELECT name FROM sqlite_schema WHERE name LIKE 'sluice\\_%\\_search' ESCAPE '\\'"
        for name in try rows(words).map({ $0[0].replacing("\"", with: "\"\"") }) {
            let check = "INSERT INTO \"\(name)\" (\"\(name)\", rank) VALUES ('integrity-check', 1)"
            if (try? rows(check)) == nil { return false }
        }
        return try rows("PRAGMA integrity_check") == [["ok"]] && rows("PRAGMA foreign_key_check").isEmpty
    }
}
