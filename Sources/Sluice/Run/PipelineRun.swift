import Extract
import Load
import Records
import Transform

/// One execution of a pipeline.
///
///     let definition = try PipelineDefinition.read(file: "transit.jsonc", environment: environment, checks: .all)
///     let report = PipelineRun(definition).perform()
public struct PipelineRun {
    private let definition: PipelineDefinition
    private let options: RunOptions
    private let storePath: String
    private let batchSize: Int
    private let commit: PipelineDefinition.Commit

    public init(_ definition: PipelineDefinition, options: RunOptions = RunOptions()) {
        self.definition = definition
        self.options = options
        storePath = options.store ?? definition.store
        batchSize = options.batchSize ?? definition.batchSize
        commit = options.commit ?? definition.commit
    }

    /// Runs the pipeline. It always returns a report; what ended the run early is the report's `error`.
    public func perform() -> RunReport {
        let now = Timestamp.now
        var report = RunReport(
            pipeline: definition.name, run: nil, status: .failed, error: nil, started: now, finished: now,
            commit: commit, store: storePath)
        do {
            try run(&report)
        } catch {
            report.status = .failed
            report.error = error
            report.finished = .now
        }
        // A failed run leaves no new store, and so no ledger that would know the number.
        if !SQLiteStore.isThere(storePath) { report.run = nil }
        return report
    }

    private func run(_ report: inout RunReport) throws(Failure) {
        let transformer = try Transformer(model: definition.model)
        let plans = try FeedPlan.plan(definition, options)
        report.feeds = plans.map(\.feed)
        let findings = try findingsFile()
        let copies = FeedCopies(copiesPipes: findings != nil || options.copiesPipes)
        let collector = FindingCollector(findings.map { FindingsWriter($0, report.feeds, copies) })
        let store = try SQLiteStore(
            path: storePath, model: definition.model, pipeline: definition.name, buildsBeside: commit == .run,
            place: { [tree = definition.tree] in tree.place($0) })
        do {
            report.run = try store.begin(started: report.started.text)
            let web = try WebFeeds(plans, definition, store, isConditional: options.isConditional)
            defer { web.end() }
            if try web.areUnchanged() { return try end(store, .unchanged, &report) }
            if commit == .batch { try store.replaceFetchMarks([], pipeline: definition.name) }
            let reading = FeedReading(
                plans, definition.model, transformer, batchSize: batchSize, copies: copies, web: web)
            try load(reading, store, collector, &report)
            try finish(collector, copies, &report)
            report.exceeded = definition.limits.exceeded(report.entities)
            report.status = report.exceeded.isEmpty ? .succeeded : .failed
            report.finished = .now
            if report.status == .succeeded || commit == .batch && !report.deletesTooMany {
                try store.replaceFetchMarks(
                    report.status == .succeeded ? web.marks(plans) : [], pipeline: definition.name)
                try store.commit(report.outcome)
            } else {
                try store.rollback(report.outcome)
            }
        } catch {
            report.status = .failed
            report.error = error
            report.finished = .now
            // The first failure is what counts: neither that findings cannot be written nor that the store cannot even be
            // rolled back adds to it.
            try? finish(collector, copies, &report)
            try? store.rollback(report.outcome)
        }
        do {
            try findings?.publish()
        } catch {
            if report.error == nil { report.findingsFailure = error }
        }
    }

    /// Ends a run that has nothing to do.
    private func end(
        _ store: SQLiteStore, _ status: RunReport.Status, _ report: inout RunReport
    ) throws(Failure) {
        report.status = status
        report.finished = .now
        try store.rollback(report.outcome)
    }

    private func findingsFile() throws(Failure) -> FindingsFile? {
        guard let path = options.findings ?? definition.findings else { return nil }
        return try FindingsFile(path)
    }

    /// Writes the findings out before anything is saved: a run whose findings are lost is a failed one.
    private func finish(
        _ collector: FindingCollector, _ copies: FeedCopies, _ report: inout RunReport
    ) throws(Failure) {
        defer { report.examples = collector.examples }
        try collector.finish(copies)
    }

    /// The main flow: one thread reads and transforms batches, this one loads them; then what waited is resolved.
    private func load(
        _ reading: FeedReading, _ store: SQLiteStore, _ collector: FindingCollector, _ report: inout RunReport
    ) throws(Failure) {
        let loader = try Loader(
            definition.model, store, .init(batchSize: batchSize, defersRecords: commit == .run), collector)
        let monitor = RunMonitor()
        defer {
            report.entities = definition.model.entities.enumerated().map { index, entity in
                .init(
                    name: entity.name, relationships: entity.relationships.map(\.name), counts: loader.counts[index],
                    existing: loader.countBefore(index))
            }
            report.findings = collector.counts
            report.course = monitor.result
            report.cache = .init(
                objects: loader.cacheCount, bytes: loader.cacheByteCount,
                identifierBytes: loader.cacheIdentifierByteCount)
        }
        let load = { (batch: RecordBatch) throws(Failure) in
            var isLoaded = false
            // A service must not be waited for by a run that has failed.
            defer { if !isLoaded { reading.stop() } }
            try loader.load(batch)
            if commit == .batch { try store.saveBatch() }
            try collector.batchEnded()
            monitor.add(records: batch.rowCount)
            isLoaded = true
        }
        try monitor.watch { () throws(Failure) in
            let facts = try BatchQueue<[FeedFacts]>(model: definition.model).run(
                reader: { reading.readAll($0) }, loader: load)
            monitor.endReading()
            report.sources = zip(reading.plans, facts).map { plan, facts in
                .init(
                    name: plan.source.name, location: plan.location, bytes: facts.bytes, values: facts.values,
                    sha256: facts.sha256)
            }
            DriftFindings(definition.model, facts.map(\.drift)).report(to: collector)
            try loader.finish()
        }
    }
}

extension RunReport {
    /// Whether the run would delete more than it may. Then not even a run that saves its batches keeps what came after
    /// the last of them: a feed that comes back half empty must not empty the table.
    fileprivate var deletesTooMany: Bool { exceeded.contains { $0.limit == "deletes" } }

    /// What the ledger keeps of it.
    var outcome: RunOutcome {
        RunOutcome(status: status.rawValue, finished: finished.text, report: json)
    }
}
