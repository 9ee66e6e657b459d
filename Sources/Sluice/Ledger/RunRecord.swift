import SluiceDefinition
import SluiceExtract
import SluiceLoad
import SluiceRecords
import SluiceReport

/// The entry of a run in the ledger, and the feed that is saved along with it.
final class RunRecord {
    let start: RunStart
    private let definition: PipelineDefinition
    private let options: RunOptions
    private let inputs: [FeedInput]
    private let sources: LedgerSources
    /// Whether the run is to end: then neither is a feed looked through any further, nor the rest of one saved.
    private let isStopped: @Sendable () -> Bool
    /// Nil: the feed is not saved.
    private(set) var archive: FeedArchive?

    init(
        _ definition: PipelineDefinition, _ options: RunOptions, _ inputs: [FeedInput], started: Timestamp,
        isStopped: @escaping @Sendable () -> Bool = { false }
    ) throws(Failure) {
        self.isStopped = isStopped
        self.definition = definition
        self.options = options
        self.inputs = inputs
        sources = LedgerSources(inputs)
        start = RunStart(
            started: started.text, definition: try definition.hash(formats: inputs.map(\.format)),
            sources: sources.json, replayOf: options.replay?.run?.number, version: version)
    }

    /// Prepares to save the feed, if it is to be. That of a replay is saved already.
    func openArchive(_ inputs: [FeedInput]) throws(Failure) -> FeedArchive? {
        guard let settings = definition.archive, options.replay == nil else { return nil }
        if options.isDry {
            try FeedArchive.checkDirectory(settings.directory)
            return nil
        }
        archive = try FeedArchive(
            settings, pipeline: definition.name, store: try definition.location(instead: options.store),
            started: start.started, inputs, isStopped: isStopped)
        return archive
    }

    /// Whether the run looks for absent objects, which the last run with the same feed need not have done.
    private var looksForAbsent: Bool { options.isFull && inputs.contains { $0.source.since != nil } }

    /// Ends a run that has nothing to do: the store has its feed. Returns whether it is so.
    func recordUnchanged(
        _ store: any OpenStore, _ lastRun: LastRun, _ report: inout RunReport
    ) throws(Failure) -> Bool {
        guard !options.force, options.replay == nil, !inputs.isEmpty, !looksForAbsent else { return false }
        let feed = UnchangedFeed(
            inputs: inputs, model: definition.model, lastRun: lastRun, start: start, isStopped: isStopped)
        guard let sources = try feed.sources(now: sources) else { return false }
        let load = try lastLoad(store)
        if mayLoadMore(than: load) { return false }
        report.outcome.status = .unchanged
        report.earlier.load = load
        report.sources = sources.facts
        report.time.finished = .now
        report.run = try recordEnd(of: report, in: store)
        return true
    }

    /// The run that has loaded what this one has read of its sources, if services are among these, and the store is as
    /// that one left it; nil where this one may do more.
    func load(
        ofSame facts: [RunReport.SourceFacts], _ store: any OpenStore, _ lastRun: LastRun
    ) throws(Failure) -> RunReport.Load? {
        guard !options.force, options.replay == nil, !options.isFull,
            inputs.contains(where: { !$0.isFromFiles }), inputs.allSatisfy(\.comesAlike)
        else { return nil }
        var sources = sources
        sources.add(facts)
        let feed = UnchangedFeed(
            inputs: inputs, model: definition.model, lastRun: lastRun, start: start, isStopped: isStopped)
        guard try feed.isKnown(sources), let load = try lastLoad(store), !mayLoadMore(than: load),
            // That run may not have looked for them.
            load.entities.allSatisfy({ $0.counts.keptAbsent == 0 })
        else { return nil }
        return load
    }

    /// Whether the same feed may load more than it did: the run has left out records for want of an object, which it
    /// has made behind them for a reference (a stub).
    private func mayLoadMore(than load: RunReport.Load?) -> Bool {
        guard let load, load.entities.contains(where: { $0.counts.stubs > 0 }) else { return false }
        let waits = definition.model.entities.filter { entity in
            entity.mode == .update || entity.relationships.contains { $0.missing == .reject }
        }
        return load.entities.contains { facts in
            facts.counts.rejected + facts.counts.skipped > 0
                && waits.contains { $0.name.isIdentical(to: facts.name) }
        }
    }

    /// Notes a run that ended before it began to write. Returns its number.
    func recordEnd(of report: RunReport, in store: any OpenStore) throws(Failure) -> Int {
        var noted = report
        return try store.recordEnded(start) { run in
            noted.run = run
            return outcome(of: noted)
        }
    }

    /// The report on the last run of this pipeline that loaded something.
    func lastLoad(_ store: any OpenStore) throws(Failure) -> RunReport.Load? {
        try store.lastSucceeded { report, _ in
            report.run.map { run in
                RunReport.Load(
                    run: run, finished: report.time.finished, entities: report.entities, findings: report.found.counts)
            }
        }
    }

    /// What the ledger keeps in the end.
    func outcome(of report: RunReport) -> RunOutcome {
        var sources = sources
        sources.add(report.sources)
        return RunOutcome(
            status: report.outcome.status.rawValue, finished: report.time.finished.text, report: report.json,
            sources: sources.json,
            archive: archive?.entry?.json, peakMemory: ProcessMemory.peak)
    }
}

extension FeedInput {
    /// Whether the same bytes are the same records: nothing else decides what they are, or what was asked for.
    fileprivate var comesAlike: Bool {
        if source.isNew || source.since != nil { return false }
        switch origin {
        case .files: return LedgerSources.sizes(of: paths) != nil
        // Where one record's answer ends, and the next one's begins, the bytes do not say.
        case .service(let service, _): return service.parents == nil || service.request.pages == nil
        case .objects, .remote: return true
        case .command, .program: return false
        }
    }
}
