import CSluicePostgreSQL
import SluiceRecords

// Which right is missing, as what its owner can say.
extension ServerConnection {
    /// What belongs behind a message that something is not permitted; nothing, where it cannot be told: in a server's
    /// other languages.
    ///
    /// - Parameter sql: the statement, which tells the schema of a table.
    func missingRight(_ message: String, _ sql: String) -> String {
        let role = unsafe PQuser(handle).map { quoted(unsafe String(cString: $0)) } ?? "CURRENT_USER"
        if let table = name(in: message, behind: "must be owner of table ") {
            return
                "; its owner, or the server's administrator, can say: ALTER TABLE \(place(of: table, in: sql)) OWNER TO \(role)"
        }
        if let schema = name(in: message, behind: "permission denied for schema ") {
            let rights = isReading ? "USAGE" : "USAGE, CREATE"
            return "; the owner of the schema can say: GRANT \(rights) ON SCHEMA \(quoted(schema)) TO \(role)"
        }
        // This one has its quotes.
        let temporary = name(in: message, behind: "permission denied to create temporary tables in database ")
        if let database = name(in: message, behind: "permission denied for database ")
            ?? temporary.map({ String($0.dropFirst().dropLast()) })
        {
            let rights = isReading ? "TEMPORARY" : "CREATE, TEMPORARY"
            return "; the owner of the database can say: GRANT \(rights) ON DATABASE \(quoted(database)) TO \(role)"
        }
        if let table = name(in: message, behind: "permission denied for table ") {
            let rights = isReading ? "SELECT" : "SELECT, INSERT, UPDATE, DELETE"
            return "; its owner can say: GRANT \(rights) ON \(place(of: table, in: sql)) TO \(role)"
        }
        if let table = name(in: message, behind: "query would be affected by row-level security policy for table ") {
            let table = place(of: String(table.dropFirst().dropLast()), in: sql)
            return "; row security may hide rows from a run: whoever may can say ALTER ROLE \(role) BYPASSRLS,"
                + " or the owner of the table, if that is the role, ALTER TABLE \(table) NO FORCE ROW LEVEL SECURITY"
        }
        return ""
    }

    private func name(in message: String, behind words: String) -> String? {
        message.hasPrefix(words) ? String(message.dropFirst(words.count)) : nil
    }

    private func quoted(_ name: String) -> String { name.inQuotes("\"") }

    /// A table with its schema, which a statement calls `"schema"."table"` or `"schema".table`.
    private func place(of table: String, in sql: String) -> String {
        for written in ["\"." + quoted(table), "\"." + table] {
            guard let found = sql.firstRange(of: written), let start = sql[..<found.lowerBound].lastIndex(of: "\"")
            else {
                continue
            }
            return sql[start..<found.lowerBound] + "\"." + quoted(table)
        }
        return quoted(table)
    }
}
