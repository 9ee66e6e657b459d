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
        report.isDry = options.isDry
        report.cache.limit = cacheLimit
        do {
            // A dry run only reads the store: it waits for nobody, and nobody for it.
            let lock = options.isDry ? nil : try lockStore(started: now)
            defer { lock?.release() }
            try run(&report)
        } catch {
            fail(&report, error)
        }
        control.cancellation.note(leftovers: [])
        control.meter.enter(.ended)
        // A failed run leaves no new store, and so no ledger that would know the number; a dry run is in none.
        if options.isDry || !SQLiteStore.isThere(storePath) { report.run = nil }
        return report
    }

    private func lockStore(started: Timestamp) throws(Failure) -> StoreLock {
        let lock = try StoreLock(
            store: storePath,
            holder: .init(process: Int(getpid()), pipeline: definition.name, started: started.text), control: control)
        let built = commit == .run ? [StorePath.creatable(storePath) + ".sluice-new"] : []
        control.cancellation.note(leftovers: [lock.path] + built)
        return lock
    }

    private var cacheLimit: Int { options.cacheLimit ?? Loader.defaultCacheLimit }

    private var control: RunControl { options.control }

    /// Whether the run is about a few records that were mended: they say nothing about their feed.
    private var isPartial: Bool { options.replay?.isPartial == true }

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
        report.isReplay = options.replay != nil
        control.meter.expect(bytes: FeedPlan.byteCount(plans))
        let findings = try findingsFile()
        let copies = FeedCopies(
            copiesPipes: findings != nil || options.copiesPipes, checkCancelled: control.cancellation.check)
        let collector = FindingCollector(findings.map { FindingsWriter($0, report.feeds, copies) })
        let store = try SQLiteStore(
            path: StorePath.creatable(storePath), model: definition.model, pipeline: definition.name,
            buildsBeside: commit == .run, isDry: options.isDry, place: { [tree = definition.tree] in tree.place($0) },
            isCancelled: { [cancellation = control.cancellation] in cancellation.isRequested })
        store.ledgerKeep = definition.ledgerKeep
        var record = try RunRecord(
            definition, options, plans, started: report.started,
            isStopped: { [cancellation = control.cancellation] in cancellation.isRequested })
        if try record.noteUnchanged(store, &report) { return }
        var (isStored, isNoted) = (false, false)
        do {
            report.run = try store.begin(record.start)
            let web = try WebFeeds(plans, definition, store, isConditional: !options.force)
            defer { web.end() }
            control.cancellation.whenRequested { web.stop() }
            defer { control.cancellation.whenRequested(nil) }
            if try web.areUnchanged() {
                report.lastLoad = try record.lastLoad(store)
                report.status = .unchanged
                return try rollBack(store, record, &report)
            }
            if commit == .batch { try store.replaceFetchMarks([], pipeline: definition.name) }
            let archive = try record.openArchive(plans)
            let reading = FeedReading(
                plans, definition.model, transformer, batchSize: batchSize, copies: copies, web: web,
                meter: control.meter, archive: archive)
            try load(reading, store, collector, &report)
            try finish(collector, copies, &report)
            report.exceeded = definition.limits.exceeded(report.entities)
            if !isPartial { report.exceeded += try definition.shortages(report.entities, store) }
            report.status = report.exceeded.isEmpty ? .succeeded : .failed
            report.finished = .now
            let isSaved = report.status == .succeeded || commit == .batch && !report.holdsTooLittle
            try archive?.finish(run: isSaved || store.keepsLedger ? report.run : nil)
            if isSaved {
                control.meter.enter(.saving)
                try store.replaceFetchMarks(
                    report.status == .succeeded ? web.marks(plans) : [], pipeline: definition.name)
                try store.commit(record.outcome(of: report))
                isStored = true
            } else {
                try rollBack(store, record, &report)
            }
            isNoted = true
        } catch {
            fail(&report, error)
            // The first failure counts: neither that findings cannot be written nor that the store cannot even be
            // rolled back adds to it.
            try? finish(collector, copies, &report)
            try? record.archive?.finish(run: store.keepsLedger ? report.run : nil)
            isNoted = (try? rollBack(store, record, &report)) != nil && store.keepsLedger
        }
        record.archive?.end(store, isNoted: isNoted)
        if isStored || !isReplayed(findings) { publish(findings, &report) }
    }

    /// Whether the findings would take the place of the rejects that are replayed: these stay until their records are
    /// stored, as they are nowhere else.
    private func isReplayed(_ findings: FindingsFile?) -> Bool {
        guard let findings, let replay = options.replay, replay.isPartial else { return false }
        let isSame = replay.sources.values.joined().contains { FileIdentity($0.path) == FileIdentity(findings.path) }
        if isSame { control.note("\(findings.path) stays as it was: its records are not stored") }
        return isSame
    }

    private func publish(_ findings: FindingsFile?, _ report: inout RunReport) {
        do throws(Failure) {
            try findings?.publish()
        } catch {
            if report.error == nil { report.findingsFailure = error }
        }
    }

    /// Undoes what the run has done, which takes its time as well.
    private func rollBack(
        _ store: SQLiteStore, _ record: RunRecord, _ report: inout RunReport
    ) throws(Failure) {
        var isNoted = false
        defer { if !isNoted { report.finished = .now } }
        try store.rollback {
            isNoted = true
            report.finished = .now
            return record.outcome(of: report)
        }
    }

    private func findingsFile() throws(Failure) -> FindingsFile? {
        // A dry run leaves the findings of the last real one where they are.
        guard let path = options.findings ?? (options.isDry ? nil : definition.findings) else { return nil }
        return try FindingsFile(path)
    }

    /// Writes the findings out before anything is saved: a run whose findings are lost is a failed one.
    private func finish(
        _ collector: FindingCollector, _ copies: FeedCopies, _ report: inout RunReport
    ) throws(Failure) {
        defer { report.examples = collector.examples }
        try collector.finish(copies, definition.model)
    }

    /// The main flow: one thread reads and transforms batches, this one loads them; then what waited is resolved.
    private func load(
        _ reading: FeedReading, _ store: SQLiteStore, _ collector: FindingCollector, _ report: inout RunReport
    ) throws(Failure) {
        let loader = try Loader(
            definition.model, store,
            .init(
                batchSize: batchSize, shortcuts: commit == .run ? .all : .betweenSaves, cacheLimit: cacheLimit,
                checkCancelled: control.cancellation.check),
            collector)
        let monitor = RunMonitor()
        var drift: DriftFindings?
        defer {
            let counts = loader.counts
            report.entities = definition.model.entities.enumerated().map { index, entity in
                .init(
                    name: entity.name, relationships: entity.relationships.map(\.name), counts: counts[index],
                    existing: loader.countBefore(index))
            }
            drift?.note(in: &report)
            report.findings = collector.counts
            report.lacking = collector.lacking
            report.course = monitor.result
            report.cache = .init(
                objects: loader.cacheCount, bytes: loader.cacheByteCount,
                identifierBytes: loader.cacheIdentifierByteCount, peakBytes: loader.cachePeakByteCount,
                limit: cacheLimit)
        }
        let load = { (batch: RecordBatch) throws(Failure) in
            var isLoaded = false
            let records = batch.recordCount
            // A service must not be waited for by a run that has failed.
            defer { if !isLoaded { reading.stop() } }
            try loader.load(batch)
            if commit == .batch { try store.saveBatch() }
            try collector.batchEnded()
            monitor.add(records: records)
            control.meter.note(records: records, findings: collector.counts.values.reduce(0, +))
            isLoaded = true
        }
        // What was found out until a failure is worth telling.
        defer { try? loader.reportDuplicates() }
        control.meter.enter(.reading)
        try monitor.watch { () throws(Failure) in
            let facts = try read(reading, load)
            monitor.endReading()
            control.meter.enter(.linking)
            report.sources = zip(reading.plans, facts).map { plan, facts in
                .init(
                    name: plan.source.name, location: plan.location, bytes: facts.bytes, values: facts.values,
                    sha256: facts.sha256)
            }
            // A few records that were mended say nothing about the feed.
            if !isPartial {
                let check = YieldCheck(definition: definition, plans: reading.plans)
                check.report(facts, to: collector)
                collector.baseline = try Baseline.last(in: store)
                let found = DriftFindings(
                    definition.model, facts.map(\.drift), reading.census, collector.baseline,
                    comesWhole: definition.sources.map { !$0.isIncremental })
                found.report(to: collector)
                drift = found
                try check.check(facts)
            }
            control.meter.note(records: 0, findings: collector.counts.values.reduce(0, +))
            try loader.finish()
        }
    }
}

extension PipelineRun {
    private func read(
        _ reading: FeedReading, _ load: (RecordBatch) throws(Failure) -> Void
    ) throws(Failure) -> [FeedFacts] {
        do throws(Failure) {
            return try BatchQueue<[FeedFacts]>(model: definition.model).run(
                reader: { reading.readAll($0) }, loader: load, checkCancelled: control.cancellation.check)
        } catch {
            // A download that was broken off for it is not what has gone wrong.
            try control.cancellation.check()
            throw error
        }
    }
}

extension RunReport {
    /// Whether the run would delete more than it may, or read fewer records than it must. Then not even a run that saves its batches keeps what came after
    /// the last of them: a feed that comes back half empty must not empty the table.
    fileprivate var holdsTooLittle: Bool {
        exceeded.contains { ["deletes", ExceededLimit.records].contains($0.limit) }
    }
}
