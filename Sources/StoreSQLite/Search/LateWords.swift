import SluiceRecords
import SluiceSchema

/// What a run changes of texts whose words are searched: FTS5 gets it when all is written, in the order of the objectIDs.
///
/// FTS5 keeps what it is told in memory, and writes it down, as a segment that is merged with others later, once an
/// objectID is lower than the one before, and before each statement that could be undone by itself. By the triggers of the
/// store, that is once for each row that a run changes. So, while it changes a table, triggers of its connection alone note
/// which texts were there before, and those of the store are gone: nobody else sees that, as it is one transaction.
final class LateWords {
    /// Where more objects than one in so many have changed, the index is made anew.
    private static let share: Int64 = 2
    /// Of fewer, nobody counts what share they are.
    private static let few: Int64 = 10_000

    private let connection: Connection
    /// By the names of their tables: what can be late.
    private let sides: [FoldedName: SideIndex]
    /// What is late, in the order in which it began to be.
    private var late: [Noted] = []

    /// - Parameter sides: those that are there as they are wanted.
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
        let noted = Noted(side: side)
        for sql in noted.creation { try connection.execute(sql) }
        for trigger in side.statements.dropFirst() {
            try connection.execute("DROP TRIGGER main.\(quoted(trigger.name))")
        }
        late.append(noted)
    }

    /// Lets FTS5 know all that was written so far, and the store's triggers do so again. Returns whether there was anything.
    @discardableResult
    func settle() throws(Failure) -> Bool {
        let settled = late
        late = []
        for noted in settled {
            try tell(noted)
            for sql in noted.removal { try connection.execute(sql) }
            for trigger in noted.side.statements.dropFirst() { try connection.execute(trigger.sql) }
        }
        return !settled.isEmpty
    }

    private func tell(_ noted: Noted) throws(Failure) {
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
private struct Noted {
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
        // What was there first counts. OR IGNORE would give way to what the statement says that the trigger belongs to.
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

    /// In one statement, by objectID, and for each what goes before what comes: FTS5 then keeps all in memory that has room.
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
