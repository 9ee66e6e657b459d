import Extract
import Glibc
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
            let lock = try StoreLock(
                store: storePath,
                holder: .init(process: Int(getpid()), pipeline: definition.name, started: now.text), control: control)
            defer { lock.release() }
            let built = commit == .run ? [StorePath.creatable(storePath) + ".sluice-new"] : []
            control.cancellation.note(leftovers: [lock.path] + built)
            try run(&report)
        } catch {
            fail(&report, error)
        }
        control.cancellation.note(leftovers: [])
        control.meter.enter(.ended)
        // A failed run leaves no new store, and so no ledger that would know the number.
        if !SQLiteStore.isThere(storePath) { report.run = nil }
        return report
    }

    private var control: RunControl { options.control }

    /// Notes what ended the run.
    private func fail(_ report: inout RunReport, _ failure: Failure) {
        report.finished = .now
        report.error = failure
        // Who waited for another program's lock was told of the lock.
        guard [.cancelled, .busy].contains(failure.kind), let signal = control.cancellation.signal else {
            report.status = .failed
            return
        }
        report.status = .cancelled
        report.signal = signal
        // What interrupted statements say is not what people want to know.
        do throws(Failure) { try control.cancellation.check() } catch { report.error = error }
    }

    private func run(_ report: inout RunReport) throws(Failure) {
        let transformer = try Transformer(model: definition.model)
        let plans = try FeedPlan.plan(definition, options)
        control.meter.enter(.starting)
        report.feeds = plans.map(\.feed)
        control.meter.expect(bytes: FeedPlan.byteCount(plans))
        let findings = try findingsFile()
        let copies = FeedCopies(
            copiesPipes: findings != nil || options.copiesPipes, checkCancelled: control.cancellation.check)
        let collector = FindingCollector(findings.map { FindingsWriter($0, report.feeds, copies) })
        let reading = FeedReading(
            plans, definition.model, transformer, batchSize: batchSize, copies: copies, meter: control.meter)
        let store = try SQLiteStore(
            path: StorePath.creatable(storePath), model: definition.model, pipeline: definition.name,
            buildsBeside: commit == .run,
            place: { [tree = definition.tree] in tree.place($0) },
            isCancelled: { [cancellation = control.cancellation] in cancellation.isRequested })
        do {
            report.run = try store.begin(started: report.started.text)
            try load(reading, store, collector, &report)
            try finish(collector, copies, &report)
            report.exceeded = definition.limits.exceeded(report.entities)
            report.status = report.exceeded.isEmpty ? .succeeded : .failed
            report.finished = .now
            if report.status == .succeeded || commit == .batch && !report.deletesTooMany {
                control.meter.enter(.saving)
                try store.commit(report.outcome)
            } else {
                try store.rollback(report.outcome)
            }
        } catch {
            fail(&report, error)
            // The first failure counts: neither that findings cannot be written nor that the store cannot even be
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
            definition.model, store,
            .init(
                batchSize: batchSize, defersRecords: commit == .run, checkCancelled: control.cancellation.check),
            collector)
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
            try loader.load(batch)
            if commit == .batch { try store.saveBatch() }
            try collector.batchEnded()
            monitor.add(records: batch.rowCount)
            control.meter.note(records: batch.rowCount, findings: collector.counts.values.reduce(0, +))
        }
        control.meter.enter(.reading)
        try monitor.watch { () throws(Failure) in
            let facts = try BatchQueue<[FeedFacts]>(model: definition.model).run(
                reader: { reading.readAll($0) }, loader: load, checkCancelled: control.cancellation.check)
            monitor.endReading()
            control.meter.enter(.linking)
            report.sources = zip(reading.plans, facts).map { plan, facts in
                .init(
                    name: plan.source.name, location: plan.location, bytes: facts.bytes, values: facts.values,
                    sha256: facts.sha256)
            }
            DriftFindings(definition.model, facts.map(\.drift)).report(to: collector)
            control.meter.note(records: 0, findings: collector.counts.values.reduce(0, +))
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
