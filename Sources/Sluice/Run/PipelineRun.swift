import Glibc
import SluiceDefinition
import SluiceLoad
import SluicePosix
import SluiceRecords
import SluiceReport
import SluiceStore
import SluiceStores

/// One execution of a pipeline.
///
/// ```swift
/// let definition = try PipelineDefinition(contentsOf: "stops.jsonc")
/// let report = try await PipelineRun(definition).run { print($0.phase, $0.records) }
/// print(report.text)
/// ```
public struct PipelineRun: Sendable {
    let definition: PipelineDefinition
    var options: RunOptions
    let location: StoreLocation
    let batchSize: Int
    let commit: PipelineDefinition.Commit

    /// A run that has not begun.
    ///
    /// - Throws: where no run can begin: variables that it needs are not set, options are out of their range, or files
    ///   would be written over one another.
    public init(
        _ definition: PipelineDefinition, options: RunOptions = RunOptions()
    ) throws(DefinitionProblems) {
        try definition.requireForRun(options)
        do throws(Failure) {
            try options.check()
            try OutputNames(definition, options).check()
        } catch {
            throw DefinitionProblems([error])
        }
        self.init(checked: definition, options: options)
    }

    /// A run that has not begun, of which all is checked.
    package init(checked definition: PipelineDefinition, options: RunOptions) {
        var options = options
        if options.replay?.run?.isFull == true { options.isFull = true }
        self.definition = definition.forRun(options)
        self.options = options
        // The check of the options refuses what is no address.
        location = (try? definition.location(instead: options.store)) ?? definition.location
        batchSize = options.batchSize ?? definition.batchSize
        commit = options.commit ?? definition.commit
    }

    /// Runs the pipeline. It always returns a report; what ended the run early is the report's `error`.
    package func perform() -> RunReport {
        var report = freshReport()
        do {
            // A dry run only reads the store: it waits for no other run, and no other run waits for it.
            let lock = try lockStore(started: report.time.started)
            defer { lock?.release() }
            try run(&report)
        } catch {
            fail(&report, error)
        }
        control.cancellation.register(leftovers: [])
        control.meter.enter(.ended)
        // A failed run leaves no new store, and so no ledger that would know the number; a dry run is in none.
        if options.isDry || !location.isThere { report.run = nil }
        return report
    }

    /// Whether a run that has failed skipped known items, so that only a run that reads all can say what is wrong. Then
    /// the first run is undone as if it had never begun.
    ///
    /// - Parameter failure: where a service cannot be reached, or refuses, it is not asked a second time.
    private func mustReadAll(_ work: RunWork, _ failure: Failure) -> Bool {
        // A cancelled run may have left a reader behind, which still asks what is known.
        guard !control.cancellation.isRequested, ![.unavailable, .refused].contains(failure.kind),
            let fingerprints = work.fingerprints, fingerprints.hasKnown
        else { return false }
        return fingerprints.retract()
    }

    private func freshReport(started: Timestamp = .now) -> RunReport {
        var report = RunReport(
            .init(pipeline: definition.name, store: location.description, commit: commit, isDry: options.isDry),
            status: .failed,
            started: started, finished: started)
        report.task.isFull = options.isFull
        report.task.allowed = options.allowances.map { ($0.place.text, $0.text) }
        report.cache.limit = cacheLimit
        return report
    }

    /// The report of a run that could not even begin.
    func notBegun(_ failure: Failure) -> RunReport {
        var report = freshReport()
        fail(&report, failure)
        return report
    }

    private func lockStore(started: Timestamp) throws(Failure) -> StoreLock? {
        guard !options.isDry, let path = location.path else { return nil }
        let lock = try StoreLock(
            store: path,
            holder: .init(process: Int(getpid()), pipeline: definition.name, started: started.text), control: control)
        let built = commit == .run ? [StorePath.creatable(path) + ".sluice-new"] : []
        control.cancellation.register(leftovers: [lock.path] + built)
        return lock
    }

    var cacheLimit: Int { options.cacheLimit ?? Loader.defaultCacheLimit }

    var control: RunControl { options.control }

    /// Whether the run is about a few records that were mended: they say nothing about their feed.
    var isPartial: Bool { options.replay?.isPartial == true }

    /// Notes what ended the run.
    func fail(_ report: inout RunReport, _ failure: Failure) {
        report.time.finished = .now
        report.outcome.error = failure
        // A store that nobody reaches is not waited for a second time, nor any server once the run is to end.
        let isReached = ![.unavailable, .refused].contains(failure.kind) && !control.cancellation.isRequested
        if failure.kind != .busy, location.path != nil || isReached { noteStanding(&report) }
        // A run that is cancelled while it waits for another program's lock fails with `busy`.
        guard [.cancelled, .busy].contains(failure.kind), control.cancellation.isRequested else {
            report.outcome.status = .failed
            return
        }
        report.outcome.status = .cancelled
        report.outcome.signal = control.cancellation.signal
        // The cancellation is reported, not the errors of the statements that it interrupted.
        do throws(Failure) { try control.cancellation.check() } catch { report.outcome.error = error }
    }

    /// Notes since when no run has succeeded, for a run that has not.
    func noteStanding(_ report: inout RunReport) {
        guard report.earlier.standing == nil, !options.isDry, location.isThere, let ledger = try? location.ledger()
        else { return }
        report.earlier.standing = try? RunReport.Standing(
            ledger, of: definition.name, before: report.run, started: report.time.started)
    }

    /// Ends a run whose feed the store has already.
    private func undo(_ work: RunWork, _ report: inout RunReport) throws(Failure) {
        try rollBack(work, &report)
        work.fingerprints?.confirm()
        work.record.archive?.end(work.store, isNoted: true)
    }

    /// The course of a run. A failure after it has begun is noted in the ledger, if there is one; a failure before is
    /// thrown.
    ///
    /// - Parameter first: the parts of a first reading: then no items of the feeds are skipped as known.
    private func run(_ report: inout RunReport, after first: RunWork? = nil) throws(Failure) {
        let work = try prepare(&report, after: first)
        defer { work.answers.end(report) }
        if try work.record.recordUnchanged(work.store, work.lastRun, &report) {
            work.fingerprints?.confirm()
            return
        }
        let end: RunEnd
        do throws(Failure) {
            let begun = try begin(work, &report)
            guard let marks = try execute(begun, &report) else { return try undo(work, &report) }
            end = try settle(begun, marks, &report)
        } catch {
            if mustReadAll(work, error) {
                work.answers.handOver()
                report = freshReport(started: report.time.started)
                return try run(&report, after: work)
            }
            end = abandon(work, &report, error)
        }
        if !end.isStored { work.fingerprints?.confirm() }
        work.record.archive?.end(work.store, isNoted: end.isNoted)
        publish(work.findings, end, &report)
    }
}
