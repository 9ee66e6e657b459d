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
    package func check(_ model: Model) throws(Failure) {
        let schema = Schema(model: model, dialect: ServerDialect(namespace: quoted(location.schema)))
        let names = model.entities.flatMap { entity in
            [entity.table] + schema.linkTables(of: entity).map(\.name)
        }
        let missing = try databaseRights() + tableRights(names)
        guard missing.isEmpty else {
            throw Failure(.refused, "the store \(location) lacks rights: \(missing.joined(separator: "; "))")
        }
    }

    private var parameters: Parameters {
        var parameters = Parameters()
        parameters.add(location.schema)
        return parameters
    }

    /// Of the database and of the schema.
    private func databaseRights() throws(Failure) -> [String] {
        var parameters = parameters
        defer { parameters.deallocate() }
        let rows = try connection.query(
            """
            SELECT quote_ident(current_user), quote_ident(current_database()), quote_ident($1),
                has_database_privilege(current_database(), 'TEMPORARY')::int,
                (n.oid IS NOT NULL OR has_database_privilege(current_database(), 'CREATE'))::int,
                (n.oid IS NULL OR has_schema_privilege(n.oid, 'USAGE') AND has_schema_privilege(n.oid, 'CREATE'))::int
            FROM (SELECT 1) one LEFT JOIN pg_namespace n ON n.nspname = $1
            """, parameters)
        guard rows.count == 1 else { return [] }
        let (role, database, schema) = (rows.text(0, 0), rows.text(0, 1), rows.text(0, 2))
        var missing: [String] = []
        if rows.integer(0, 3) == 0 { missing.append("GRANT TEMPORARY ON DATABASE \(database) TO \(role)") }
        if rows.integer(0, 4) == 0 { missing.append("GRANT CREATE ON DATABASE \(database) TO \(role)") }
        if rows.integer(0, 5) == 0 { missing.append("GRANT USAGE, CREATE ON SCHEMA \(schema) TO \(role)") }
        return missing
    }

    /// Of the definition's tables and the tool's own, those that are there.
    private func tableRights(_ names: [String]) throws(Failure) -> [String] {
        let ours = Set(names.map { ExactText($0) })
        var parameters = parameters
        defer { parameters.deallocate() }
        let rows = try connection.query(
            """
            SELECT c.relname, c.oid::regclass::text, quote_ident(current_user)
            FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') AND NOT (
                has_table_privilege(c.oid, 'SELECT') AND has_table_privilege(c.oid, 'INSERT')
                AND has_table_privilege(c.oid, 'UPDATE') AND has_table_privilege(c.oid, 'DELETE'))
            ORDER BY c.relname
            """, parameters)
        return (0..<rows.count).compactMap { row in
            let name = rows.text(row, 0)
            guard name.hasPrefix("sluice_") || ours.contains(ExactText(name)) else { return nil }
            return "GRANT SELECT, INSERT, UPDATE, DELETE ON \(rows.text(row, 1)) TO \(rows.text(row, 2))"
        }
    }
}
