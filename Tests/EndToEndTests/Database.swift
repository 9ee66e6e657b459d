import CSQLite
import Foundation

/// A store, read by the tests on their own.
@safe
final class Database {
    private let handle: OpaquePointer?

    init(_ path: String) throws {
        var handle: OpaquePointer?
        let code = unsafe sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, nil)
        unsafe self.handle = handle
        if code != SQLITE_OK { throw DatabaseError(message: "cannot open \(path)") }
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

    private func rows(of table: String) throws -> [[String]] {
        let columns = try rows(
            """
            SELECT c.name, (SELECT k."table" FROM pragma_foreign_key_list('\(table)') k WHERE k."from" = c.name)
            FROM pragma_table_xinfo('\(table)') c WHERE c.name <> 'objectID'
            """)
        let parts = try columns.map { column in
            column[1] == "∅" ? "t.\"\(column[0])\"" : try reference(column[0], to: column[1])
        }
        return try rows("SELECT \(parts.joined(separator: ", ")) FROM \"\(table)\" t").sorted {
            $0.lexicographicallyPrecedes($1)
        }
    }

    /// The identifier that a reference refers to, as SQL.
    private func reference(_ column: String, to target: String) throws -> String {
        let index = try rows("SELECT name FROM pragma_index_list('\(target)') WHERE \"unique\" = 1")[0][0]
        let names = try rows("SELECT name FROM pragma_index_info('\(index)') ORDER BY seqno").map { "\"\($0[0])\"" }
        let key = names.joined(separator: " || char(31) || ")
        return "(SELECT \(key) FROM \"\(target)\" x WHERE x.objectID = t.\"\(column)\")"
    }

    /// Whether SQLite finds the store sound.
    func isSound() throws -> Bool {
        try rows("PRAGMA integrity_check") == [["ok"]] && rows("PRAGMA foreign_key_check").isEmpty
    }
}
