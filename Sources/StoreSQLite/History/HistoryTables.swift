import SluiceRecords
import SluiceSchema

/// The tables in which a store keeps the past of its objects.
///
/// - `sluice_history`, one row: the number of the run to which changes belong, whether it is under way, and
///   before which run the past is forgotten.
/// - `sluice_history_object`: the tables of objects, each with the highest objectID when the last run ended.
/// - `sluice_history_made`: which objectIDs a run gave out. An object that is deleted may leave its objectID to another.
/// - `sluice_history_table`: each table whose past is kept, in one shape: what it was called, its columns, and from which
///   to which run it had them. When a table gets another shape, all its rows become past ones in the old shape.
/// - `sluice_history_model`: what `sluice_model` held before a run changed it.
/// - `sluice_history_N`: the past rows of the table with the number N. `r` is the run in which a row ended, `o` its object.
///   Of links, all that an object had are kept together: `n` counts them, and a row with 0 says that there is such a set.
enum HistoryTables {
    static let create = """
        CREATE TABLE IF NOT EXISTS sluice_history (
          one INTEGER PRIMARY KEY CHECK (one = 1), run INTEGER NOT NULL, is_open INTEGER NOT NULL,
          floor INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE IF NOT EXISTS sluice_history_object (
          number INTEGER PRIMARY KEY, name TEXT NOT NULL, highest INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE IF NOT EXISTS sluice_history_made (
          object INTEGER NOT NULL, run INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,
          PRIMARY KEY (object, run, first)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS sluice_history_table (
          number INTEGER PRIMARY KEY, object INTEGER NOT NULL, name TEXT NOT NULL, has_links INTEGER NOT NULL,
          columns TEXT NOT NULL, sql TEXT NOT NULL, since INTEGER NOT NULL, born INTEGER NOT NULL, until INTEGER,
          before INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE IF NOT EXISTS sluice_history_model (
          run INTEGER NOT NULL, pipeline TEXT NOT NULL, name TEXT NOT NULL, description TEXT NOT NULL,
          since INTEGER NOT NULL, PRIMARY KEY (run, pipeline, name)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS sluice_history_change (run INTEGER PRIMARY KEY) STRICT;
        """

    /// But for those of the past rows.
    static let names = [
        "sluice_history", "sluice_history_object", "sluice_history_made", "sluice_history_table",
        "sluice_history_model", "sluice_history_change",
    ]

    static func areThere(_ connection: Connection) throws(Failure) -> Bool {
        try connection.integer("SELECT 1 FROM sqlite_schema WHERE name = 'sluice_history' AND type = 'table'") != nil
    }
}

/// A table whose past is kept, in one shape: a row of `sluice_history_table`.
struct HistoryTable {
    var number: Int64
    /// The number of the table of its objects, or of the objects whose links it has.
    var object: Int64
    var name: String
    var hasLinks: Bool
    /// All columns of the table that hold something, as it was.
    var columns: [String]
    /// What made it and its indexes.
    var sql: String
    /// The first run of which it is known what the table held when it ended.
    var since: Int64
    /// Whether there was no table before that run.
    var isBorn: Bool
    /// The run in which the table got another shape; nil: it has this one.
    var until: Int64?

    /// The table with the past rows.
    var past: String { "sluice_history_\(number)" }
    /// Names for its columns there: no name of a user's meets one of ours.
    var pastColumns: [String] { columns.indices.map { "c\($0 + 1)" } }
    /// The column that names the object.
    var owner: String { hasLinks ? "\"source\"" : "\"objectID\"" }

    /// Whether it had this shape when a run ended.
    func isValid(at run: Int64) -> Bool { since <= run && run < until ?? .max }

    /// Whether the store had no such table when a run ended.
    func isUnborn(at run: Int64) -> Bool { isBorn && run < since }

    static func all(_ connection: Connection, where condition: String = "true") throws(Failure) -> [HistoryTable] {
        let statement = try connection.prepare(
            """
            SELECT number, object, name, has_links, columns, sql, since, born, until FROM sluice_history_table
            WHERE \(condition) ORDER BY number
            """)
        var tables: [HistoryTable] = []
        while try statement.step() {
            tables.append(
                HistoryTable(
                    number: statement.integer(0), object: statement.integer(1), name: statement.text(2),
                    hasLinks: statement.integer(3) != 0,
                    columns: statement.text(4).split(separator: "\u{0}").map { String($0) },
                    sql: statement.text(5), since: statement.integer(6), isBorn: statement.integer(7) != 0,
                    until: statement.isNull(8) ? nil : statement.integer(8)))
        }
        return tables
    }
}
