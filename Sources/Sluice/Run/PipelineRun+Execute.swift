import SluiceDefinition
import SluiceExtract
import SluiceLoad
import SluiceRecords
import SluiceReport
import SluiceStores

/// A run that has begun in its store.
struct BegunRun {
    let work: RunWork
    let run: any StoreRun
    /// Whether the store was as the last run left it.
    let isAsLeft: Bool
}

extension PipelineRun {
    /// Begins the run in the store.
    func begin(_ work: RunWork, _ report: inout RunReport) throws(Failure) -> BegunRun {
        // A service may say that nothing is new only of a store that is as the last run left it.
        let asksServices = work.inputs.contains { $0.web != nil }
        let isAsLeft = asksServices ? try work.lastRun.row() != nil : true
        let run = try work.store.begin(work.record.start)
        report.run = run.number
        return BegunRun(work: work, run: run, isAsLeft: isAsLeft)
    }

    private func downloadSettings(_ begun: BegunRun, _ marks: SinceMarks, started: Timestamp) -> WebFeeds.Settings {
        var settings = WebFeeds.Settings(since: marks)
        settings.isConditional = begun.isAsLeft && !options.force
        settings.started = started
        (settings.answers, settings.meters) = (begun.work.answers, begun.work.meters)
        settings.onRetry = control.onRetry
        return settings
    }

    /// Reads and loads the feeds into the store, without committing. Returns what services said of the versions that
    /// were read; nil: the store has their feeds already.
    func execute(_ begun: BegunRun, _ report: inout RunReport) throws(Failure) -> [FetchMark]? {
        let (work, run) = (begun.work, begun.run)
        try work.fingerprints?.begin(run)
        let marks = try SinceMarks(
            definition, work.store, work.lastRun, run: report.run, hash: work.record.start.definition, commit: commit)
        let since = try SinceWatch(definition, marks, started: report.time.started)
        let web = try WebFeeds(
            work.inputs, definition, work.store, downloadSettings(begun, marks, started: report.time.started), run: run)
        defer {
            web.end()
            report.wire = web.wire(work.inputs)
        }
        let program = ProgramFeeds()
        defer { program.stop() }
        control.cancellation.whenRequested {
            web.stop()
            program.stop()
        }
        defer { control.cancellation.whenRequested(nil) }
        var isUnchanged = work.news.areNone
        if !isUnchanged { isUnchanged = try web.areUnchanged() }
        if isUnchanged {
            noteUnchanged(&report, try work.record.lastLoad(work.store))
            return nil
        }
        work.collector.baseline = try Baseline.ofLastRun(in: work.store)
        if commit == .batch {
            try run.replaceFetchMarks(work.news.before, pipeline: definition.name)
            try work.store.fingerprintStore?.replaceFingerprints(nil)
        }
        let reading = FeedReading(
            work, definition, options, batchSize: batchSize, web, program,
            archive: try work.record.openArchive(work.inputs), fit: try run.fit)
        let asBegun = report
        if let known = try load(reading, begun, web, since, &report) {
            let sources = report.sources
            report = asBegun
            report.sources = sources
            noteUnchanged(&report, known)
            return nil
        }
        return web.marks(work.inputs)
    }

    private func noteUnchanged(_ report: inout RunReport, _ load: RunReport.Load?) {
        report.earlier.load = load
        report.outcome.status = .unchanged
    }

    /// The run that has loaded what this one has read; nil: this one may do something else, or has done something that
    /// cannot be undone.
    private func knownLoad(
        _ sources: ReadSources, _ work: RunWork, _ web: WebFeeds, _ report: RunReport
    ) throws(Failure) -> RunReport.Load? {
        guard commit == .run, control.onFinding == nil, work.findings?.isWrittenInPlace != true,
            sources.shifting.isEmpty, !work.answers.areOfOthers.contains(true)
        else { return nil }
        // What a service says of versions for the first time is to be kept.
        let marks = try work.store.fetchMarks(pipeline: definition.name)
        let areKnown = web.marks(work.inputs).allSatisfy { mark in
            marks.contains { $0.source.isIdentical(to: mark.source) && $0.request.isIdentical(to: mark.request) }
        }
        guard areKnown else { return nil }
        return try work.record.load(ofSame: report.sources, work.store, work.lastRun)
    }

    private func loaderOptions(_ work: RunWork) -> Loader.Options {
        var loaderOptions = Loader.Options(
            batchSize: batchSize, shortcuts: commit == .run ? .all : .betweenSaves, cacheLimit: cacheLimit,
            goneIdentifiers: StoreLocation.makeGoneIdentifiers, checkCancelled: control.cancellation.check,
            recordsItems: work.fingerprints != nil, knowsItems: work.fingerprints?.knowsItems == true)
        if let bytes = options.filterBytes {
            (loaderOptions.identifierOrder, loaderOptions.filterBytes) = (.random, bytes)
        }
        return loaderOptions
    }

    /// The main flow: one thread reads batches, this one loads them, and the thread that would wait for the other
    /// transforms them; then what waited is resolved. Returns the run that had loaded the same, if that is so.
    private func load(
        _ reading: FeedReading, _ begun: BegunRun, _ web: WebFeeds, _ since: SinceWatch, _ report: inout RunReport
    ) throws(Failure) -> RunReport.Load? {
        let work = begun.work
        let loader = try Loader(definition.model, begun.run, loaderOptions(work), work.collector)
        let monitor = RunMonitor()
        let queue = BatchQueue<[FeedFacts]>(model: definition.model, prepare: reading.prepare)
        var drift: DriftFindings?
        defer {
            // A cancelled run does not wait for a reader that is stuck.
            if queue.hasEnded { work.fingerprints?.count(in: loader, reading.census) }
            describe(loader, drift, begun, &report)
            report.course = monitor.result
        }
        // A replay is to look for absent objects where the run does; should the run fail, too.
        var shifting: Set<Int> = []
        defer { work.record.archive?.describe(partial: definition.newsSources, shifting: shifting) }
        // Duplicates that were found before a failure are reported, too.
        defer { try? loader.reportDuplicates() }
        control.meter.enter(.reading)
        var known: RunReport.Load?
        try monitor.watch { () throws(Failure) in
            let facts = try readFeeds(reading, queue, work, loader, monitor) { batch throws(Failure) in
                since.observe(batch)
                try load(batch, loader, begun)
            }
            let sources = ReadSources(facts, definition, work, web, started: report.time.started)
            report.known = work.fingerprints?.knownRecords ?? 0
            shifting = sources.shifting
            report.sources = sources.reported(since)
            known = try knownLoad(sources, work, web, report)
            if known != nil { return }
            control.meter.enter(.linking)
            // A few records that were mended say nothing about the feed.
            if !isPartial { try judge(sources.facts, reading, work, web) { drift = $0 } }
            meter(0, work.collector)
            try finish(loader, sources, work)
            report.sources = sources.reported(since, loader.counts)
        }
        return known
    }

    /// Reads all feeds, whose batches are loaded one after the other, and counts what was known of them. Returns what
    /// the reading of each has given.
    private func readFeeds(
        _ reading: FeedReading, _ queue: BatchQueue<[FeedFacts]>, _ work: RunWork, _ loader: Loader,
        _ monitor: RunMonitor, _ load: (RecordBatch) throws(Failure) -> Void
    ) throws(Failure) -> [FeedFacts] {
        var facts = try read(reading, queue) { batch throws(Failure) in
            let records = batch.recordCount + batch.items.knownCount
            var isLoaded = false
            // A service must not be waited for by a run that has failed.
            defer { if !isLoaded { reading.stop() } }
            try load(batch)
            monitor.add(records: records)
            meter(records, work.collector)
            isLoaded = true
        }
        work.fingerprints?.count(in: loader, reading.census)
        work.fingerprints?.addKnownDrift(to: &facts, reading.census)
        monitor.endReading()
        return facts
    }

    /// Loads a batch, and saves it where each is.
    private func load(_ batch: RecordBatch, _ loader: Loader, _ begun: BegunRun) throws(Failure) {
        try loader.load(batch)
        begun.work.fingerprints?.observe(batch)
        if commit == .batch { try begun.run.saveBatch() }
        try begun.work.collector.batchEnded()
    }

    /// Resolves what waited, once all feeds are read.
    private func finish(_ loader: Loader, _ sources: ReadSources, _ work: RunWork) throws(Failure) {
        for entity in Set(sources.facts.flatMap(\.drift.hidden)) { loader.insert(.hiddenRecords, of: entity) }
        for entity in definition.model.entities.indices where definition.mayShift(entity: entity, sources.shifting) {
            loader.insert(.shiftingPages, of: entity)
        }
        try loader.finish()
        for (index, entity) in definition.model.entities.enumerated()
        where definition.limits.hasShare(of: .updates, in: entity.name) { try loader.countBeforeUpdates(of: index) }
        try work.fingerprints?.check(loader)
        work.fingerprints?.exclude(of: loader)
    }

    private func read(
        _ reading: FeedReading, _ queue: BatchQueue<[FeedFacts]>, _ load: (RecordBatch) throws(Failure) -> Void
    ) throws(Failure) -> [FeedFacts] {
        do throws(Failure) {
            return try queue.run(
                reader: { reading.readAll($0) }, loader: load, checkCancelled: control.cancellation.check)
        } catch {
            // A cancelled run breaks off its downloads: the cancellation is the failure, not the download.
            try control.cancellation.check()
            throw error
        }
    }

    private func meter(_ records: Int, _ collector: FindingCollector) {
        control.meter.update(records: records, findings: collector.counts.values.reduce(0, +))
    }

    /// Reports what the feeds lack, and how they differ from those of the run before. Throws where they gave nothing,
    /// after all reports.
    private func judge(
        _ facts: [FeedFacts], _ reading: FeedReading, _ work: RunWork, _ web: WebFeeds,
        _ note: (DriftFindings) -> Void
    ) throws(Failure) {
        let check = YieldCheck(
            definition: definition, inputs: reading.inputs, census: reading.census,
            notFound: facts.indices.map(web.notFound(of:)))
        check.report(facts, to: work.collector)
        let drift = DriftFindings(
            definition.model, facts.map(\.drift), reading.census, work.collector.baseline,
            comesWhole: definition.sources.indices.map { !definition.partialSources.contains($0) })
        drift.report(to: work.collector)
        note(drift)
        try check.check(facts)
    }

    /// Notes what was loaded and found, as far as the run came.
    private func describe(
        _ loader: Loader, _ drift: DriftFindings?, _ begun: BegunRun, _ report: inout RunReport
    ) {
        let (counts, collector) = (loader.counts, begun.work.collector)
        report.entities = definition.model.entities.enumerated().map { index, entity in
            .init(
                name: entity.name, relationships: entity.relationships.map(\.name), counts: counts[index],
                existing: loader.countBefore(index))
        }
        for (index, entity) in definition.model.entities.enumerated() {
            if entity.marksAbsent { report.entities[index].marks = true }
            report.entities[index].firstDeleted = loader.firstDeleted(index)
        }
        for (entity, attribute) in begun.run.convertedAttributes {
            report.entities[entity].converted.append(definition.model.entities[entity].attributes[attribute].name)
        }
        drift?.addFacts(to: &report)
        // A run has nothing to tell of what belongs to programs.
        report.entities = zip(report.entities, definition.model.entities).filter { !$0.1.isOfPrograms }.map(\.0)
        report.found.counts = collector.counts
        report.found.news = collector.news
        report.found.digests = collector.digests
        report.found.missingTargets = collector.mostMissing
        report.cache = .init(
            objects: loader.cacheCount, bytes: loader.cacheByteCount,
            identifierBytes: loader.cacheIdentifierByteCount, peakBytes: loader.cachePeakByteCount,
            limit: cacheLimit)
    }
}
