import SluicePostgreSQL
import SluiceRecords
import SluiceSchema

/// The tables of a schema on a server.
final class ServerCatalog: StoreCatalog {
    private let connection: ServerConnection
    private let schema: String
    /// The answers to the queries that were sent.
    private var sent: (schema: ServerAnswer, columns: ServerAnswer, indexes: ServerAnswer)?
    private var tables: [ExactText: StoredTable]?
    /// By their names in whatever letters: to a definition, these are the same.
    private var folded: [FoldedName: StoredTable] = [:]
    /// Other things with names that no table can have then: what each of them is.
    private var others: [ExactText: String] = [:]

    init(_ connection: ServerConnection, _ schema: String) {
        self.connection = connection
        self.schema = schema
    }

    var name: String { connection.name }
    var dialect: any Dialect { ServerDialect(namespace: namespace) }
    private var namespace: ServerNamespace { ServerNamespace(schema) }
    var mostColumns: Int { 1600 }

    /// Whether there is a ledger: a store that has one was made by sluice.
    var hasLedger: Bool { get throws(Failure) { try table("sluice_run") != nil } }

    /// Those of the tool's own tables that are there.
    func ownTables() throws(Failure) -> Set<String> {
        var names: Set<String> = []
        for name in ServerCatalog.own.keys where try table(name) != nil { names.insert(name) }
        return names
    }

    func hasSchema() throws(Failure) -> Bool {
        try connection.rows(of: answers().schema).count > 0
    }

    func table(_ name: String) throws(Failure) -> StoredTable? {
        let tables = try all()
        if let table = tables[ExactText(name)] ?? folded[FoldedName(name)] { return table }
        guard let other = others[ExactText(name)] else { return nil }
        throw Failure(.definition, "the store \(self.name) has a \(other) named \(name), where a table is needed")
    }

    func kind(of name: String) throws(Failure) -> String? {
        if try all()[ExactText(name)] != nil { return "table" }
        return others[ExactText(name)]
    }

    func pastViews() throws(Failure) -> [String] { try HistoryKeeper(ServerHistory(connection, schema)).viewNames() }

    func markedViews() throws(Failure) -> [String] {
        guard try all().isEmpty == false, others.values.contains("view") else { return [] }
        let past = try pastViews()
        return try ServerViews.marked(connection, schema).filter { name in !past.contains { $0.isIdentical(to: name) } }
    }

    func holdsRows(_ table: String) throws(Failure) -> Bool {
        try connection.query("SELECT 1 FROM \(namespace.named(table)) LIMIT 1").count > 0
    }

    func holdsRows(_ table: String, where condition: String) throws(Failure) -> Bool {
        try connection.query("SELECT 1 FROM \(namespace.named(table)) WHERE \(condition) LIMIT 1").count > 0
    }

    func scan(_ table: String, _ columns: [FormColumn]) throws(Failure) -> FormScan {
        try ServerFormScan(connection: connection, table: namespace.named(table), columns: columns).run()
    }

    func twins(_ table: String, _ key: ChangingKey) throws(Failure) -> FormTwins? {
        try ServerTwinSearch(connection: connection, table: namespace.named(table), key: key).run()
    }

    /// The columns that each version of sluice has given its own tables.
    private static let own: [String: [String]] = {
        let common = [OwnTable.unresolved, .stub, .model, .changed, .fingerprint, .fetch, .history]
        let columns = common.map { ($0.name, $0.columns) } + [("sluice_run", ["run", "pipeline", "started", "status"])]
        return Dictionary(uniqueKeysWithValues: columns)
    }()

    func checkOwnTables() throws(Failure) {
        for (name, columns) in ServerCatalog.own.sorted(by: { $0.key < $1.key }) {
            guard let table = try table(name), let missing = columns.first(where: { table.column($0) == nil }) else {
                continue
            }
            throw Failure(
                .definition,
                "the store \(self.name) has a table \(name) that sluice has not made: it has no column \(missing); give it"
                    + " another name")
        }
    }

    /// Throws where deletions would leave rows that refer to nothing: `pg_restore --disable-triggers` disables foreign
    /// keys with all other triggers, and leaves them so where it is stopped.
    ///
    /// - Parameter schema: whose tables and link tables are looked at.
    func checkForeignKeys(_ schema: Schema) throws(Failure) {
        let entities = schema.model.entities
        let tables = entities.map(\.table) + entities.flatMap { schema.linkTables(of: $0).map(\.name) }
        let found = try connection.rows(of: answers().schema)
        let disabled = (0..<found.count).compactMap { found.optionalText($0, 0) }
        guard let table = disabled.first(where: tables.containsExactly) else { return }
        throw Failure(
            .definition,
            "the foreign keys of the table \(table) of the store \(name) do not act, as its triggers are disabled: ALTER TABLE"
                + " \(quoted(self.schema)).\(quoted(table)) ENABLE TRIGGER ALL enables them")
    }

    func modelRows() throws(Failure) -> [ModelRow] {
        guard try table("sluice_model") != nil else { return [] }
        let found = try connection.query(
            "SELECT pipeline, entity, description FROM \(namespace).sluice_model ORDER BY pipeline, entity")
        var rows: [ModelRow] = []
        for row in 0..<found.count {
            rows.append(try ModelRow(found.text(row, 0), found.text(row, 1), found.text(row, 2), in: name))
        }
        return rows
    }

    // MARK: Reading

    /// Asks for all tables at once: the way to the server and back takes its time. The code that needs the answer waits
    /// for it.
    func sendQueries() throws(Failure) {
        sent = (
            try connection.sendQuery(ServerCatalog.schema, .text(schema)),
            try connection.sendQuery(ServerCatalog.columns, .text(schema)),
            try connection.sendQuery(ServerCatalog.indexes, .text(schema))
        )
    }

    private func answers() throws(Failure) -> (schema: ServerAnswer, columns: ServerAnswer, indexes: ServerAnswer) {
        if let sent { return sent }
        try sendQueries()
        guard let sent else { throw connection.damage("nothing was asked") }
        return sent
    }

    private func all() throws(Failure) -> [ExactText: StoredTable] {
        if let tables { return tables }
        var columns: [ExactText: [StoredTable.Column]] = [:]
        var indexes: [ExactText: [StoredTable.Index]] = [:]
        let sent = try answers()
        let foundColumns = try connection.rows(of: sent.columns)
        for row in 0..<foundColumns.count {
            if let other = foundColumns.optionalText(row, 5) {
                others[ExactText(foundColumns.text(row, 0))] = other
                continue
            }
            columns[ExactText(foundColumns.text(row, 0)), default: []].append(
                .init(
                    name: foundColumns.text(row, 1), type: foundColumns.text(row, 2),
                    references: foundColumns.optionalText(row, 3), keyPlace: Int(foundColumns.integer(row, 4)),
                    looseCollation: foundColumns.optionalText(row, 6)))
        }
        let foundIndexes = try connection.rows(of: sent.indexes)
        for row in 0..<foundIndexes.count {
            let (table, index) = (ExactText(foundIndexes.text(row, 0)), foundIndexes.text(row, 1))
            let column = foundIndexes.text(row, 4)
            if var last = indexes[table]?.last, last.name.isIdentical(to: index) {
                last.columns.append(column)
                indexes[table]?.removeLast()
                indexes[table]?.append(last)
            } else {
                indexes[table, default: []].append(
                    .init(
                        name: index, isUnique: foundIndexes.boolean(row, 2), isPartial: foundIndexes.boolean(row, 3),
                        columns: [column]))
            }
        }
        var found: [ExactText: StoredTable] = [:]
        for (name, columns) in columns {
            found[name] = StoredTable(name: name.string, columns: columns, indexes: indexes[name] ?? [])
        }
        tables = found
        for table in found.values { folded[FoldedName(table.name)] = table }
        return found
    }

    /// A row for the schema, or for each of its tables whose foreign keys are disabled.
    private static let schema = """
        SELECT d.relname FROM pg_namespace n LEFT JOIN LATERAL (
          SELECT DISTINCT c.relname::text FROM pg_class c JOIN pg_trigger t ON t.tgrelid = c.oid
          WHERE c.relnamespace = n.oid AND t.tgisinternal AND t.tgenabled NOT IN ('O', 'A')) d ON true
        WHERE n.nspname = $1
        """

    /// What the server itself gives a value cannot be written: that is told as a type of its own.
    private static let columns = """
        SELECT c.relname::text, a.attname::text, format_type(a.atttypid, a.atttypmod)
        || CASE WHEN a.attgenerated <> '' OR a.attidentity = 'a' THEN ' GENERATED ALWAYS' ELSE '' END,
        (SELECT r.relname::text FROM pg_constraint k JOIN pg_class r ON r.oid = k.confrelid
        WHERE k.conrelid = c.oid AND k.contype = 'f' AND k.conkey = ARRAY[a.attnum] LIMIT 1),
        coalesce((SELECT array_position(k.conkey, a.attnum) FROM pg_constraint k
        WHERE k.conrelid = c.oid AND k.contype = 'p'), 0),
        CASE c.relkind WHEN 'v' THEN 'view' WHEN 'm' THEN 'materialized view' WHEN 'f' THEN 'foreign table'
        WHEN 'S' THEN 'sequence' WHEN 'c' THEN 'type' END,
        (SELECT l.collname::text FROM pg_collation l WHERE l.oid = a.attcollation AND NOT l.collisdeterministic)
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
        WHERE n.nspname = $1 AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S', 'c') AND a.attnum > 0 AND NOT a.attisdropped
        ORDER BY c.oid, a.attnum
        """

    private static let indexes = """
        SELECT c.relname::text, x.relname::text, i.indisunique, i.indpred IS NOT NULL OR i.indexprs IS NOT NULL
        OR EXISTS (SELECT 1 FROM pg_collation l WHERE l.oid = ANY(i.indcollation::oid[]) AND NOT l.collisdeterministic
        AND NOT EXISTS (SELECT 1 FROM pg_attribute b WHERE b.attrelid = c.oid AND b.attcollation = l.oid)),
        coalesce(a.attname::text, '')
        FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_class x ON x.oid = i.indexrelid
        JOIN pg_namespace n ON n.oid = c.relnamespace
        CROSS JOIN LATERAL unnest(i.indkey::smallint[]) WITH ORDINALITY k(attnum, place)
        LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.attnum
        WHERE n.nspname = $1 AND i.indisvalid AND k.place <= i.indnkeyatts ORDER BY i.indexrelid, k.place
        """
}
