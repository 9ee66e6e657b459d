import SluicePostgreSQL
import SluiceRecords
import SluiceSchema

/// The tables in which a store on a server keeps the past of its objects: those of SQLite's stores (see there), with
/// the types of columns besides, and names as JSON.
struct ServerHistoryTables {
    let connection: ServerConnection
    /// As SQL has it.
    let namespace: String

    /// All of these tables, except those of past rows and of places.
    static let names = [
        "sluice_history", "sluice_history_object", "sluice_history_made", "sluice_history_given",
        "sluice_history_table", "sluice_history_model", "sluice_history_change",
    ]

    func create() throws(Failure) {
        let text = "text COLLATE \"C\""
        let tables = [
            "sluice_history": """
            one bigint PRIMARY KEY CHECK (one = 1), run bigint NOT NULL, is_open bigint NOT NULL, floor bigint NOT NULL
            """,
            "sluice_history_object": """
            number bigint PRIMARY KEY, highest bigint NOT NULL, before bigint NOT NULL, name \(text) NOT NULL, view \(text)
            """,
            "sluice_history_made": """
            object bigint NOT NULL, first bigint NOT NULL, last bigint NOT NULL, run bigint NOT NULL,
            PRIMARY KEY (object, first)
            """,
            "sluice_history_given": """
            object bigint NOT NULL, o bigint NOT NULL, run bigint NOT NULL, is_new bigint NOT NULL,
            PRIMARY KEY (object, o, run, is_new)
            """,
            "sluice_history_table": """
            number bigint PRIMARY KEY, object bigint NOT NULL, name \(text) NOT NULL, has_links bigint NOT NULL,
            columns \(text) NOT NULL, types \(text) NOT NULL, identifier \(text) NOT NULL, sql \(text) NOT NULL,
            since bigint NOT NULL, born bigint NOT NULL, until bigint, name_now \(text) NOT NULL,
            columns_now \(text) NOT NULL
            """,
            "sluice_history_model": """
            run bigint NOT NULL, pipeline \(text) NOT NULL, name \(text) NOT NULL, description \(text) NOT NULL,
            since bigint NOT NULL, PRIMARY KEY (run, pipeline, name)
            """,
            "sluice_history_change": "run bigint PRIMARY KEY",
        ]
        for (name, columns) in tables.sorted(by: { $0.key < $1.key }) {
            try connection.write("CREATE TABLE \(named(name)) (\(columns))")
        }
    }

    func createPlace(_ object: Int64, hasKey: Bool) throws(Failure) {
        try connection.write(
            """
            CREATE TABLE IF NOT EXISTS \(named(HistoryTable.place(object))) (
              r bigint NOT NULL, o bigint NOT NULL, at bigint NOT NULL, line bigint NOT NULL,
              "column" bigint NOT NULL, "offset" bigint NOT NULL\(hasKey ? ", PRIMARY KEY (r, o)" : ""))
            """)
    }

    /// Gives the places of a table their key, when all are there.
    ///
    /// - Parameter mayRepeat: whether an object may be noted twice: then the last one counts.
    func keyPlace(_ object: Int64, mayRepeat: Bool) throws(Failure) {
        let table = named(HistoryTable.place(object))
        if mayRepeat {
            try connection.write("DELETE FROM \(table) p USING \(table) q WHERE p.o = q.o AND p.ctid < q.ctid")
        }
        try connection.write("ALTER TABLE \(table) ADD PRIMARY KEY (r, o)")
    }

    func areThere() throws(Failure) -> Bool {
        return try connection.query("SELECT to_regclass($1) IS NOT NULL", .text(named("sluice_history"))).boolean(0, 0)
    }

    func named(_ table: String) -> String { namespace + "." + table }

    // MARK: Rows

    /// All tables whose past is kept, in all their shapes, the oldest first.
    func all() throws(Failure) -> [HistoryTable] {
        let found = try connection.query(
            """
            SELECT number, object, name, has_links, columns, types, identifier, sql, since, born, until, name_now,
            columns_now FROM \(named("sluice_history_table")) ORDER BY number
            """)
        return (0..<found.count).map { row in
            HistoryTable(
                number: found.integer(row, 0), object: found.integer(row, 1), name: found.text(row, 2),
                hasLinks: found.integer(row, 3) != 0, columns: names(found.text(row, 4)),
                types: names(found.text(row, 5)), identifier: names(found.text(row, 6)), sql: found.text(row, 7),
                since: found.integer(row, 8), isBorn: found.integer(row, 9) != 0,
                until: found.isNull(row, 10) ? nil : found.integer(row, 10), nameNow: found.text(row, 11),
                columnsNow: names(found.text(row, 12)))
        }
    }

    /// Inserts a row, except for its number, which the server gives; returns the number.
    func insert(_ table: HistoryTable) throws(Failure) -> Int64 {
        let texts = [table.name, json(table.columns), json(table.types), json(table.identifier), table.sql]
        let rows = named("sluice_history_table")
        return try connection.query(
            """
            INSERT INTO \(rows)
              (number, object, name, has_links, columns, types, identifier, sql, since, born, name_now, columns_now)
            SELECT coalesce(max(number), 0) + 1, \(table.object), $1, \(table.hasLinks ? 1 : 0), $2, $3, $4, $5,
            \(table.since), \(table.isBorn ? 1 : 0), $1, $2 FROM \(rows) RETURNING number
            """, values: texts.map { .text($0) }
        ).integer(0, 0)
    }

    /// Notes what a table is called from now on.
    func noteNames(_ table: HistoryTable) throws(Failure) {
        try connection.write(
            "UPDATE \(named("sluice_history_table")) SET name_now = $1, columns_now = $2 WHERE number = $3",
            .text(table.nameNow), .text(json(table.columnsNow)), .integer(table.number))
    }

    /// Notes that a table has had another shape until a run, and what made it.
    func close(_ number: Int64, until run: Int, sql: String) throws(Failure) {
        try connection.write(
            "UPDATE \(named("sluice_history_table")) SET until = \(run), sql = $1 WHERE number = \(number)", .text(sql))
    }

    private func json(_ names: [String]) -> String { StoredJSON.array(names.map { .string($0) }).canonicalText }

    private func names(_ json: String) -> [String] { StoredJSON(json)?.elements?.compactMap(\.string) ?? [] }
}
