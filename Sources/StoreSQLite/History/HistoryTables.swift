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

    static func createPlace(_ object: Int64) -> String {
        """
        CREATE TABLE IF NOT EXISTS \(HistoryTable.place(object)) (
          r INTEGER NOT NULL, o INTEGER NOT NULL, at INTEGER NOT NULL, line INTEGER NOT NULL,
          "column" INTEGER NOT NULL, "offset" INTEGER NOT NULL, PRIMARY KEY (r, o)
        ) STRICT, WITHOUT ROWID
        """
    }
}
