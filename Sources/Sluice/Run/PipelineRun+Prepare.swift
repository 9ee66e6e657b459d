import SluiceDefinition
import SluiceExtract
import SluiceFetch
import SluiceLoad
import SluicePosix
import SluiceRecords
import SluiceReport
import SluiceStore
import SluiceTransform

/// The parts that a run works with: making them finds all that can be wrong before the run begins.
struct RunWork {
    let transformer: Transformer
    let news: NewFiles
    /// Nil: findings are not written to a file.
    let findings: FindingsFile?
    let copies: FeedCopies
    let collector: FindingCollector
    let store: any OpenStore
    let lastRun: LastRun
    let record: RunRecord
    /// Nil: all is read, and no fingerprints are left.
    let fingerprints: Fingerprints?
    /// The answers of services that are kept.
    let answers: RunAnswers
    /// By source: what happens on the wire, in both readings where all is read after all.
    let meters: [WireMeter]

    var inputs: [FeedInput] { news.inputs }
}

extension PipelineRun {
    /// - Parameter first: the parts of a first reading, which skipped known items that must be read after all; nil:
    ///   there was none.
    func prepare(_ report: inout RunReport, after first: RunWork?) throws(Failure) -> RunWork {
        let transformer = try Transformer(model: definition.model)
        let all = try allInputs(&report)
        control.meter.enter(.starting)
        // Names of files, for what goes wrong before it is known which are new.
        report.found.feeds = all.map(\.feed)
        // Before the store: of a run that cannot write them, nothing is left.
        let findings = try findingsFile(report.time.started)
        report.task.findings = findings.flatMap { $0.isWrittenInPlace ? nil : $0.path }
        let store = try openStore()
        let lastRun = LastRun(store)
        let news = try NewFiles(
            all, definition, store, lastRun, readsAll: options.isFull, isPartial: isPartial)
        let inputs = news.inputs
        report.found.feeds = inputs.map(\.feed)
        report.task.isReplay = options.replay != nil
        report.task.replaysRejects = isPartial
        control.meter.expect(bytes: FeedInput.byteCount(inputs))
        let copies = FeedCopies(
            copiesPipes: findings != nil || options.copiesPipes,
            paths: FeedInput.localPaths(inputs), forms: FeedInput.forms(inputs),
            checkCancelled: control.cancellation.check)
        let record = try RunRecord(
            definition, options, inputs, started: report.time.started,
            isStopped: { [cancellation = control.cancellation] in cancellation.isRequested })
        let fingerprints = try fingerprints(inputs, store, lastRun, record, findings, readsAll: first != nil)
        let reading: KeptAnswers.Reading =
            first != nil ? .second : fingerprints?.knowsItems == true ? .first : .only
        return RunWork(
            transformer: transformer, news: news, findings: findings, copies: copies,
            collector: collector(
                findings.map { FindingsWriter($0, report.found.feeds, copies, definition.model) }, report),
            store: store, lastRun: lastRun, record: record,
            fingerprints: fingerprints,
            answers: try RunAnswers(
                inputs, definition, location, usesKept: !options.force, writes: !options.isDry, reading: reading,
                after: first?.answers),
            meters: first?.meters
                ?? inputs.map { [control] input in
                    input.distant?.meter ?? WireMeter(onWait: control.meter.update(wait:))
                })
    }

    private func collector(_ writer: FindingsWriter?, _ report: RunReport) -> FindingCollector {
        let collector = FindingCollector(writer, feeds: report.found.feeds, observer: control.onFinding)
        let lacking = definition.model.entities.filter { $0.relationships.contains { $0.missing.rejectsRecords } }
        collector.notedSources = Set(lacking.flatMap(\.sources).filter { definition.sources[$0].isNew })
        return collector
    }

    /// The sources with their files. Where one is not there, the ledger knows of the run all the same: a night without
    /// a feed is one of the nights.
    private func allInputs(_ report: inout RunReport) throws(Failure) -> [FeedInput] {
        do throws(Failure) { return try FeedInput.all(of: definition, options) } catch {
            if error.kind != .usage, options.replay == nil { try? recordNotBegun(&report, error) }
            throw error
        }
    }

    /// Notes a run without feeds in the ledger of a store that is there.
    private func recordNotBegun(_ report: inout RunReport, _ failure: Failure) throws(Failure) {
        guard !options.isDry, location.isThere else { return }
        let store = try openStore()
        guard store.keepsLedger else { return }
        let inputs = definition.sources.map { FeedInput(source: $0, location: $0.location.name, files: []) }
        let record = try RunRecord(definition, options, inputs, started: report.time.started)
        let fingerprints = try fingerprints(inputs, store, LastRun(store), record, nil, readsAll: false)
        fail(&report, failure)
        report.run = try record.recordEnd(of: report, in: store)
        // The row in the ledger is no reason for the next night to read all.
        fingerprints?.confirm()
    }

    /// The fingerprints of the last run, and those for the next one: only of feeds that can be read, or requested, a
    /// second time, since all is read where something contradicts them.
    private func fingerprints(
        _ inputs: [FeedInput], _ store: any OpenStore, _ lastRun: LastRun, _ record: RunRecord,
        _ findings: FindingsFile?, readsAll: Bool
    ) throws(Failure) -> Fingerprints? {
        let canBeReadAgain = inputs.allSatisfy { input in
            // Of files that are new, nothing is known.
            input.web != nil
                || input.isFromFiles && !input.source.isNew
                    && LedgerSources.sizes(of: input.paths) != nil
        }
        guard definition.keeping.fingerprints, commit == .run, !isPartial, canBeReadAgain else { return nil }
        if !options.isDry, location.path == nil, let folder = StateFolder.path { StateFolder.create(folder) }
        // Findings that have been given to a listener cannot be taken back.
        let hasListeners = findings?.isWrittenInPlace == true || control.onFinding != nil
        return try Fingerprints(
            inputs, definition.model, store, lastRun, record.start, isDry: options.isDry,
            readsAll: readsAll || options.force || hasListeners, tableBytes: cacheLimit / 4)
    }

    private func findingsFile(_ started: Timestamp) throws(Failure) -> FindingsFile? {
        // A dry run leaves the findings of the last real one where they are.
        guard let written = options.findings ?? (options.isDry ? nil : definition.findings) else { return nil }
        let path = FindingsName(written: written).name(at: started)
        if ObjectFolder.names(path) { return try .object(path, control) }
        try FindingsName.makeFolder(of: path)
        return try FindingsFile(path) { [cancellation = control.cancellation] in cancellation.isRequested }
    }

    private func openStore() throws(Failure) -> any OpenStore {
        var use = StoreUse(
            model: definition.model, pipeline: definition.name, savesAtEnd: commit == .run)
        use.isDry = options.isDry
        use.place = { [tree = definition.tree] in tree.place($0) }
        use.patience = control.patience
        use.waiting = { [control] message in
            control.onWait(message)
            control.meter.enter(.waiting)
        }
        if let seconds = environmentVariable("SLUICE_TEST_RECONNECT").flatMap(Double.init) { use.reconnects = seconds }
        use.stateFolder = StateFolder.path
        use.isCancelled = { [cancellation = control.cancellation] in cancellation.isRequested }
        use.keptRuns = definition.keeping.runs
        use.keptChanges = definition.keeping.changes
        use.history = definition.keeping.history
        use.questions = definition.questions
        return try location.creatable.open(use)
    }
}
