import CSluiceSQLite
import SluiceLoad
import SluiceRecords
import SluiceSchema

// What a store knows of its runs.
extension SQLiteStore: OpenStore {
    /// The last run of this pipeline that loaded its feed, or found it loaded, if the store is as that run left it, and
    /// has all that the definition asks for.
    package func lastRun() throws(Failure) -> LedgerRow? {
        guard exists, check.isComplete else { return nil }
        guard let run = try LedgerReader(connection: connection).lastRun(of: pipeline) else { return nil }
        return try programsHaveWritten(after: run.run) ? nil : run
    }

    /// Whether programs have changed what this pipeline imports, since a run.
    private func programsHaveWritten(after run: Int) throws(Failure) -> Bool {
        guard try StoredTable(connection, "sluice_change") != nil else { return false }
        let found = try connection.texts("SELECT DISTINCT entity FROM sluice_change WHERE run >= \(run)")
        return found.contains { name in
            model.entities.contains { !$0.isOfPrograms && $0.name.isIdentical(to: name) }
        }
    }

    package func hasUnfinishedBatches(before run: Int, diedSaving: Bool) throws(Failure) -> Bool {
        guard exists else { return false }
        var search = UnfinishedSearch(pipeline, before: run, diedSaving: diedSaving)
        try LedgerReader(connection: connection).rows { row in search.add(row) }
        return search.isFound
    }

    package func succeededReports(
        _ each: (_ report: String, _ sources: String?) throws(Failure) -> Bool
    ) throws(Failure) {
        guard exists else { return }
        let condition = "pipeline = ? AND status = 'succeeded' AND report IS NOT NULL"
        try LedgerReader(connection: connection).rows(where: condition, [pipeline]) { row throws(Failure) in
            try each(row.report ?? "", row.sources)
        }
    }

    package func archivedRuns(_ each: (LedgerRow) throws(Failure) -> Void) throws(Failure) {
        let reader = LedgerReader(connection: connection)
        try reader.rows(
            where: "archive IS NOT NULL AND pipeline = ?", [pipeline], without: ["report", "sources"]
        ) { row throws(Failure) in
            try each(row)
            return true
        }
    }

    package func forgetArchive(ofRun run: Int) throws(Failure) {
        try connection.execute("UPDATE sluice_run SET archive = NULL WHERE run = \(run)")
    }

    /// Records a run that ended before it began to write: it found nothing to do, or no feed. Returns its number. All
    /// else in the store stays as it is.
    package func recordEnded(_ start: RunStart, _ outcome: (_ run: Int) -> RunOutcome) throws(Failure) -> Int {
        try connection.execute("BEGIN IMMEDIATE")
        do {
            try ledger.start(start)
            try ledger.finish(outcome(ledger.run))
            try SQLiteHistory.keeper(connection)?.settle(run: ledger.run)
            try commitTransaction()
        } catch {
            try? connection.execute("ROLLBACK")
            throw error
        }
        if !file.isCopy {
            connection.keepLogs()
            emptyLog()
        }
        return ledger.run
    }

    package func fetchMarks(pipeline: String) throws(Failure) -> [FetchMark] {
        try FetchTable(connection: connection).marks(pipeline: pipeline)
    }
}
