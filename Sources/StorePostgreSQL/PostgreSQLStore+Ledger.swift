import SluiceLoad
import SluicePostgreSQL
import SluiceRecords
import SluiceSchema

// What a store knows of its runs.
extension PostgreSQLStore: OpenStore {
    var ledger: ServerLedgerTable { ServerLedgerTable(connection, stored("sluice_run"), pipeline) }

    package var keepsLedger: Bool { entry.isForGood || found.hasLedger }

    package var isUncertain: Bool { entry.isUncertain }

    package var isReshaped: Bool { entry.isReshaped }

    package func lastRun() throws(Failure) -> LedgerRow? {
        guard found.hasLedger, check.isComplete else { return nil }
        return try ledger.lastRun()
    }

    package func hasUnfinishedBatches(before run: Int, diedSaving: Bool) throws(Failure) -> Bool {
        guard found.hasLedger else { return false }
        var search = UnfinishedSearch(pipeline, before: run, diedSaving: diedSaving)
        try ledger.rows(of: pipeline) { row in search.add(row) }
        return search.isFound
    }

    package func succeededReports(
        _ each: (_ report: String, _ sources: String?) throws(Failure) -> Bool
    ) throws(Failure) {
        guard keepsLedger else { return }
        var first: Int64?
        if let sent = sent.reports {
            let last = try connection.rows(of: sent)
            for row in 0..<last.count {
                let sources = last.isNull(row, 2) ? nil : last.text(row, 2)
                if try !each(last.text(row, 1), sources) { return }
            }
            if last.count < SentLedger.fewReports { return }
            first = last.integer(last.count - 1, 0)
        }
        try ledger.rows(
            of: pipeline, before: first, where: ServerLedgerTable.hasReport
        ) { row throws(Failure) in
            try each(row.report ?? "", row.sources)
        }
    }

    package func archivedRuns(_ each: (LedgerRow) throws(Failure) -> Void) throws(Failure) {
        try ledger.rows(of: pipeline, where: "archive IS NOT NULL") { row throws(Failure) in
            try each(row)
            return true
        }
    }

    package func forgetArchive(ofRun run: Int) throws(Failure) { try ledger.forgetArchive(run) }

    package func recordEnded(_ start: RunStart, _ outcome: (_ run: Int) -> RunOutcome) throws(Failure) -> Int {
        if isDry { return try nextNumber() }
        try connection.write("BEGIN")
        do throws(Failure) {
            let run = try ledger.start(start)
            try ledger.finish(
                run, outcome(run), keep: use.keptRuns, waiting: waitingTable, settleHistory(ofEnded: run)
            )
            try connection.execute("COMMIT")
            return run
        } catch {
            try? connection.execute("ROLLBACK")
            throw error
        }
    }

    /// The waiting list, as SQL has it; nil: the store had none when it was opened.
    var waitingTable: String? { found.ownTables.contains("sluice_unresolved") ? stored("sluice_unresolved") : nil }

    // MARK: What web services are told

    package func fetchMarks(pipeline: String) throws(Failure) -> [FetchMark] {
        guard has("sluice_fetch") else { return [] }
        let answer = if let ahead = sent.marks { ahead } else { try sendMarkQuery() }
        sent.marks = nil
        let found = try connection.rows(of: answer)
        return (0..<found.count).map { row in
            FetchMark(
                source: found.text(row, 0), request: found.text(row, 1), etag: found.optionalText(row, 2),
                lastModified: found.optionalText(row, 3))
        }
    }

    /// Asks what a run will want of the ledger, so that it comes with all else that is read when the run begins.
    func sendLedgerQueries() throws(Failure) {
        if has("sluice_fetch") { sent.marks = try sendMarkQuery() }
        if found.hasLedger { sent.reports = try ledger.sendReportQuery(SentLedger.fewReports) }
    }

    /// Asks for the fetch marks.
    private func sendMarkQuery() throws(Failure) -> ServerAnswer {
        return try connection.sendQuery(
            "SELECT source, request, etag, last_modified FROM \(stored("sluice_fetch")) WHERE pipeline = $1",
            .text(pipeline)
        )
    }
}

/// The queries to the ledger that are sent when a run begins, together with all else that is read then.
struct SentLedger {
    /// The fetch marks: what is known of the feeds of web services.
    var marks: ServerAnswer?
    /// The last reports of runs that succeeded.
    var reports: ServerAnswer?

    /// Reports that are read together with all else: mostly, the last one will do.
    static let fewReports = 4
}
