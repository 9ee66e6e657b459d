import SluiceRecords

/// A store that is open: what it knows of earlier runs, and the beginning and the undoing of one. Nothing above this
/// protocol knows whether a file or a server has the objects.
package protocol OpenStore: AnyObject {
    /// Whether the ledger will know of this run even if it fails.
    var keepsLedger: Bool { get }

    /// Whether it is not known if the run is saved, since the connection to the store was lost meanwhile.
    var isUncertain: Bool { get }

    /// Whether tables have taken the shape of the definition for good, whatever comes of the run.
    var isReshaped: Bool { get }

    // MARK: The run

    /// Starts a run: records it in the ledger of an existing store for good, and opens the transaction of its data.
    func begin(_ start: RunStart) throws(Failure) -> any StoreRun

    /// Undoes a run, or what one that could not begin has left (with saved batches: what came after the last one), and
    /// records its outcome, which is made thereafter, in the ledger of an existing store.
    func rollback(_ outcome: () -> RunOutcome) throws(Failure)

    /// Records a run that ended before it began to write: it found nothing to do, or no feed. Returns its number. All
    /// else in the store stays as it is.
    func recordEnded(_ start: RunStart, _ outcome: (_ run: Int) -> RunOutcome) throws(Failure) -> Int

    // MARK: What it knows of earlier runs

    /// The last run of this pipeline that loaded its feed, or found it loaded, if the store is as that run left it, and
    /// has all that the definition needs.
    func lastRun() throws(Failure) -> LedgerRow?

    /// Whether a run of this pipeline has saved batches, and did not succeed, after the last one that did.
    ///
    /// - Parameters:
    ///   - run: only runs with lesser numbers count.
    ///   - diedSaving: whether a run that died before it recorded how it saves counts as one that saved batches.
    func hasUnfinishedBatches(before run: Int, diedSaving: Bool) throws(Failure) -> Bool

    /// The reports of this pipeline's runs that succeeded, each with what the run read, the newest first, until `each`
    /// returns false.
    func succeededReports(
        _ each: (_ report: String, _ sources: String?) throws(Failure) -> Bool
    ) throws(Failure)

    /// Hands out the runs of this pipeline with saved feeds, the newest first, without what they read and their
    /// reports.
    func archivedRuns(_ each: (LedgerRow) throws(Failure) -> Void) throws(Failure)

    /// Forgets that a run has a saved feed.
    func forgetArchive(ofRun run: Int) throws(Failure)

    /// What is known of the feeds that a pipeline has loaded from web services.
    func fetchMarks(pipeline: String) throws(Failure) -> [FetchMark]

    /// What the store knows of the items of earlier feeds; nil: it keeps nothing of that.
    var fingerprintStore: (any FingerprintStore)? { get }
}

extension OpenStore {
    package var fingerprintStore: (any FingerprintStore)? { nil }

    package var isUncertain: Bool { false }

    package var isReshaped: Bool { false }

    /// What the ledger says of the saved feeds of this pipeline; nil where it cannot be read any more.
    package func archives() throws(Failure) -> [String]? {
        guard keepsLedger else { return nil }
        var archives: [String] = []
        try archivedRuns { archives.append($0.archive ?? "") }
        return archives
    }

    /// The saved feeds of this pipeline that are too many: those of its runs but for the newest, and the last one that
    /// succeeded, with which those that failed since are compared. Once one is deleted, the ledger forgets it.
    ///
    /// - Parameters:
    ///   - keep: of how many runs feeds stay.
    ///   - delete: deletes what the ledger says of a run's feed; false: it could not.
    package func pruneArchive(keep: Int, delete: (_ archive: String) -> Bool) throws(Failure) {
        guard keepsLedger else { return }
        var feeds = 0
        var hasSuccess = false
        var gone: [Int] = []
        try archivedRuns { row in
            feeds += 1
            let isLastSuccess = !hasSuccess && row.hasSucceeded
            hasSuccess = hasSuccess || isLastSuccess
            if feeds > keep, !isLastSuccess, delete(row.archive ?? "") { gone.append(row.run) }
        }
        for run in gone { try forgetArchive(ofRun: run) }
    }
}

/// What programs read of a store that they do not load.
package protocol StoreLedger {
    /// Hands out runs, the newest first, until `each` returns false: those of a pipeline, or all.
    func rows(of pipeline: String?, each: (LedgerRow) throws(Failure) -> Bool) throws(Failure)

    /// The run of a number, of whatever pipeline.
    func row(_ run: Int) throws(Failure) -> LedgerRow?

    /// The last run, where the ledger says that it is running: it may have died since.
    func runUnderWay() throws(Failure) -> Int?

    /// Whether a run holds the store at this moment; true also where that cannot be known.
    func isHeld() throws(Failure) -> Bool

    /// Hands out what waits for its target, what waits longest first.
    ///
    /// - Parameter most: how many; nil: all.
    func unresolved(
        in model: Model, _ filter: UnresolvedFilter, most: Int?, each: (UnresolvedRow) throws(Failure) -> Void
    ) throws(Failure)

    /// How many references wait for their targets.
    func unresolvedCount(in model: Model, _ filter: UnresolvedFilter) throws(Failure) -> Int

    /// Hands out the targets that references wait for, those that most wait for first, until `each` returns
    /// false.
    func missingTargets(
        in model: Model, _ filter: UnresolvedFilter, each: (UnresolvedTarget) throws(Failure) -> Bool
    ) throws(Failure)
}

extension StoreLedger {
    package func runUnderWay() throws(Failure) -> Int? {
        var running: Int?
        try rows(of: nil) { row in
            if row.isRunning { running = row.run }
            // What was forgotten on demand is an entry behind the last run.
            return row.status == "forgot"
        }
        return running
    }
}
