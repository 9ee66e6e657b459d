import SluiceSchema

/// The triggers that keep what is changed or deleted. They belong to the store, so that the writes of all programs are
/// kept.
///
/// Their statements have no conflict clause: SQLite would apply that of the statement which fires them instead.
struct SQLiteHistoryTriggers: HistoryTriggers {
    let table: HistoryTable

    /// What the names of triggers that are sluice's own begin with, as a pattern.
    static let names = "sluice\\_history\\_%"
    private static let run = "(SELECT run FROM sluice_history)"

    /// The table of past rows, with one place for each run and object: a run may change an object several times, and
    /// what the object was before the run is kept once.
    var createPast: [String] {
        let columns = table.keptColumns.map { ", \($0.past)" }.joined()
        if table.hasLinks {
            return [
                """
                CREATE TABLE \(table.past) (
                  r INTEGER NOT NULL, o INTEGER NOT NULL, n INTEGER NOT NULL, f INTEGER\(columns), PRIMARY KEY (r, o, n)
                ) WITHOUT ROWID
                """, "CREATE INDEX \(table.past)_o ON \(table.past) (o) WHERE n = 0",
            ]
        }
        let identifier = table.pastIdentifier.isEmpty ? "o" : table.pastIdentifier.joined(separator: ", ")
        return [
            """
            CREATE TABLE \(table.past) (
              r INTEGER NOT NULL, o INTEGER NOT NULL, f INTEGER NOT NULL, d INTEGER\(columns), PRIMARY KEY (r, o)
            ) WITHOUT ROWID
            """, "CREATE INDEX \(table.past)_i ON \(table.past) (\(identifier))",
            "CREATE INDEX \(table.past)_d ON \(table.past) (o) WHERE d = 1",
        ]
    }

    private func name(_ event: String) -> String { "\(table.past)_\(event)" }

    private func drop(_ events: [String]) -> [String] { events.map { "DROP TRIGGER IF EXISTS \(name($0))" } }

    func drop(isThere: Bool) -> [String] { drop(["update", "delete", "insert", "identify"]) }

    /// While a run is under way, new objects need no trigger: the run knows which objectIDs it has given out.
    var dropOfNew: [String] { table.hasLinks ? [] : drop(["insert"]) }

    /// For the time in which a run itself keeps what it changes and deletes.
    var dropOfChanges: [String] { drop(["update", "delete"]) }

    var create: [String] {
        if table.hasLinks { return ["update", "delete", "insert"].map(keepLinks) }
        return [keepChanged, keepDeleted] + (table.identifier.isEmpty ? [] : [noteIdentified])
    }

    // MARK: Objects

    /// Between runs, a program may give an object any objectID, be it one that another has had.
    var createOfNew: String {
        if table.hasLinks { return "" }
        return """
            CREATE TRIGGER IF NOT EXISTS \(name("insert")) AFTER INSERT ON \(quoted(table.name))
            WHEN NOT \(isMade("NEW.\"objectID\""))
            BEGIN
              \(note("NEW.\"objectID\"", isNew: true))
            END;
            """
    }

    private var keepChanged: String {
        let owner = "OLD.\"objectID\""
        return """
            CREATE TRIGGER IF NOT EXISTS \(name("update")) BEFORE UPDATE ON \(quoted(table.name))
            WHEN \(hadShape) AND \(isOlder(owner)) AND NOT \(isKept(owner)) AND NOT \(isMade(owner))
            BEGIN
              INSERT INTO \(table.past) (\(pastColumns)) VALUES (\(SQLiteHistoryTriggers.run), \(oldRow(deleted: "NULL")));
            END;
            """
    }

    private var keepDeleted: String {
        let owner = "OLD.\"objectID\""
        return """
            CREATE TRIGGER IF NOT EXISTS \(name("delete")) BEFORE DELETE ON \(quoted(table.name))
            WHEN \(isOlder(owner))
            BEGIN
              UPDATE \(table.past) SET d = 1 WHERE r = \(SQLiteHistoryTriggers.run) AND o = \(owner);
              INSERT INTO \(table.past) (\(pastColumns)) SELECT \(SQLiteHistoryTriggers.run), \(oldRow(deleted: "1"))
              WHERE NOT \(isKept(owner)) AND NOT \(isMade(owner));
            END;
            """
    }

    /// The identifier makes the object: with another one, it is another object. What the object was is kept before the
    /// change.
    private var noteIdentified: String {
        let names = table.identifier.map(quoted)
        let differs = names.map { "OLD.\($0) IS NOT NEW.\($0)" }.joined(separator: " OR ")
        return """
            CREATE TRIGGER IF NOT EXISTS \(name("identify")) AFTER UPDATE OF \(names.joined(separator: ", "))
            ON \(quoted(table.name)) WHEN (\(differs)) AND NOT \(isGiven("NEW.\"objectID\"", isNew: false))
            BEGIN
              \(note("NEW.\"objectID\"", isNew: false))
            END;
            """
    }

    private func note(_ owner: String, isNew: Bool) -> String {
        """
        INSERT INTO sluice_history_given (object, o, run, is_new)
          VALUES (\(table.object), \(owner), \(SQLiteHistoryTriggers.run), \(isNew ? 1 : 0));
        """
    }

    var pastColumns: String { "r, o, f, d" + table.keptColumns.map { ", \($0.past)" }.joined() }

    private func oldRow(deleted: String) -> String {
        oldRow("OLD", from: from("OLD", "OLD.\"objectID\""), deleted: deleted)
    }

    /// What is kept of a row, behind the run that ends it.
    func oldRow(_ row: String, from: String, deleted: String) -> String {
        let values = table.keptColumns.map { ", \(row).\(quoted($0.name))" }.joined()
        return "\(row).\"objectID\", \(from), \(deleted)\(values)"
    }

    // MARK: Conditions

    /// Whether the table already had its shape when an earlier run ended: otherwise all that it held is kept in the
    /// earlier shape, or nothing is known of it.
    private var hadShape: String { "\(table.since) < \(SQLiteHistoryTriggers.run)" }

    /// Whether an object was there when the run began.
    private func isOlder(_ owner: String) -> String {
        "\(owner) <= (SELECT before FROM sluice_history_object WHERE number = \(table.object))"
    }

    private func isKept(_ owner: String) -> String {
        let isFirst = table.hasLinks ? " AND n = 0" : ""
        return "EXISTS (SELECT 1 FROM \(table.past) WHERE r = \(SQLiteHistoryTriggers.run) AND o = \(owner)\(isFirst))"
    }

    /// Whether a program has made the object since the last run ended: such an object has no past.
    func isMade(_ owner: String) -> String { isGiven(owner, isNew: true) }

    private func isGiven(_ owner: String, isNew: Bool) -> String {
        """
        EXISTS (SELECT 1 FROM sluice_history_given WHERE object = \(table.object) AND o = \(owner)
              AND run = \(SQLiteHistoryTriggers.run) AND is_new = \(isNew ? 1 : 0))
        """
    }

    private func from(_ row: String, _ owner: String) -> String { table.from(row, owner, SQLiteDialect()) }

    // MARK: Links

    private func keepLinks(_ event: String) -> String {
        let owner = (event == "insert" ? "NEW" : "OLD") + ".\"source\""
        return """
            CREATE TRIGGER IF NOT EXISTS \(name(event)) BEFORE \(event) ON \(quoted(table.name))
            WHEN \(hadShape) AND \(isOlder(owner)) AND NOT \(isKept(owner)) AND NOT \(isMade(owner))
            BEGIN
              INSERT INTO \(table.past) (r, o, n, f)
              VALUES (\(SQLiteHistoryTriggers.run), \(owner), 0, \(from("", owner)));
              \(keepRows(where: "WHERE \"source\" = \(owner)"));
            END;
            """
    }

    /// Keeps rows of links as they are.
    private func keepRows(where condition: String) -> String {
        let columns = table.keptColumns.map { ", \($0.past)" }.joined()
        let values = table.keptColumns.map { ", \(quoted($0.name))" }.joined()
        return """
            INSERT INTO \(table.past) (r, o, n\(columns))
            SELECT \(SQLiteHistoryTriggers.run), "source", row_number() OVER (PARTITION BY "source" ORDER BY "position")\(values)
            FROM \(quoted(table.name)) \(condition)
            """
    }

    // MARK: Another shape

    func keepAll(columns present: [String]) -> [String] {
        let name = quoted(table.name)
        if table.hasLinks {
            // The rows are kept before the sets: the sets say what is kept.
            let isNew = { (owner: String) in "NOT \(isKept(owner)) AND NOT \(isMade(owner))" }
            return [
                keepRows(where: "l WHERE \(isNew("l.\"source\""))"),
                """
                INSERT INTO \(table.past) (r, o, n, f) SELECT \(SQLiteHistoryTriggers.run), s.o, 0, \(from("", "s.o"))
                FROM (SELECT DISTINCT "source" AS o FROM \(name)) s WHERE \(isNew("s.o"))
                """,
            ]
        }
        let values = table.keptColumns.map { column in
            ", \(SQLiteDialect().has(column.name, in: present) ? "t." + quoted(column.name) : "NULL")"
        }.joined()
        let owner = "t.\"objectID\""
        return [
            """
            INSERT INTO \(table.past) (\(pastColumns))
            SELECT \(SQLiteHistoryTriggers.run), \(owner), \(from("t", owner)), NULL\(values) FROM \(name) t
            WHERE NOT \(isKept(owner)) AND NOT \(isMade(owner))
            """
        ]
    }
}
