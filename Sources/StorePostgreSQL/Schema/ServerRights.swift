import SluicePostgreSQL
import SluiceRecords
import SluiceSchema

/// What a run must be permitted on a server.
package struct ServerRights {
    private let location: ServerLocation
    private let connection: ServerConnection

    package init(_ location: ServerLocation) throws(Failure) {
        self.location = location
        connection = try location.connect(nil)
        try connection.execute("SET default_transaction_read_only = on")
    }

    /// Throws `refused` with what is missing, and the statement that grants it.
    ///
    /// - Parameter history: what becomes of the past of entities that do not say it themselves.
    package func check(_ model: Model, _ history: HistoryUse?) throws(Failure) {
        let schema = Schema(model: model, dialect: ServerDialect(namespace: ServerNamespace(location.schema)))
        let keepsPast = if case .kept = history { true } else { false }
        var (names, followed): ([String], [String]) = ([], [])
        for entity in model.entities {
            let tables = [entity.table] + schema.linkTables(of: entity).map(\.name)
            if entity.keepsPast ?? keepsPast { followed += tables } else { names += tables }
        }
        // Triggers keep what goes.
        let rights = ["SELECT", "INSERT", "UPDATE", "DELETE"]
        var missing = try databaseRights()
        missing += try tableRights(rights) { $0.hasPrefix("sluice_") || names.containsExactly($0) }
        missing += try tableRights(rights + ["TRIGGER"], followed.containsExactly)
        guard missing.isEmpty else {
            throw Failure(.refused, "the store \(location) lacks rights: \(missing.joined(separator: "; "))")
        }
    }

    /// Of the database and of the schema.
    private func databaseRights() throws(Failure) -> [String] {
        let rows = try connection.query(
            """
            SELECT quote_ident(current_user), quote_ident(current_database()), quote_ident($1),
                has_database_privilege(current_database(), 'TEMPORARY')::int,
                (n.oid IS NOT NULL OR has_database_privilege(current_database(), 'CREATE'))::int,
                (n.oid IS NULL OR has_schema_privilege(n.oid, 'USAGE') AND has_schema_privilege(n.oid, 'CREATE'))::int
            FROM (SELECT 1) one LEFT JOIN pg_namespace n ON n.nspname = $1
            """, .text(location.schema))
        guard rows.count == 1 else { return [] }
        let (role, database, schema) = (rows.text(0, 0), rows.text(0, 1), rows.text(0, 2))
        var missing: [String] = []
        if rows.integer(0, 3) == 0 { missing.append("GRANT TEMPORARY ON DATABASE \(database) TO \(role)") }
        if rows.integer(0, 4) == 0 { missing.append("GRANT CREATE ON DATABASE \(database) TO \(role)") }
        if rows.integer(0, 5) == 0 { missing.append("GRANT USAGE, CREATE ON SCHEMA \(schema) TO \(role)") }
        return missing
    }

    /// Of tables that are there.
    private func tableRights(
        _ rights: [String], _ isOurs: (String) -> Bool
    ) throws(Failure) -> [String] {
        let areGranted = rights.map { "has_table_privilege(c.oid, '\($0)')" }.joined(separator: " AND ")
        let rows = try connection.query(
            """
            SELECT c.relname, c.oid::regclass::text, quote_ident(current_user)
            FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') AND NOT (\(areGranted)) ORDER BY c.relname
            """, .text(location.schema))
        return (0..<rows.count).compactMap { row in
            guard isOurs(rows.text(row, 0)) else { return nil }
            return "GRANT \(rights.joined(separator: ", ")) ON \(rows.text(row, 1)) TO \(rows.text(row, 2))"
        }
    }
}
