import SluiceRecords
import SluiceSchema

/// The triggers that keep what is changed or deleted. They belong to the store, so that the writes of all programs are
/// kept. Each statement fires one trigger, which keeps all rows that the statement has changed, by a statement of its
/// own.
///
/// A trigger writes with the rights of the role that has made it, so that programs need no rights on the past.
struct ServerHistoryTriggers: HistoryTriggers {
    let table: HistoryTable
    let dialect: ServerDialect
    /// The name of the schema.
    let schema: String

    /// The setting that the session of a run sets to the name of the schema.
    static let setting = "sluice.store"

    private var past: String { dialect.ownTable(table.past) }
    private var target: String { dialect.table(table.name) }
    private var run: String { "(SELECT run FROM \(dialect.ownTable("sluice_history")))" }

    /// The table of past rows, with one place for each run and object: a run may change an object several times, and
    /// what the object was before the run is kept once.
    var createPast: [String] {
        let kept = zip(table.columns, table.types).enumerated().compactMap { place, column -> String? in
            guard table.pastColumns[place] != "o" else { return nil }
            let collation = column.1 == "text" ? " COLLATE \"C\"" : ""
            return ", \(table.pastColumns[place]) \(column.1)\(collation)"
        }.joined()
        if table.hasLinks {
            return [
                """
                CREATE TABLE \(past) (
                  r bigint NOT NULL, o bigint NOT NULL, n bigint NOT NULL, f bigint\(kept), PRIMARY KEY (r, o, n))
                """, "CREATE INDEX ON \(past) (o) WHERE n = 0",
            ]
        }
        let identifier = table.pastIdentifier.isEmpty ? "o" : table.pastIdentifier.joined(separator: ", ")
        return [
            """
            CREATE TABLE \(past) (
              r bigint NOT NULL, o bigint NOT NULL, f bigint NOT NULL, d bigint\(kept), PRIMARY KEY (r, o))
            """, "CREATE INDEX ON \(past) (\(identifier))", "CREATE INDEX ON \(past) (o) WHERE d = 1",
        ]
    }

    // MARK: Triggers

    private func name(_ event: String) -> String { "\(table.past)_\(event)" }

    private static let events = ["update", "delete", "insert", "truncate"]

    /// Removes what the triggers call, too.
    func drop(isThere: Bool) -> [String] {
        ServerHistoryTriggers.events.flatMap { event in
            (isThere ? ["DROP TRIGGER IF EXISTS \(name(event)) ON \(target)"] : [])
                + ["DROP FUNCTION IF EXISTS \(dialect.ownTable(name(event)))()"]
        }
    }

    /// The name of the trigger by which it is known that the triggers are there.
    var sign: String { name("update") }

    /// What the triggers call, in place of what an earlier version of Sluice has made.
    var replaceFunctions: [String] { parts.map(\.function) }

    var create: [String] { parts.flatMap { [$0.function, $0.trigger] } }

    /// The setting of functions by which those of this version are known.
    static let functionSetting = "enable_seqscan=off"

    /// A trigger, and what it calls.
    private typealias Part = (function: String, trigger: String)

    private var parts: [Part] {
        let both = "OLD TABLE AS sluice_old NEW TABLE AS sluice_new"
        if table.hasLinks {
            return [
                statement("UPDATE", "AFTER", both, keepLinks(old: true, new: true)),
                statement("DELETE", "AFTER", "OLD TABLE AS sluice_old", keepLinks(old: true, new: false)),
                statement("INSERT", "AFTER", "NEW TABLE AS sluice_new", keepLinks(old: false, new: true)),
                statement("TRUNCATE", "BEFORE", nil, keepAll(columns: table.columns).joined(separator: ";\n")),
            ]
        }
        return [
            statement("UPDATE", "AFTER", both, keep("sluice_old", deleted: "NULL") + noteIdentified),
            statement(
                "DELETE", "AFTER", "OLD TABLE AS sluice_old", noteGone("sluice_old") + keep("sluice_old", deleted: "1")),
            statement("TRUNCATE", "BEFORE", nil, noteGone(target) + keep(target, deleted: "1")),
            noteOfNew,
        ]
    }

    /// A program may give an object any objectID, even one that another object has had. Which ones a run has given out
    /// is known.
    private var noteOfNew: Part {
        let body = note("VALUES (\(table.object), NEW.\"objectID\", \(run), 1)")
        return (
            function("insert", body),
            """
            CREATE TRIGGER \(name("insert")) AFTER INSERT ON \(target) FOR EACH ROW
            WHEN (current_setting('\(ServerHistoryTriggers.setting)', true) IS DISTINCT FROM \(schema.inQuotes("'")))
            EXECUTE FUNCTION \(dialect.ownTable(name("insert")))()
            """
        )
    }

    private func statement(_ event: String, _ time: String, _ tables: String?, _ body: String) -> Part {
        let event = event.lowercased()
        return (
            function(event, body),
            """
            CREATE TRIGGER \(name(event)) \(time) \(event) ON \(target)\(tables.map { " REFERENCING \($0)" } ?? "")
            FOR EACH STATEMENT EXECUTE FUNCTION \(dialect.ownTable(name(event)))()
            """
        )
    }

    /// What is kept is looked up row by row, by an index. The server plans a statement once for a session, with what it
    /// knows of the past then, which may be nothing: with a plan for an empty table, a night that changes half of
    /// 20,000 objects took 84 s.
    private func function(_ event: String, _ body: String) -> String {
        var sign = "$sluice$"
        // The quote must occur in no name of a user, which would end the text.
        while body.utf8.containsSequence(sign.utf8) { sign = "$s\(sign.dropFirst())" }
        return """
            CREATE OR REPLACE FUNCTION \(dialect.ownTable(name(event)))() RETURNS trigger LANGUAGE plpgsql
            SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off AS \(sign)
            BEGIN
            \(body);
            RETURN NULL;
            END
            \(sign)
            """
    }

    // MARK: Objects

    private var pastColumns: String { "r, o, f, d" + table.keptColumns.map { ", \($0.past)" }.joined() }

    /// Keeps what rows were before the run, where that is not kept yet.
    private func keep(_ rows: String, deleted: String) -> String {
        let values = table.keptColumns.map { ", t.\(quoted($0.name))" }.joined()
        let owner = "t.\"objectID\""
        let isNeeded = deleted == "NULL" ? "\(hadShape) AND " : ""
        return """
            INSERT INTO \(past) (\(pastColumns))
            SELECT \(run), \(owner), \(from("t", owner)), \(deleted)\(values) FROM \(rows) t
            WHERE \(isNeeded)\(isOlder(owner)) AND NOT \(isKept(owner)) AND NOT \(isMade(owner)) ON CONFLICT DO NOTHING
            """
    }

    private func noteGone(_ rows: String) -> String {
        """
        UPDATE \(past) p SET d = 1 WHERE p.r = \(run)
        AND p.o = ANY (ARRAY(SELECT t."objectID" FROM \(rows) t WHERE \(isOlder("t.\"objectID\""))));

        """
    }

    /// The identifier makes the object: with another one, it is another object. What the object was is kept before the
    /// change.
    private var noteIdentified: String {
        let names = table.identifier.map(quoted)
        if names.isEmpty { return "" }
        let differs = names.map { "t.\($0) IS DISTINCT FROM n.\($0)" }.joined(separator: " OR ")
        return ";\n"
            + note(
                """
                SELECT \(table.object), t."objectID", \(run), 0 FROM sluice_old t
                JOIN sluice_new n ON n."objectID" = t."objectID" WHERE \(differs)
                """)
    }

    private func note(_ rows: String) -> String {
        "INSERT INTO \(dialect.ownTable("sluice_history_given")) (object, o, run, is_new) \(rows) ON CONFLICT DO NOTHING"
    }

    // MARK: Conditions

    /// Whether the table already had its shape when an earlier run ended: otherwise all that it held is kept in the
    /// earlier shape, or nothing is known of it.
    private var hadShape: String { "\(table.since) < \(run)" }

    /// Whether an object was there when the run began.
    private func isOlder(_ owner: String) -> String {
        "\(owner) <= (SELECT before FROM \(dialect.ownTable("sluice_history_object")) WHERE number = \(table.object))"
    }

    private func isKept(_ owner: String) -> String {
        let isFirst = table.hasLinks ? " AND k.n = 0" : ""
        // With an offset, it is no join.
        return "EXISTS (SELECT 1 FROM \(past) k WHERE k.r = \(run) AND k.o = \(owner)\(isFirst) OFFSET 0)"
    }

    /// Whether a program has made the object since the last run ended: such an object has no past.
    private func isMade(_ owner: String) -> String {
        """
        EXISTS (SELECT 1 FROM \(dialect.ownTable("sluice_history_given")) g WHERE g.object = \(table.object)
          AND g.o = \(owner) AND g.run = \(run) AND g.is_new = 1 OFFSET 0)
        """
    }

    private func from(_ row: String, _ owner: String) -> String { table.from(row, owner, dialect) }

    // MARK: Links

    /// Keeps all links that objects had before a statement changed some: the present ones without the new ones, and the
    /// old ones.
    private func keepLinks(old: Bool, new: Bool) -> String {
        let changed = [old ? "sluice_old" : nil, new ? "sluice_new" : nil].compactMap { $0 }
            .map { "SELECT \"source\" FROM \($0)" }.joined(separator: " UNION ALL ")
        let key = table.columns.filter { ["source", "target", "target_entity", "position"].contains($0) }
        let same = key.map { "x.\(quoted($0)) = l.\(quoted($0))" }.joined(separator: " AND ")
        let isOld = new ? " WHERE NOT EXISTS (SELECT 1 FROM sluice_new x WHERE \(same))" : ""
        let gone = old ? "\n  UNION ALL SELECT l.* FROM s JOIN sluice_old l ON l.\"source\" = s.o" : ""
        return keepSets(
            """
            SELECT DISTINCT t."source" AS o FROM (\(changed)) t
              WHERE \(hadShape) AND \(isOlder("t.\"source\"")) AND NOT \(isKept("t.\"source\"")) AND NOT \(isMade("t.\"source\""))
            """, "SELECT l.* FROM s JOIN \(target) l ON l.\"source\" = s.o\(isOld)\(gone)")
    }

    /// Keeps the links of some objects.
    ///
    /// - Parameters:
    ///   - sources: gives the objects, as `o`.
    ///   - links: gives the links, of the objects in `s`.
    private func keepSets(_ sources: String, _ links: String) -> String {
        let columns = table.keptColumns.map { ", \($0.past)" }.joined()
        let values = table.keptColumns.map { ", l.\(quoted($0.name))" }.joined()
        return """
            WITH s AS MATERIALIZED (
              \(sources)),
            h AS (INSERT INTO \(past) (r, o, n, f) SELECT \(run), s.o, 0, \(from("", "s.o")) FROM s ON CONFLICT DO NOTHING)
            INSERT INTO \(past) (r, o, n\(columns))
            SELECT \(run), l."source", row_number() OVER (PARTITION BY l."source" ORDER BY l."position")\(values)
            FROM (\(links)) l ON CONFLICT DO NOTHING
            """
    }

    // MARK: Another shape

    func keepAll(columns present: [String]) -> [String] {
        if table.hasLinks {
            return [
                keepSets(
                    "SELECT DISTINCT t.\"source\" AS o FROM \(target) t WHERE NOT \(isKept("t.\"source\""))"
                        + " AND NOT \(isMade("t.\"source\""))",
                    "SELECT l.* FROM s JOIN \(target) l ON l.\"source\" = s.o")
            ]
        }
        let values = table.keptColumns.map { column in
            let isThere = present.containsExactly(column.name)
            return ", \(isThere ? "t." + quoted(column.name) : "NULL")"
        }.joined()
        let owner = "t.\"objectID\""
        return [
            """
            INSERT INTO \(past) (\(pastColumns))
            SELECT \(run), \(owner), \(from("t", owner)), NULL\(values) FROM \(target) t
            WHERE NOT \(isKept(owner)) AND NOT \(isMade(owner))
            """
        ]
    }
}

extension Sequence where Element == UInt8 {
    /// Whether bytes follow one another somewhere in it.
    fileprivate func containsSequence(_ bytes: some Sequence<UInt8>) -> Bool {
        let (all, wanted) = (Array(self), Array(bytes))
        guard all.count >= wanted.count else { return false }
        return (0...(all.count - wanted.count)).contains { all[$0..<($0 + wanted.count)].elementsEqual(wanted) }
    }
}
