import SluicePostgreSQL
import SluiceRecords
import SluiceSchema

/// A description from which a table of a store on a server can be made again elsewhere: its columns, keys, indexes and
/// references, as JSON.
///
/// Defaults, checks, and indexes on expressions are made by others, and are left out.
struct ServerTableText {
    let connection: ServerConnection
    /// The name of the schema.
    let schema: String

    init(_ connection: ServerConnection, _ schema: String) {
        self.connection = connection
        self.schema = schema
    }

    /// The text of a table that is there.
    func text(of table: String) throws(Failure) -> String {
        StoredJSON.members([
            ("columns", try list(ServerTableText.columns, table)), ("keys", try list(ServerTableText.indexes, table)),
            ("references", try list(ServerTableText.references, table)),
        ]).canonicalText
    }

    /// The text of a table for which none was kept: its columns, and the keys of objects.
    static func text(of table: HistoryTable) -> String {
        let columns = zip(table.columns, table.types).map { name, type in
            quoted(name) + " " + type + (type.isIdentical(to: "text") ? " COLLATE \"C\"" : "")
        }
        var keys = table.hasLinks ? [] : [["primary", table.owner]]
        if !table.identifier.isEmpty { keys.append(["unique", table.identifier.map(quoted).joined(separator: ", ")]) }
        return StoredJSON.members([
            ("columns", .array(columns.map { .array([.string($0)]) })),
            ("keys", .array(keys.map { .array($0.map { .string($0) }) })), ("references", .array([])),
        ]).canonicalText
    }

    private func list(_ sql: String, _ table: String) throws(Failure) -> StoredJSON {
        let found = try connection.query(sql, .text(schema), .text(table))
        return .array((0..<found.count).map { row in .array((0..<found.width).map { .string(found.text(row, $0)) }) })
    }

    /// Each as SQL has it.
    private static let columns = """
        SELECT quote_ident(a.attname) || ' ' || format_type(a.atttypid, a.atttypmod)
        || coalesce((SELECT format(' COLLATE %I.%I', m.nspname, l.collname) FROM pg_collation l
        JOIN pg_namespace m ON m.oid = l.collnamespace WHERE l.oid = a.attcollation AND l.collname <> 'default'), '')
        || CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
        WHERE n.nspname = $1 AND c.relname = $2 AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
        ORDER BY a.attnum
        """

    /// What kind of index, and its columns.
    private static let indexes = """
        SELECT CASE WHEN i.indisprimary THEN 'primary' WHEN i.indisunique THEN 'unique' ELSE 'plain' END,
        string_agg(quote_ident(a.attname), ', ' ORDER BY k.place)
        FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_namespace n ON n.oid = c.relnamespace
        CROSS JOIN LATERAL unnest(i.indkey::smallint[]) WITH ORDINALITY k(attnum, place)
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.attnum
        WHERE n.nspname = $1 AND c.relname = $2 AND i.indisvalid AND i.indpred IS NULL AND i.indexprs IS NULL
        AND k.place <= i.indnkeyatts AND a.attgenerated = ''
        GROUP BY i.indexrelid, i.indisprimary, i.indisunique ORDER BY i.indexrelid
        """

    /// The column, as SQL has it, and the table that it refers to.
    private static let references = """
        SELECT quote_ident(a.attname), r.relname::text FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
        JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_class r ON r.oid = k.confrelid
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.conkey[1]
        WHERE n.nspname = $1 AND c.relname = $2 AND r.relnamespace = n.oid AND k.contype = 'f'
        AND cardinality(k.conkey) = 1 ORDER BY k.oid
        """

    // MARK: Making it again

    /// What makes the table in a schema, and what it gets when its rows are there; foreign keys come last.
    struct Statements {
        var table: String
        var keys: [String] = []
        /// With the tables to which they lead.
        var references: [(target: String, sql: String)] = []
    }

    static func statements(_ text: String, as table: String, in dialect: ServerDialect) -> Statements {
        let parts = StoredJSON(text)
        let list = { (name: String) in
            (parts?[name]?.elements ?? []).map { $0.elements?.compactMap(\.string) ?? [] }
        }
        let target = dialect.table(table)
        let columns = list("columns").compactMap(\.first)
        var statements = Statements(table: "CREATE TABLE \(target) (\(columns.joined(separator: ", ")))")
        for key in list("keys") where key.count == 2 {
            statements.keys.append(
                key[0] == "primary"
                    ? "ALTER TABLE \(target) ADD PRIMARY KEY (\(key[1]))"
                    : "CREATE \(key[0] == "unique" ? "UNIQUE " : "")INDEX ON \(target) (\(key[1]))")
        }
        for reference in list("references") where reference.count == 2 {
            let (column, other) = (reference[0], reference[1])
            let key = "ADD FOREIGN KEY (\(column)) REFERENCES \(dialect.table(other)) (\"objectID\")"
            statements.references.append(
                (other, "ALTER TABLE \(target) \(key) DEFERRABLE INITIALLY DEFERRED"))
        }
        return statements
    }
}
