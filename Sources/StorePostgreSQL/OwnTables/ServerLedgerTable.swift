import SluiceLoad
import SluicePostgreSQL
import SluiceRecords
import SluiceSchema

/// The table `sluice_run`: one row per run.
struct ServerLedgerTable {
    private static let columns = (["run"] + LedgerRow.columns).joined(separator: ", ")
    /// Rows that are read together: a report may be long.
    private static let chunk = 50

    private let connection: ServerConnection
    /// As SQL has it.
    private let table: String
    private let pipeline: String

    init(_ connection: ServerConnection, _ table: String, _ pipeline: String) {
        self.connection = connection
        self.table = table
        self.pipeline = pipeline
    }

    func create() throws(Failure) {
        let texts = ["definition", "started", "finished", "status", "sources", "report", "archive", "version"]
        let columns = texts.map { "\($0) text COLLATE \"C\"" }.joined(separator: ", ")
        try connection.write(
            """
            CREATE TABLE \(table) (run bigint PRIMARY KEY, pipeline text COLLATE "C" NOT NULL, \(columns),
            replay_of bigint, peak_memory bigint)
            """)
    }

    /// Records that a run has started, and numbers it. Runs that the ledger still calls running have died: a store has
    /// one run at a time.
    func start(_ start: RunStart) throws(Failure) -> Int {
        try Int(connection.rows(of: sendStart(start)).integer(0, 0))
    }

    /// As before; the answer is the number.
    func sendStart(_ start: RunStart) throws(Failure) -> ServerAnswer {
        try connection.write("UPDATE \(table) SET status = 'died' WHERE status = 'running'")
        let texts = [pipeline, start.definition, start.started, start.sources, start.version]
        return try connection.sendQuery(
            """
            INSERT INTO \(table) (run, pipeline, definition, started, status, sources, version, replay_of)
            SELECT coalesce(max(run), 0) + 1, $1, $2, $3, 'running', $4, $5, ($6::bigint[])[1] FROM \(table)
            RETURNING run
            """, values: texts.map { .text($0) } + [.integers(start.replayOf.map { [Int64($0)] } ?? [])])
    }

    /// Records how a run without a report has ended.
    func finish(_ run: Int, status: String, at time: String) throws(Failure) {
        try connection.write(
            "UPDATE \(table) SET finished = $1, status = $2 WHERE run = \(run)", .text(time), .text(status))
    }

    /// Records how the run has ended, unless that is there.
    ///
    /// - Parameters:
    ///   - keep: how many rows of the pipeline stay; nil: all.
    ///   - waiting: the waiting list, as SQL has it; nil: there is none yet, nor are there old rows.
    ///   - forgettable: the condition for runs that the history may forget; nil: there is no history.
    func finish(
        _ run: Int, _ outcome: RunOutcome, keep: Int?, waiting: String?, _ forgettable: String?
    ) throws(Failure) {
        let texts = [outcome.finished, outcome.status, outcome.report, outcome.sources, outcome.archive]
        let memory = ServerValue.integers(outcome.peakMemory.map { [Int64($0)] } ?? [])
        try connection.write(
            """
            UPDATE \(table) SET finished = $2, status = $3, report = $4, sources = coalesce($5, sources), archive = $6,
            peak_memory = ($7::bigint[])[1] WHERE run = $1 AND status = 'running'
            """, values: [.integer(Int64(run))] + texts.map { .text($0) } + [memory])
        guard let keep, let waiting else { return }
        let trim = LedgerTrim(table, waiting: waiting, pipeline: "$1", keep: "$2", forgettable: forgettable)
        for statement in trim.statements {
            try connection.write(statement, .text(pipeline), .integer(Int64(keep)))
        }
    }

    func forgetArchive(_ run: Int) throws(Failure) {
        try connection.execute("UPDATE \(table) SET archive = NULL WHERE run = \(run)")
    }

    // MARK: Reading

    /// Hands out rows, the newest first, until it is told to stop: those of a pipeline, or all.
    func rows(
        of pipeline: String?, before first: Int64? = nil, where condition: String = "true",
        each: (LedgerRow) throws(Failure) -> Bool
    ) throws(Failure) {
        var last = first ?? Int64.max
        while true {
            let found = try connection.query(
                """
                SELECT \(ServerLedgerTable.columns) FROM \(table)
                WHERE run < $1 AND ($2::text IS NULL OR pipeline = $2) AND \(condition)
                ORDER BY run DESC LIMIT \(ServerLedgerTable.chunk)
                """, .integer(last), .text(pipeline))
            for place in 0..<found.count {
                last = found.integer(place, 0)
                let row = LedgerRow(
                    text: { found.optionalText(place, $0) },
                    integer: { found.isNull(place, $0) ? nil : Int(found.integer(place, $0)) })
                if try !each(row) { return }
            }
            if found.count < ServerLedgerTable.chunk { return }
        }
    }

    /// The condition for a run that has left a report of what it loaded.
    static let hasReport = "status = 'succeeded' AND report IS NOT NULL"

    /// Asks for the last of these, with their runs and what they read.
    func sendReportQuery(_ count: Int) throws(Failure) -> ServerAnswer {
        return try connection.sendQuery(
            """
            SELECT run, report, sources FROM \(table) WHERE pipeline = $1 AND \(ServerLedgerTable.hasReport)
            ORDER BY run DESC LIMIT \(count)
            """, .text(pipeline))
    }

    func lastRun() throws(Failure) -> LedgerRow? {
        var search = LastRunSearch(pipeline)
        try rows(of: nil) { row in search.add(row) }
        return search.found
    }
}
