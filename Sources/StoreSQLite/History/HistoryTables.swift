import SluiceRecords
import SluiceSchema

/// The tables in which a store keeps the past of its objects.
///
/// - `sluice_history`, one row: the number of the run to which changes belong, whether it is under way, and
///   before which run the past is forgotten.
/// - `sluice_history_object`: the tables of objects, each with the highest objectID that a run has given out, which no
///   other object ever gets, the highest one when the run under way began, and the view that sluice has made of it.
/// - `sluice_history_made`: which objectIDs a run gave out.
/// - `sluice_history_given`: the objectIDs that programs gave out (`is_new` is 1), and those of objects to which they
///   gave another identifier (0), and objects of which is forgotten on demand what they were before that run (2).
/// - `sluice_history_table`: each table whose past is kept, in one shape: what it was called, its columns, and from
///   which to which run it had them; and what all of that is called now. When a table gets another shape, all its rows
///   become past ones in the old shape.
/// - `sluice_history_model`: what `sluice_model` held before a run changed it.
/// - `sluice_history_N`: the past rows of the table with the number N. A row of the object `o` was true from the run
///   `f` until the run `r` ended it; `d` is 1 where the object went. Of links, all that an object had are kept
///   together: `n` counts them, and a row with 0 says that there is such a set.
/// - `sluice_history_place_N`: of the table of objects with the number N, where the record stood that created or
///   changed the object `o` in the run `r`: `at` is the source, and 65536 times the file.
enum HistoryTables {
    static let create = """
        CREATE TABLE IF NOT EXISTS sluice_history (
          one INTEGER PRIMARY KEY CHECK (one = 1), run INTEGER NOT NULL, is_open INTEGER NOT NULL,
          floor INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE IF NOT EXISTS sluice_history_object (
          number INTEGER PRIMARY KEY, highest INTEGER NOT NULL, before INTEGER NOT NULL, name TEXT NOT NULL, view TEXT
        ) STRICT;
        CREATE TABLE IF NOT EXISTS sluice_history_made (
          object INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, run INTEGER NOT NULL,
          PRIMARY KEY (object, first)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS sluice_history_given (
          object INTEGER NOT NULL, o INTEGER NOT NULL, run INTEGER NOT NULL, is_new INTEGER NOT NULL,
          PRIMARY KEY (object, o, run, is_new)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS sluice_history_table (
          number INTEGER PRIMARY KEY, object INTEGER NOT NULL, name TEXT NOT NULL, has_links INTEGER NOT NULL,
          columns TEXT NOT NULL, identifier TEXT NOT NULL, sql TEXT NOT NULL, since INTEGER NOT NULL,
          born INTEGER NOT NULL, until INTEGER, name_now TEXT NOT NULL, columns_now TEXT NOT NULL
        ) STRICT;
        CREATE TABLE IF NOT EXISTS sluice_history_model (
          run INTEGER NOT NULL, pipeline TEXT NOT NULL, name TEXT NOT NULL, description TEXT NOT NULL,
          since INTEGER NOT NULL, PRIMARY KEY (run, pipeline, name)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS sluice_history_change (run INTEGER PRIMARY KEY) STRICT;
        """

    /// All of these tables, except those of past rows and of places.
    static let names = [
        "sluice_history", "sluice_history_object", "sluice_history_made", "sluice_history_given",
        "sluice_history_table", "sluice_history_model", "sluice_history_change",
    ]

    /// - Parameter schema: what the connection calls the store.
    static func areThere(_ connection: Connection, in schema: String = "main") throws(Failure) -> Bool {
        try connection.hasTable("sluice_history", in: schema)
    }

    static func createPlace(_ object: Int64) -> String {
        """
        CREATE TABLE IF NOT EXISTS \(HistoryTable.place(object)) (
          r INTEGER NOT NULL, o INTEGER NOT NULL, at INTEGER NOT NULL, line INTEGER NOT NULL,
          "column" INTEGER NOT NULL, "offset" INTEGER NOT NULL, PRIMARY KEY (r, o)
        ) STRICT, WITHOUT ROWID
        """
    }
}

// The rows of `sluice_history_table`.
extension HistoryTable {
    static func all(_ connection: Connection, where condition: String = "true") throws(Failure) -> [HistoryTable] {
        try connection.rows(
            """
            SELECT number, object, name, has_links, columns, identifier, sql, since, born, until, name_now, columns_now
            FROM sluice_history_table WHERE \(condition) ORDER BY number
            """
        ) { row in
            HistoryTable(
                number: row.integer(0), object: row.integer(1), name: row.text(2), hasLinks: row.integer(3) != 0,
                columns: names(row.text(4)), identifier: names(row.text(5)), sql: row.text(6), since: row.integer(7),
                isBorn: row.integer(8) != 0, until: row.isNull(9) ? nil : row.integer(9), nameNow: row.text(10),
                columnsNow: names(row.text(11)))
        }
    }

    /// Inserts the row, except for its number, which the database gives; returns the number.
    static func insert(_ table: HistoryTable, _ connection: Connection) throws(Failure) -> Int64 {
        let insertion = try connection.prepare(
            """
            INSERT INTO sluice_history_table
              (object, name, has_links, columns, identifier, sql, since, born, name_now, columns_now)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?2, ?4) RETURNING number
            """)
        insertion.bind(1, table.object)
        insertion.bind(2, table.name)
        insertion.bind(3, table.hasLinks ? 1 : 0)
        insertion.bind(4, text(table.columns))
        insertion.bind(5, text(table.identifier))
        insertion.bind(6, table.sql)
        insertion.bind(7, table.since)
        insertion.bind(8, table.isBorn ? 1 : 0)
        guard let number = try insertion.insertedNumber() else { throw Failure(.defect, "a table got no number") }
        return number
    }

    /// Notes what the table is called from now on.
    func noteNames(_ connection: Connection) throws(Failure) {
        let update = try connection.prepare(
            "UPDATE sluice_history_table SET name_now = ?, columns_now = ? WHERE number = ?")
        update.bind(1, nameNow)
        update.bind(2, HistoryTable.text(columnsNow))
        update.bind(3, number)
        try update.run()
    }

    // No name holds a NUL.
    private static func text(_ names: [String]) -> String { names.joined(separator: "\u{0}") }

    private static func names(_ text: String) -> [String] { text.split(separator: "\u{0}").map { String($0) } }
}
