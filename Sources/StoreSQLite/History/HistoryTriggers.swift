import SluiceSchema

/// The triggers that keep what goes: they belong to the store, so that whoever writes to it is seen.
struct HistoryTriggers {
    let table: HistoryTable

    private static let run = "(SELECT run FROM sluice_history)"

    /// What keeps the past rows, with a place for each run and object: a run changes an object as often as it likes, and what
    /// the object was before the run is kept once.
    var createPast: String {
        let columns = table.pastColumns.map { ", \($0)" }.joined()
        let (part, key) = table.hasLinks ? (", n INTEGER NOT NULL", "r, o, n") : ("", "r, o")
        return """
            CREATE TABLE \(table.past) (
              r INTEGER NOT NULL, o INTEGER NOT NULL\(part)\(columns), PRIMARY KEY (\(key))
            ) WITHOUT ROWID;
            CREATE INDEX \(table.past)_o ON \(table.past) (o\(table.hasLinks ? ", n" : ""));
            """
    }

    /// The names of the triggers, those for new rows last.
    private var names: [String] {
        ["update", "delete", "insert"].map { "\(table.past)_\($0)" }
    }

    var drop: String { names.map { "DROP TRIGGER IF EXISTS \($0);" }.joined(separator: "\n") }

    /// While a run is under way, new objects need none: it is known which objectIDs it has given out.
    var dropOfNew: String { table.hasLinks ? "" : "DROP TRIGGER IF EXISTS \(names[2]);" }

    var create: String {
        var sql = [trigger(names[0], "UPDATE", "OLD"), trigger(names[1], "DELETE", "OLD")]
        if table.hasLinks { sql.append(trigger(names[2], "INSERT", "NEW")) }
        return sql.joined(separator: "\n")
    }

    /// Between runs, a program may give an object any objectID. If it is that of an object which has gone since the last run,
    /// the past row of that one says all.
    var createOfNew: String {
        if table.hasLinks { return "" }
        return """
            CREATE TRIGGER IF NOT EXISTS \(names[2]) AFTER INSERT ON \(quoted(table.name))
            WHEN NOT EXISTS (SELECT 1 FROM \(table.past) WHERE r = \(HistoryTriggers.run) AND o = NEW."objectID")
            AND NOT \(isMade("NEW.\"objectID\""))
            BEGIN
              INSERT INTO sluice_history_made (object, run, first, last)
              VALUES (\(table.object), \(HistoryTriggers.run), NEW."objectID", NEW."objectID");
            END;
            """
    }

    /// Whether an object was made since the last run ended: it has no past then.
    private func isMade(_ owner: String) -> String {
        """
        EXISTS (
              SELECT 1 FROM sluice_history_made WHERE object = \(table.object) AND run = \(HistoryTriggers.run)
              AND \(owner) BETWEEN first AND last)
        """
    }

    private func trigger(_ name: String, _ event: String, _ row: String) -> String {
        let owner = "\(row).\(table.owner)"
        let isFirst = table.hasLinks ? " AND n = 0" : ""
        return """
            CREATE TRIGGER IF NOT EXISTS \(name) BEFORE \(event) ON \(quoted(table.name))
            WHEN \(owner) <= (SELECT before FROM sluice_history_table WHERE number = \(table.number))
            AND NOT EXISTS (SELECT 1 FROM \(table.past) WHERE r = \(HistoryTriggers.run) AND o = \(owner)\(isFirst))
            AND NOT \(isMade(owner))
            BEGIN
              \(table.hasLinks ? keepLinks(owner) : keepObject)
            END;
            """
    }

    private var keepObject: String {
        let columns = table.pastColumns.map { ", \($0)" }.joined()
        let values = table.columns.map { ", OLD.\(quoted($0))" }.joined()
        return """
            INSERT INTO \(table.past) (r, o\(columns))
            VALUES (\(HistoryTriggers.run), OLD."objectID"\(values));
            """
    }

    private func keepLinks(_ owner: String) -> String {
        "INSERT INTO \(table.past) (r, o, n) VALUES (\(HistoryTriggers.run), \(owner), 0);\n"
            + "  \(keepRows(run: HistoryTriggers.run, where: "WHERE \"source\" = \(owner)"));"
    }

    /// Keeps rows of links as they are.
    private func keepRows(run: String, where condition: String) -> String {
        let columns = table.pastColumns.map { ", \($0)" }.joined()
        let values = table.columns.map { ", \(quoted($0))" }.joined()
        return """
            INSERT INTO \(table.past) (r, o, n\(columns))
            SELECT \(run), "source", row_number() OVER (PARTITION BY "source" ORDER BY "position")\(values)
            FROM \(quoted(table.name)) \(condition)
            """
    }

    /// Keeps all that the table holds, where that is not kept yet: the table gets another shape.
    func keepAll(run: Int, columns present: [String]) -> String {
        if table.hasLinks {
            return """
                INSERT INTO \(table.past) (r, o, n) SELECT DISTINCT \(run), "source", 0 FROM \(quoted(table.name));
                \(keepRows(run: String(run), where: ""));
                """
        }
        let columns = table.pastColumns.map { ", \($0)" }.joined()
        let values = table.columns.map { ", \(present.contains($0) ? quoted($0) : "NULL")" }.joined()
        return """
            INSERT INTO \(table.past) (r, o\(columns)) SELECT \(run), "objectID"\(values) FROM \(quoted(table.name));
            """
    }
}
