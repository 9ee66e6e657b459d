import SluicePostgreSQL
import SluiceRecords
import SluiceSchema

// A store on a server, as its history is written.
//
// Triggers are made and dropped in the transaction in which tables get another shape: others can write to the tables
// while a run goes on.
extension ServerHistory: HistoryDatabase {
    /// The condition for runs that the ledger may forget, as SQL.
    var forgettable: String { "run < (SELECT floor FROM \(dialect.ownTable("sluice_history")))" }

    // MARK: Statements

    func write(_ sql: String, _ values: [PastValue]) throws(Failure) {
        if values.isEmpty { return try connection.write(sql) }
        try connection.write(sql, values: values.map { ServerValue($0) })
    }

    func change(_ sql: String, _ values: [PastValue]) throws(Failure) -> Int {
        try connection.query(sql, values: values.map { ServerValue($0) }).changed
    }

    func fewRows(
        _ sql: String, _ values: [PastValue], each: (any PastRow) throws(Failure) -> Void
    ) throws(Failure) {
        try hand(out: connection.query(sql, values: values.map { ServerValue($0) }), to: each)
    }

    // MARK: Tables

    func create(_ table: OwnTable) throws(Failure) {
        try connection.write(ServerSchema.create(table, namespace))
    }

    /// Gives the places of a table of objects their key, when all are there.
    ///
    /// - Parameter mayRepeat: whether an object may be recorded twice: then the last one counts.
    func keyPlace(_ object: Int64, mayRepeat: Bool) throws(Failure) {
        let table = dialect.ownTable(HistoryTable.place(object))
        if mayRepeat {
            try connection.write("DELETE FROM \(table) p USING \(table) q WHERE p.o = q.o AND p.ctid < q.ctid")
        }
        try connection.write("ALTER TABLE \(table) ADD PRIMARY KEY (r, o)")
    }

    var keepsTypes: Bool { true }

    func joined(_ names: [String]) -> String { StoredJSON.array(names.map { .string($0) }).canonicalText }

    func names(in text: String) -> [String] { StoredJSON(text)?.elements?.compactMap(\.string) ?? [] }

    func shapes() throws(Failure) -> any TableShapes { try ServerShapes(connection, schema) }

    func tables(_ names: [String]) throws(Failure) -> [StoredTable?] {
        let catalog = ServerCatalog(connection, schema)
        return try names.map { name throws(Failure) in try catalog.table(name) }
    }

    func text(of table: String) throws(Failure) -> String { try ServerTableText(connection, schema).text(of: table) }

    /// Indexes and foreign keys come late, and the table is described when it gets another shape.
    func earlyText(of table: String) -> String { "" }

    func lock(_ table: String) throws(Failure) {
        try connection.write("LOCK TABLE \(dialect.table(table)) IN ACCESS EXCLUSIVE MODE")
    }

    /// To drop one would wait for the readers of its view.
    var dropsForgottenShapes: Bool { false }

    // MARK: Rows

    /// A setting of the session tells the triggers which objects the run makes.
    func beginRun() {}

    private func serverTriggers(_ table: HistoryTable) -> ServerHistoryTriggers {
        ServerHistoryTriggers(table: table, dialect: ServerDialect(namespace: namespace), schema: schema)
    }

    func triggers(of table: HistoryTable) -> any HistoryTriggers { serverTriggers(table) }

    func createTriggers(of tables: [HistoryTable]) throws(Failure) {
        let found = try connection.query(
            """
            SELECT t.tgname::text,
              ('\(ServerHistoryTriggers.functionSetting)' = ANY (p.proconfig)) IS NOT TRUE AND pg_has_role(p.proowner, 'USAGE')
            FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid
            JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND t.tgname LIKE 'sluice\\_history\\_%'
            """, .text(schema))
        let names = (0..<found.count).map { (ExactText(found.text($0, 0)), found.boolean($0, 1)) }
        let signs = Dictionary(names) { first, _ in first }
        for triggers in tables.map(serverTriggers) {
            switch signs[ExactText(triggers.sign)] {
            case nil: try write(triggers.create)
            case true?: try write(triggers.replaceFunctions)
            case false?: break
            }
        }
    }

    /// Enables those that somebody has disabled, as before a bulk load: without them the past would be lost.
    func enableTriggers() throws(Failure) {
        let found = try connection.query(
            """
            SELECT c.relname::text, t.tgname::text FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
            JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname = $1 AND t.tgname LIKE 'sluice\\_%' AND t.tgenabled NOT IN ('O', 'A')
            """, .text(schema))
        for row in 0..<found.count {
            let table = dialect.table(found.text(row, 0))
            try connection.write("ALTER TABLE \(table) ENABLE TRIGGER \(quoted(found.text(row, 1)))")
        }
    }

    private static let comparable: Set<String> = [
        "bigint", "boolean", "bytea", "date", "double precision", "integer", "text", "timestamp with time zone",
    ]

    /// Whether values of a type, as the server writes it, can be compared with one another.
    private static func isComparable(_ type: String) -> Bool { comparable.contains(type) || type.hasPrefix("numeric") }

    func dropUnchanged(_ table: HistoryTable, run: Int) throws(Failure) {
        let pairs = zip(zip(table.pastColumns, table.columns), table.types).map { names, type in
            // JSON has no equality of its own, nor have types of others, where it is found.
            let text = ServerHistory.isComparable(type) ? "" : "::text"
            return " AND t.\(quoted(names.1))\(text) IS NOT DISTINCT FROM p.\(names.0)\(text)"
        }
        try connection.write(
            """
            DELETE FROM \(dialect.ownTable(table.past)) p USING \(dialect.table(table.name)) t
            WHERE p.r = \(run) AND t."objectID" = p.o\(pairs.joined()) AND NOT EXISTS (
              SELECT 1 FROM \(dialect.ownTable("sluice_history_given")) g WHERE g.object = \(table.object) AND g.o = p.o
              AND g.run = \(run))
            """)
    }

    // MARK: Views

    private var views: ServerViews {
        ServerViews(connection: connection, schema: schema, namespace: namespace, descriptions: [], grants: grants)
    }

    func removeView(_ name: String) throws(Failure) {
        if try views.isOwn(name) { try views.remove([name]) }
    }

    func makeView(
        _ name: String, _ sql: String, of tables: [String], insteadOf earlier: String?
    ) throws(Failure) -> Bool {
        let catalog = ServerCatalog(connection, schema)
        guard try views.areThere(tables, catalog), try views.isFree(name) else { return false }
        try views.make(name, sql)
        if let earlier, !earlier.isIdentical(to: name) { try removeView(earlier) }
        return true
    }
}

/// The ordinary tables of a schema, as they were when this was made.
private struct ServerShapes: TableShapes {
    private var tables: [ExactText: [(name: String, type: String?)]] = [:]

    init(_ connection: ServerConnection, _ schema: String) throws(Failure) {
        let found = try connection.query(
            """
            SELECT c.relname::text, a.attname::text, format_type(a.atttypid, a.atttypmod)
            FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
            WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped
            AND a.attgenerated = '' ORDER BY c.oid, a.attnum
            """, .text(schema))
        for row in 0..<found.count {
            tables[ExactText(found.text(row, 0)), default: []].append((found.text(row, 1), found.text(row, 2)))
        }
    }

    func columns(of table: String) -> [(name: String, type: String?)]? { tables[ExactText(table)] }
}
