import SluicePostgreSQL
import SluiceRecords
import SluiceSchema

/// The tables in which a store on a server keeps the past of its objects: those of SQLite's stores (see there), with
/// the types of columns besides, and names as JSON.
struct ServerHistoryTables {
    let connection: ServerConnection
    /// As SQL has it.
    let namespace: String

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
}
