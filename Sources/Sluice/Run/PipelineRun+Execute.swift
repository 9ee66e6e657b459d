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

    /// Reads and loads the feeds into the store, without committing. Returns what services said of the versions that
    /// were read; nil: they have nothing new, and nothing was read.
    func execute(_ begun: BegunRun, _ report: inout RunReport) throws(Failure) -> [FetchMark]? {
        let (work, run) = (begun.work, begun.run)
        try work.fingerprints?.begin(run)
        let marks = try SinceMarks(
            definition, work.store, work.lastRun, run: report.run, hash: work.record.start.definition, commit: commit)
        let watch = try SinceWatch(definition, marks, started: report.time.started)
        let web = try WebFeeds(
            work.inputs, definition, work.store, run, since: marks, isConditional: begun.isAsLeft && !options.force,
            started: report.time.started, answers: work.answers,
            meters: work.meters, onRetry: control.onRetry)
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
            report.earlier.load = try work.record.lastLoad(work.store)
            report.outcome.status = .unchanged
            return nil
        }
        work.collector.baseline = try Baseline.last(in: work.store)
        if commit == .batch {
            try run.replaceFetchMarks(work.news.before, pipeline: definition.name)
            try work.store.fingerprintStore?.replaceFingerprints(nil)
        }
        let reading = FeedReading(
            work.inputs, definition.model, work.transformer, batchSize: batchSize, copies: work.copies, web: web,
            program: program, meter: control.meter,
            archive: try work.record.openArchive(work.inputs),
            fit: try run.fit, noting: work.fingerprints?.noting,
            rejectsLines: definition.limits.allowRejects, unmended: options.replay?.unmended,
            onComplaint: control.onComplaint,
            checkCancelled: control.cancellation.check)
        try load(reading, begun, web, (watch, marks), &report)
        return web.marks(work.inputs)
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
    /// transforms them; then what waited is resolved.
    private func load(
        _ reading: FeedReading, _ begun: BegunRun, _ web: WebFeeds, _ since: (watch: SinceWatch, marks: SinceMarks),
        _ report: inout RunReport
    ) throws(Failure) {
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
        try monitor.watch { () throws(Failure) in
            var facts = try readFeeds(reading, queue, work, loader, monitor) { batch throws(Failure) in
                since.watch.observe(batch)
                try load(batch, loader, begun)
            }
            for source in facts.indices {
                let (before, feed) = (work.collector.baseline, work.inputs[source].feed)
                facts[source].pages?.compare(
                    firstPageThatLedOn: before?.firstPage(of: feed), pages: before?.values(of: feed))
            }
            report.known = work.fingerprints?.knownRecords ?? 0
            let passing = passingSources(facts, web)
            let doubtful = passing.union(doubtfulSources(facts))
            shifting = shiftingSources(work, web, report.time.started).union(doubtful)
            control.meter.enter(.linking)
            report.sources = sourceFacts(
                facts, reading.inputs, work, web, since, report.time.started, doubtful: withParents(passing, work))
            // A few records that were mended say nothing about the feed.
            if !isPartial { try judge(facts, reading, work, web) { drift = $0 } }
            meter(0, work.collector)
            try finish(loader, shifting, facts, work)
        }
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
    ///
    /// - Parameter shifting: the sources whose lists may have moved while they were read.
    private func finish(_ loader: Loader, _ shifting: Set<Int>, _ facts: [FeedFacts], _ work: RunWork) throws(Failure) {
        for entity in Set(facts.flatMap(\.drift.hidden)) { loader.insert(.hiddenRecords, of: entity) }
        for entity in definition.model.entities.indices where definition.mayShift(entity: entity, shifting) {
            loader.insert(.shiftingPages, of: entity)
        }
        try loader.finish()
        for (index, entity) in definition.model.entities.enumerated()
        where definition.limits.hasShare(of: .updates, in: entity.name) { try loader.countUpdated(index) }
        try work.fingerprints?.check(loader)
        work.fingerprints?.exclude(of: loader)
    }

    /// What the report says of the sources, which have been read.
    private func sourceFacts(
        _ facts: [FeedFacts], _ inputs: [FeedInput], _ work: RunWork, _ web: WebFeeds,
        _ since: (watch: SinceWatch, marks: SinceMarks), _ started: Timestamp, doubtful: Set<Int>
    ) -> [RunReport.SourceFacts] {
        facts.indices.map { source in
            sourceFacts(
                source, RunReport.SourceFacts(inputs[source], facts[source]), inputs[source], work, since,
                facts[source].pages, kept: web.keptPages(of: source, before: started),
                isDoubtful: doubtful.contains(source))
        }
    }

    /// What the report says of a source that has been read.
    ///
    /// - Parameters:
    ///   - read: what its reading has given.
    ///   - pages: what its pages say of one another; nil: it is no service.
    ///   - kept: which of its pages are answers that were kept.
    ///   - isDoubtful: whether the run may have missed records that its service has, or what belongs to them: the next
    ///     run is to ask for them again.
    private func sourceFacts(
        _ source: Int, _ read: RunReport.SourceFacts, _ input: FeedInput, _ work: RunWork,
        _ since: (watch: SinceWatch, marks: SinceMarks), _ pages: PageYield?, kept: Set<Int>, isDoubtful: Bool
    ) -> RunReport.SourceFacts {
        var facts = read
        facts.since = since.watch.mark(
            of: source, kept: kept, isHeld: !input.isOwn || isDoubtful || isParent(source, ofAnswersOf: work))
        if let own = input.source.since, own.relationship != nil {
            // Of answers that another run has left, what has changed since is older than what others bring.
            let isKnown = input.isOwn && !isDoubtful && !work.answers.areOfOthers[source]
            facts.since = .init(
                attribute: definition.model.names(own)[0], value: isKnown ? SinceMarks.stored : nil)
        }
        facts.taken = since.marks.taken(of: input.source, isOwn: input.isOwn)
        facts.isAnew = input.isOwn && since.marks.isAnew(input.source)
        facts.isOutdated = work.news.outdated.contains(source)
        let earlier = work.collector.baseline?.firstPage(of: input.feed)
        facts.firstPage = pages.flatMap { $0.isLedOn ? $0.firstPage : nil } ?? earlier
        if input.isOwn, losesObjects(of: source), let baseline = work.collector.baseline {
            facts.goneFiles = baseline.goneFiles(of: input.feed)
        }
        return facts
    }

    /// The sources of which the run may have passed over records that their services have: a service has not found
    /// something, or answered with something else; a page was short, or pages counted fewer records from one to the
    /// next.
    private func passingSources(_ facts: [FeedFacts], _ web: WebFeeds) -> Set<Int> {
        Set(
            facts.indices.filter { source in
                facts[source].pages?.passesOver == true || web.notFound(of: source) != nil || web.hasShrunk(source)
            })
    }

    /// The sources that may have records behind what the run has read: a file is empty; the way to the next page is
    /// lost, or an answer leads to one, for which nobody asks. The next run would read no more of them.
    private func doubtfulSources(_ facts: [FeedFacts]) -> Set<Int> {
        Set(facts.indices.filter { facts[$0].pages?.isDoubtful == true || facts[$0].emptyFile != nil })
    }

    /// With those for whose records they are asked.
    private func withParents(_ sources: Set<Int>, _ work: RunWork) -> Set<Int> {
        let parents = sources.compactMap { work.inputs[$0].parentsOfAnswers?.entity }
        let added = Set(parents.flatMap { definition.model.entities[$0].sources })
        return added.isSubset(of: sources) ? sources : withParents(sources.union(added), work)
    }

    /// The sources whose lists may have moved while they were read: some of the answers were kept, by a run that died
    /// long ago or in the cache, and a record may be in none of them.
    private func shiftingSources(_ work: RunWork, _ web: WebFeeds, _ started: Timestamp) -> Set<Int> {
        Set(work.inputs.indices.filter { work.answers.areOld[$0] || web.mixesPages(of: $0, before: started) })
    }

    /// Whether answers of another run, which had died, are taken for what is asked for each record of a source: what
    /// has changed since is not in them, though the records of this run may say when it did.
    private func isParent(_ source: Int, ofAnswersOf work: RunWork) -> Bool {
        work.inputs.indices.contains { child in
            guard work.answers.areOfOthers[child], let parents = work.inputs[child].web?.parents else { return false }
            return definition.model.entities[parents.entity].sources.contains(source)
        }
    }

    /// Whether something is done with objects that the records of a source hold no longer.
    private func losesObjects(of source: Int) -> Bool {
        !definition.sources[source].isNew
            && definition.model.entities.contains { $0.sources.contains(source) && $0.removesAbsent }
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

extension RunReport.SourceFacts {
    fileprivate init(_ input: FeedInput, _ facts: FeedFacts) {
        self.init(
            name: input.source.name, location: input.location, bytes: facts.bytes, values: facts.values,
            sha256: facts.sha256)
    }
}
