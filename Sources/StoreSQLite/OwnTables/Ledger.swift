import SluiceLoad
import SluiceRecords
import SluiceSchema

/// The table `sluice_run`: one row per run.
final class Ledger {
    /// All columns but the number, with their types; stores of older versions lack some.
    private static var columns: [(name: String, type: String)] {
        LedgerRow.columns.map { name in
            switch name {
            case "pipeline", "started", "status": (name, "TEXT NOT NULL")
            case "replay_of", "peak_memory": (name, "INTEGER")
            default: (name, "TEXT")
            }
        }
    }

    private let connection: Connection
    private let pipeline: String
    /// How many rows of this pipeline stay; nil: all.
    private let keep: Int?
    /// The number of this run; 0 before it has started.
    private(set) var run = 0

    init(_ connection: Connection, pipeline: String, keep: Int? = nil) {
        self.connection = connection
        self.pipeline = pipeline
        self.keep = keep
    }

    /// Records that a run has started, and numbers it. Runs that the ledger still calls running have died: a store has
    /// one run at a time.
    func start(_ start: RunStart) throws(Failure) {
        try createTable()
        try connection.execute("UPDATE sluice_run SET status = 'died' WHERE status = 'running'")
        let insert = try connection.prepare(
            """
            INSERT INTO sluice_run (pipeline, definition, started, status, sources, replay_of, version)
            VALUES (?, ?, ?, 'running', ?, ?, ?) RETURNING run
            """)
        insert.bind(1, pipeline)
        insert.bind(2, start.definition)
        insert.bind(3, start.started)
        insert.bind(4, start.sources)
        if let replayed = start.replayOf { insert.bind(5, Int64(replayed)) } else { insert.bind(5, nil) }
        insert.bind(6, start.version)
        guard let number = try insert.insertedNumber() else {
            throw Failure(.definition, "a trigger of the store \(connection.path) keeps the run out of its ledger")
        }
        run = Int(number)
    }

    /// Records how the run has ended.
    func finish(_ outcome: RunOutcome) throws(Failure) {
        let update = try connection.prepare(
            """
            UPDATE sluice_run SET finished = ?1, status = ?2, report = ?3, sources = coalesce(?4, sources), archive = ?5,
            peak_memory = ?6 WHERE run = ?7
            """)
        update.bind(1, outcome.finished)
        update.bind(2, outcome.status)
        update.bind(3, outcome.report)
        update.bind(4, outcome.sources)
        update.bind(5, outcome.archive)
        if let memory = outcome.peakMemory { update.bind(6, Int64(memory)) } else { update.bind(6, nil) }
        update.bind(7, Int64(run))
        try update.run()
        try trim()
    }

    /// Records how a run without a report has ended.
    func finish(status: String, at time: String) throws(Failure) {
        let update = try connection.prepare("UPDATE sluice_run SET finished = ?1, status = ?2 WHERE run = ?3")
        update.bind(1, time)
        update.bind(2, status)
        update.bind(3, Int64(run))
        try update.run()
    }

    private func createTable() throws(Failure) {
        let columns = Ledger.columns.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        try connection.execute("CREATE TABLE IF NOT EXISTS sluice_run (run INTEGER PRIMARY KEY, \(columns)) STRICT")
        let known = try Ledger.knownColumns(connection)
        for (name, type) in Ledger.columns where !known.contains(name) {
            try connection.execute("ALTER TABLE sluice_run ADD COLUMN \(name) \(type)")
        }
    }

    /// The columns that the table has; empty where there is no ledger.
    static func knownColumns(_ connection: Connection) throws(Failure) -> Set<String> {
        Set(try connection.texts("SELECT name FROM pragma_table_info('sluice_run')"))
    }

    /// Removes old rows of this pipeline.
    private func trim() throws(Failure) {
        guard let keep, try connection.hasTable("sluice_unresolved") else { return }
        let hasHistory = try SQLiteHistory(connection).keepsPast()
        let trim = LedgerTrim(
            "sluice_run", waiting: "sluice_unresolved", pipeline: "?1", keep: "?2",
            forgettable: hasHistory ? "run < (SELECT floor FROM sluice_history)" : nil)
        for text in trim.statements {
            let statement = try connection.prepare(text)
            statement.bind(1, pipeline)
            statement.bind(2, Int64(keep))
            try statement.run()
        }
    }
}
