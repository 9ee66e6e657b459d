import SluiceRecords
import SluiceSchema

/// The changes of a run to texts whose words are indexed: FTS5 gets them when all is written, in the order of the
/// objectIDs.
///
/// FTS5 keeps changes in memory, and writes them as a segment, which is merged with others later, once an objectID is
/// lower than the one before, and before each statement that could be undone by itself. With the triggers of the store,
/// that happens for each row that a run changes. So, while a run changes a table, temporary triggers of its connection
/// note the earlier texts, and those of the store are dropped: no reader sees that, as it is one transaction.
final class LateWords {
    /// The index is made anew where more than one in so many objects have changed.
    private static let share: Int64 = 2
    /// Fewer changed objects than this are written without counting all objects.
    private static let few: Int64 = 10_000

    private let connection: Connection
    /// By the names of their tables: what can be late.
    private let sides: [FoldedName: SideIndex]
    /// The tables whose changes FTS5 has not got yet, in the order in which they were first changed.
    private var late: [ChangedTexts] = []

    /// - Parameter sides: those that are there in the shape that is wanted.
    init(_ connection: Connection, _ sides: [SideIndex]) {
        self.connection = connection
        let words = sides.filter { $0.fill != nil }
        self.sides = Dictionary(words.map { (FoldedName($0.table), $0) }) { first, _ in first }
    }

    /// To be called before a statement is prepared that writes to a table.
    ///
    /// - Parameter columns: those that it writes; nil: whole rows.
    func begin(_ table: String, writing columns: [String]? = nil) throws(Failure) {
        guard let side = sides[FoldedName(table)], !late.contains(where: { $0.side.name == side.name }) else { return }
        let isSearched = { (column: String) in side.columns.contains { $0.isSameName(as: column) } }
        if let columns, !columns.contains(where: isSearched) { return }
        let noted = ChangedTexts(side: side)
        for sql in noted.creation { try connection.execute(sql) }
        for trigger in side.statements.dropFirst() {
            try connection.execute("DROP TRIGGER main.\(quoted(trigger.name))")
        }
        late.append(noted)
    }

    /// Gives FTS5 all changes so far, and makes the store's triggers again. Returns whether there were any changes.
    @discardableResult
    func write() throws(Failure) -> Bool {
        let written = late
        late = []
        for noted in written {
            try apply(noted)
            for sql in noted.removal { try connection.execute(sql) }
            for trigger in noted.side.statements.dropFirst() { try connection.execute(trigger.sql) }
        }
        return !written.isEmpty
    }

    private func apply(_ noted: ChangedTexts) throws(Failure) {
        guard let count = try connection.integer("SELECT count(*) FROM temp.\(quoted(noted.name))"), count > 0 else {
            return
        }
        if let fill = noted.side.fill, count > LateWords.few {
            let all = try connection.integer("SELECT count(*) FROM main.\(quoted(noted.side.table))") ?? 0
            if count > all / LateWords.share { return try connection.execute(fill) }
        }
        try connection.execute(noted.telling)
    }
}

/// The objects of a table that were written to, each with the texts that it had before, if it was there.
private struct ChangedTexts {
    let side: SideIndex
    /// The table of the connection that has them.
    var name: String { side.name + "_late" }

    private var texts: [String] { side.columns.indices.map { "text\($0)" } }

    private func list(_ row: String, _ columns: [String]) -> String {
        columns.map { ", \(row)\(quoted($0))" }.joined()
    }

    private func trigger(_ kind: String) -> String { quoted("\(name)_\(kind)") }

    /// The table may be there still, and is empty then.
    var creation: [String] {
        let (table, noted) = ("main.\(quoted(side.table))", quoted(name))
        let columns = ([#""objectID""#] + side.columns.map(quoted))
        let differs = columns.map { "OLD.\($0) IS NOT NEW.\($0)" }.joined(separator: " OR ")
        // The first text counts. OR IGNORE would be overridden by the conflict clause of the statement that fires the
        // trigger.
        let isNoted = "ON CONFLICT (\"objectID\") DO NOTHING;"
        let new = "INSERT INTO \(noted) (\"objectID\", was) VALUES (NEW.\"objectID\", 0) \(isNoted)"
        let old = """
            INSERT INTO \(noted) ("objectID", was\(list("", texts)))
            VALUES (OLD."objectID", 1\(list("OLD.", side.columns))) \(isNoted)
            """
        return [
            """
            CREATE TEMP TABLE IF NOT EXISTS \(noted) (
            "objectID" INTEGER PRIMARY KEY, was INTEGER NOT NULL\(texts.map { ", \($0) TEXT" }.joined()))
            """,
            "CREATE TEMP TRIGGER \(trigger("insert")) AFTER INSERT ON \(table) BEGIN \(new) END",
            "CREATE TEMP TRIGGER \(trigger("delete")) AFTER DELETE ON \(table) BEGIN \(old) END",
            """
            CREATE TEMP TRIGGER \(trigger("update")) AFTER UPDATE OF \(columns.joined(separator: ", ")) ON \(table)
            WHEN \(differs) BEGIN \(old) \(new) END
            """,
        ]
    }

    var removal: [String] {
        ["insert", "delete", "update"].map { "DROP TRIGGER temp.\(trigger($0))" } + ["DELETE FROM temp.\(quoted(name))"]
    }

    /// One statement by objectID, with the removed text of each object before the new one: then FTS5 keeps in memory
    /// all that has room there.
    var telling: String {
        let index = quoted(side.name)
        return """
            INSERT INTO main.\(index) (\(index), rowid\(list("", side.columns)))
            SELECT kind, "objectID"\(list("", texts)) FROM (
              SELECT 'delete' AS kind, "objectID"\(list("", texts)) FROM temp.\(quoted(name)) WHERE was
              UNION ALL
              SELECT NULL, t."objectID"\(list("t.", side.columns))
              FROM temp.\(quoted(name)) n CROSS JOIN main.\(quoted(side.table)) t ON t."objectID" = n."objectID")
            ORDER BY "objectID", kind IS NULL
            """
    }
}
