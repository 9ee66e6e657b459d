import Records

/// The table `sluice_run`: one row per run.
final class Ledger {
    private let connection: Connection
    private let pipeline: String
    /// The number of this run; 0 before it has started.
    private(set) var run = 0

    init(_ connection: Connection, pipeline: String) {
        self.connection = connection
        self.pipeline = pipeline
    }

    /// Notes that a run has started, and numbers it.
    func start(_ started: String) throws(Failure) {
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS sluice_run (
              run INTEGER PRIMARY KEY, pipeline TEXT NOT NULL, started TEXT NOT NULL, finished TEXT,
              status TEXT NOT NULL, report TEXT
            ) STRICT
            """)
        let insert = try connection.prepare(
            "INSERT INTO sluice_run (pipeline, started, status) VALUES (?, ?, 'running') RETURNING run")
        insert.bind(1, pipeline)
        insert.bind(2, started)
        guard try insert.step() else { throw Failure(.defect, "the ledger gave no number") }
        run = Int(insert.integer(0))
        while try insert.step() {}
    }

    func finish(_ outcome: RunOutcome) throws(Failure) {
        let update = try connection.prepare(
            "UPDATE sluice_run SET finished = ?, status = ?, report = ? WHERE run = ?")
        update.bind(1, outcome.finished)
        update.bind(2, outcome.status)
        update.bind(3, outcome.report)
        update.bind(4, Int64(run))
        try update.run()
    }
}
