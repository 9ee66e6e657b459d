import SluicePostgreSQL
import SluiceRecords
import StoreMirror
import TestSupport

@testable import SluiceSchema
@testable import SluiceStorePostgreSQL
@testable import SluiceStores

/// A store on a server, with all others in schemas beside it.
struct ServerShelf: NightShelf {
    private let server: TestServer
    private let connection: ServerConnection
    /// By run and table: what makes it, which a copy has not.
    private var shapes: [Int: [String: String]] = [:]

    init() throws {
        server = try TestServer()
        connection = try server.connect()
    }

    var location: StoreLocation { .server(server.location) }

    private func schema(_ place: NightPlace) -> String {
        switch place {
        case .store: server.location.schema
        case .night(let run): "\(server.location.schema) night \(run)"
        case .past(let run): "\(server.location.schema) past \(run)"
        }
    }

    func drop() {
        try? server.drop()
        for run in shapes.keys {
            for place in [NightPlace.night(run), .past(run)] {
                try? connection.execute("DROP SCHEMA IF EXISTS \(quoted(schema(place))) CASCADE")
            }
        }
    }

    mutating func copy(_ run: Int) throws {
        let (from, to) = (schema(.store), schema(.night(run)))
        try connection.execute("CREATE SCHEMA \(quoted(to))")
        let text = ServerTableText(connection, from)
        shapes[run] = [:]
        for table in try tables(from) {
            try connection.execute(
                "CREATE TABLE \(quoted(to)).\(quoted(table)) AS TABLE \(quoted(from)).\(quoted(table))")
            shapes[run, default: [:]][table] = try text.text(of: table)
        }
    }

    func makePast(_ run: Int) throws(Failure) {
        try ServerEarlierStoreWriter.write(server.location, run: run, to: schema(.past(run)))
    }

    func isSound(_ run: Int) throws -> Bool { true }

    // MARK: What a store holds

    private func tables(_ schema: String) throws -> [String] {
        try texts(
            """
            SELECT relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE nspname = \(schema.inQuotes("'")) AND relkind = 'r'
            AND (relname NOT LIKE 'sluice\\_%' OR relname = 'sluice_model') ORDER BY 1
            """
        ).map { $0[0] }
    }

    private func texts(_ sql: String) throws -> [[String]] {
        let found = try connection.query(
            """
            SELECT (SELECT json_agg(v.value ORDER BY v.ordinality) FROM json_each_text(row_to_json(q)) WITH ORDINALITY v)::text
            FROM (\(sql)) q
            """)
        return (0..<found.count).map { row in
            (StoredJSON(found.text(row, 0))?.elements ?? []).map { $0.string ?? "∅" }
        }
    }

    func contents(of place: NightPlace) throws -> [String: [[String]]] {
        let schema = schema(place)
        let text = ServerTableText(connection, schema)
        var contents: [String: [[String]]] = [:]
        for table in try tables(schema) {
            let rows = try texts("SELECT t::text FROM \(quoted(schema)).\(quoted(table)) t ORDER BY 1")
            var shape = try text.text(of: table)
            if case .night(let run) = place { shape = shapes[run]?[table] ?? "" }
            contents[table] = (table.hasPrefix("sluice_") ? [] : [sorted(shape)]) + rows
        }
        return contents
    }

    /// Indexes and foreign keys have no order.
    private func sorted(_ text: String) -> [String] {
        let parts = StoredJSON(text)
        return ["columns", "keys", "references"].flatMap { name in
            let list = (parts?[name]?.elements ?? []).map(\.canonicalText)
            return name == "columns" ? list : list.sorted()
        }
    }

    /// A copy has no keys: the script is for the store that was made again, with all of its keys, which is left as it
    /// is.
    func contents(of run: Int, after script: String) throws -> [String: [[String]]] {
        guard script.hasSuffix("COMMIT;\n") else { return [:] }
        try connection.execute("SET search_path = \(quoted(schema(.past(run))))")
        try connection.execute(script.dropLast("COMMIT;\n".count) + "SET CONSTRAINTS ALL IMMEDIATE")
        let found = try contents(of: .past(run))
        try connection.execute("ROLLBACK; RESET search_path")
        return found
    }

    func rows(_ sql: String, in place: NightPlace) throws -> [[String]] {
        try texts(sql.replacingExactly("@", with: quoted(schema(place)) + "."))
    }

    func write(_ sql: String) throws {
        try connection.execute(sql.replacingExactly("@", with: quoted(schema(.store)) + "."))
    }

    func freeColumns() throws -> [(table: String, column: String, owner: String)] {
        try rows(
            """
            SELECT c.relname, a.attname,
              (SELECT o.attname FROM pg_attribute o WHERE o.attrelid = c.oid AND o.attname IN ('objectID', 'source')
               ORDER BY o.attnum LIMIT 1)
            FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
            WHERE c.relnamespace = \(quoted(schema(.store)).inQuotes("'"))::regnamespace
            AND c.relname NOT LIKE 'sluice\\_%' AND a.attnum > 0 AND NOT a.attisdropped AND NOT a.attnotnull
            AND NOT EXISTS (
              SELECT 1 FROM pg_attribute e WHERE e.attrelid = c.oid AND e.attname <> a.attname
              AND e.attname IN (a.attname || '_entity', regexp_replace(a.attname, '_entity$', '')))
            AND c.relkind = 'r' ORDER BY 1, 2
            """, in: .store
        ).map { (table: $0[0], column: $0[1], owner: $0[2]) }
    }

    func makeView(_ entity: EntityDescription, among all: [EntityDescription], _ run: Int) throws -> [String]? {
        let schema = schema(.night(run))
        guard let table = try ServerCatalog(connection, schema).table(entity.table) else { return nil }
        var view = EntityView(entity, among: all, table, ServerDialect(namespace: ServerNamespace(schema)))
        try connection.execute(view.sql())
        let name = "\(quoted(schema)).\(quoted(entity.table + "_view"))".inQuotes("'")
        return try texts(
            "SELECT attname FROM pg_attribute WHERE attrelid = \(name)::regclass AND attnum > 0 ORDER BY attnum"
        ).map { $0[0] }
    }
}
