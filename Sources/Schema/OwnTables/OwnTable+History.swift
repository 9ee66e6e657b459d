// The tables in which a store keeps the past of its objects. Besides these, there are `sluice_history_N`, with the past
// rows of the table with the number N. A row of the object `o` was true from the run `f` until the run `r` ended it;
// `d` is 1 where the object went. Of links, all that an object had are kept together: `n` counts them, and a row with 0
// says that there is such a set.
extension OwnTable {
    /// All of them, except those of past rows and of places.
    ///
    /// - Parameter hasTypes: whether the store keeps the types of columns.
    package static func history(hasTypes: Bool) -> [OwnTable] {
        [history, historyObject, historyMade, historyGiven, historyTable(hasTypes), historyModel, historyChange]
    }

    /// One row: the number of the run to which changes belong, whether it is under way, and before which run the past
    /// is forgotten.
    package static let history = OwnTable(
        "sluice_history", [.integer("one", " PRIMARY KEY CHECK (one = 1)"), .integer("run"), .integer("is_open")],
        [.integer("floor")])

    /// The tables of objects, each with the highest objectID that a run has given out, which no other object ever gets,
    /// the highest one when the run under way began, and the view that sluice has made of it.
    private static let historyObject = OwnTable(
        "sluice_history_object",
        [.integer("number", " PRIMARY KEY"), .integer("highest"), .integer("before"), .text("name"), .text("view", "")])

    /// Which objectIDs a run gave out.
    private static let historyMade = OwnTable(
        "sluice_history_made", ["object", "first", "last", "run"].map { .integer($0) }, [.key(["object", "first"])])

    /// The objectIDs that programs gave out (`is_new` is 1), and those of objects to which they gave another identifier
    /// (0), and objects of which is forgotten what they were before that run: on demand (2), or since the past is kept
    /// for a time only (3).
    private static let historyGiven = OwnTable(
        "sluice_history_given", ["object", "o", "run", "is_new"].map { .integer($0) },
        [.key(["object", "o", "run", "is_new"])])

    /// Each table whose past is kept, in one shape: what it was called, its columns, and from which to which run it had
    /// them; and what all of that is called now. When a table gets another shape, all its rows become past ones in the
    /// old shape.
    private static func historyTable(_ hasTypes: Bool) -> OwnTable {
        OwnTable(
            "sluice_history_table",
            [.integer("number", " PRIMARY KEY"), .integer("object"), .text("name"), .integer("has_links")],
            (["columns"] + (hasTypes ? ["types"] : []) + ["identifier", "sql"]).map { .text($0) } + [.integer("since")],
            [.integer("born"), .integer("until", ""), .text("name_now"), .text("columns_now")])
    }

    /// What `sluice_model` held before a run changed it.
    private static let historyModel = OwnTable(
        "sluice_history_model", [.integer("run"), .text("pipeline"), .text("name"), .text("description")],
        [.integer("since"), .key(["run", "pipeline", "name"])])

    /// The runs that changed it.
    private static let historyChange = OwnTable("sluice_history_change", [.integer("run", " PRIMARY KEY")])

    /// Of the table of objects with a number, where the record stood that created or changed the object `o` in the run
    /// `r`: `at` is the source, and 65536 times the file.
    package static func historyPlace(_ object: Int64, hasKey: Bool) -> OwnTable {
        OwnTable(
            HistoryTable.place(object), ["r", "o", "at", "line"].map { .integer($0) },
            ["column", "offset"].map { .integer($0) } + (hasKey ? [.key(["r", "o"])] : []))
    }
}
