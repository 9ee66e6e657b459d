import SluiceLoad
import SluiceRecords
import SluiceSchema

/// Keeps what a run is about to change or delete of the objects of one table, a batch at a time.
///
/// A trigger keeps one object at a time, and each statement with a trigger can be undone by itself, for which SQLite
/// copies the pages that it changes: that takes twice as long. So a run drops the triggers as long as no other program
/// can write, keeps what it changes or deletes itself, in the rows that the triggers would write, and makes the
/// triggers again before it saves anything. Where nothing changes, the triggers stay: dropping them takes time, too,
/// most of it where statements are prepared already. So they are dropped at once where one of the last runs has changed
/// something.
final class ChangedRowKeeper {
    private let connection: Connection
    private let table: HistoryTable
    private let run: Int
    /// A change in one of so many last runs lets another one be expected.
    private static let expectation = 8
    /// How many rows a statement keeps: SQLite collects them before it writes the first, beyond some 2 MB in a file.
    private static let most = 1024
    /// The highest objectID when the run began: objects above it have no past.
    private let before: Int64
    /// Whether programs gave out objectIDs, or objects other identifiers.
    private let hasGiven: Bool
    private var changed = PreparedStatement()
    private var hasTriggers = true

    /// - Parameter run: the one under way.
    init(_ connection: Connection, _ table: HistoryTable, run: Int) throws(Failure) {
        self.connection = connection
        self.table = table
        self.run = run
        before =
            try connection.integer("SELECT before FROM sluice_history_object WHERE number = \(table.object)") ?? .max
        hasGiven =
            try connection.integer("SELECT 1 FROM sluice_history_given WHERE object = \(table.object) LIMIT 1") != nil
        let recent = "SELECT 1 FROM \(table.past) WHERE r >= \(run - ChangedRowKeeper.expectation) LIMIT 1"
        if try connection.integer(recent) != nil { try takeTriggersAway() }
    }

    /// Whether the table had its shape when a run before this one ended; see `SQLiteHistoryTriggers`.
    private var hadShape: Bool { table.since < run }

    /// Puts the triggers back.
    func end() throws(Failure) {
        changed = PreparedStatement()
        guard !hasTriggers else { return }
        for trigger in SQLiteHistoryTriggers(table: table).create { try connection.execute(trigger) }
    }

    private func takeTriggersAway() throws(Failure) {
        guard hasTriggers else { return }
        hasTriggers = false
        for drop in SQLiteHistoryTriggers(table: table).dropOfChanges { try connection.execute(drop) }
    }

    /// Keeps the objects of rows that are about to be changed.
    func keep(
        _ rows: [Int], _ section: EntityRecords, _ work: RowScratch, _ batchTable: BatchTable
    ) throws(Failure) {
        if rows.isEmpty || !hadShape { return }
        try takeTriggersAway()
        let statement = try changed.get(
            connection, insertion(of: "SELECT c0 AS o FROM \(BatchTable.name)", areGoing: false))
        for first in stride(from: 0, to: rows.count, by: ChangedRowKeeper.most) {
            let part = rows[first..<min(rows.count, first + ChangedRowKeeper.most)]
            try batchTable.run(statement, part, placesOf: section, work)
        }
        try useWhatChangesAgain()
    }

    /// Uses the pages that the beginning of the run has changed, and that its end changes again, so that they stay in
    /// the cache. When it is full, SQLite writes those to the log that were used least recently; and where one of them
    /// changes again, it reads and writes the rest of the log once more, for its checksums.
    private func useWhatChangesAgain() throws(Failure) {
        let tables = ["sqlite_schema", "sluice_history", "sluice_history_object"]
        let counts = tables.map { "(SELECT count(*) FROM \($0))" }.joined(separator: " + ")
        _ = try connection.integer("SELECT \(counts) + (SELECT max(run) FROM sluice_run)")
    }

    /// Keeps objects that are about to be changed, or to go.
    ///
    /// - Parameters:
    ///   - objects: a query for their objectIDs, `o`, with one parameter.
    ///   - list: the parameter.
    func keep(_ objects: String, _ list: String, areGoing: Bool) throws(Failure) {
        if !areGoing, !hadShape { return }
        try takeTriggersAway()
        let statement = try connection.prepare(insertion(of: objects, areGoing: areGoing))
        statement.bind(1, list)
        try statement.run()
    }

    /// An object as it was before the run is kept once, as with triggers. Where a row cannot be kept, the run is undone
    /// (`OR FAIL`): a statement that can be undone by itself copies each page before it changes it.
    private func insertion(of objects: String, areGoing: Bool) -> String {
        let (triggers, owner) = (SQLiteHistoryTriggers(table: table), "t.\"objectID\"")
        let from = table.from("t", owner, SQLiteDialect(), isGiven: hasGiven)
        let isMade = hasGiven ? " AND NOT \(triggers.isMade("k.o"))" : ""
        return """
            INSERT OR FAIL INTO \(table.past) (\(triggers.pastColumns))
            SELECT \(run), \(triggers.oldRow("t", from: from, deleted: areGoing ? "1" : "NULL"))
            FROM (\(objects)) k CROSS JOIN \(quoted(table.name)) t ON \(owner) = k.o
            WHERE k.o <= \(before)\(isMade)
            ON CONFLICT (r, o) DO \(areGoing ? "UPDATE SET d = 1" : "NOTHING")
            """
    }
}
