import CSQLite
import Records

// What a store knows of its runs.
extension SQLiteStore {
    /// Starts a run of which the ledger is to know no more than this.
    public func begin(started: String) throws(Failure) -> Int { try begin(RunStart(started: started)) }

    /// How many runs of this pipeline the ledger keeps; nil: all. To be set before a run ends.
    public var ledgerKeep: Int? {
        get { ledger.keep }
        set { ledger.keep = newValue }
    }

    /// The last run of this pipeline that loaded its feed, or found it loaded, if the store is as that run left it, and
    /// has all that the definition asks for.
    public func lastRun() throws(Failure) -> LedgerRow? {
        guard exists, isComplete else { return nil }
        return try LedgerReader(connection: connection).lastRun(of: pipeline)
    }

    /// Whether the ledger will know of this run even if it fails.
    public var keepsLedger: Bool { exists || hasSavedBatches }

    /// The saved feeds of this pipeline that are too many: those of its runs but for the newest. Once one is deleted, the
    /// ledger forgets it.
    ///
    /// - Parameters:
    ///   - keep: of how many runs feeds stay.
    ///   - delete: deletes what the ledger says of a run's feed; false: it could not.
    public func pruneArchive(keep: Int, delete: (_ archive: String) -> Bool) throws(Failure) {
        guard keepsLedger else { return }
        var feeds = 0
        var gone: [Int] = []
        let reader = LedgerReader(connection: connection)
        try reader.rows(where: "archive IS NOT NULL AND pipeline = ?", [pipeline]) { row in
            feeds += 1
            if feeds > keep, let archive = row.archive, delete(archive) { gone.append(row.run) }
            return true
        }
        for run in gone { try connection.execute("UPDATE sluice_run SET archive = NULL WHERE run = \(run)") }
    }

    /// Notes a run that found nothing to do, and returns its number. All else in the store stays as it is.
    public func noteUnchanged(_ start: RunStart, _ outcome: (_ run: Int) -> RunOutcome) throws(Failure) -> Int {
        try connection.execute("BEGIN IMMEDIATE")
        do {
            try ledger.start(start)
            try ledger.finish(outcome(ledger.run))
            try connection.execute("COMMIT")
        } catch {
            try? connection.execute("ROLLBACK")
            throw error
        }
        if !file.isCopy { emptyLog() }
        return ledger.run
    }
}

/// The ledger of a store, to be read.
@safe
public struct LedgerFile {
    private let connection: Connection

    /// Throws `missing` where there is no store.
    public init(path: String) throws(Failure) {
        guard try StoreFile.exists(path) else { throw Failure(.missing, "the store \(path) does not exist") }
        // A connection that may only read could not remove the -wal and -shm that it makes.
        connection = try Connection(path: path, access: .write)
        _ = unsafe sqlite3_busy_timeout(connection.handle, SQLiteStore.lockPatience)
        _ = try connection.integer("SELECT count(*) FROM sqlite_schema")
    }

    /// Hands out runs, the newest first, until it is told to stop: those of a pipeline, or all.
    public func rows(of pipeline: String?, each: (LedgerRow) throws(Failure) -> Bool) throws(Failure) {
        try LedgerReader(connection: connection).rows(
            where: pipeline == nil ? "true" : "pipeline = ?", pipeline.map { [$0] } ?? [], each: each)
    }

    /// The run of a number, of whatever pipeline.
    public func row(_ run: Int) throws(Failure) -> LedgerRow? {
        var found: LedgerRow?
        try LedgerReader(connection: connection).rows(where: "run = \(run)") { row in
            found = row
            return false
        }
        return found
    }

    /// Hands out what waits for its target, what waits longest first, until it is told to stop.
    public func unresolved(in model: Model, each: (UnresolvedRow) throws(Failure) -> Bool) throws(Failure) {
        try UnresolvedReader(connection: connection, model: model).rows(each: each)
    }
}
