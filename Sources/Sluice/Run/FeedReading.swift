import Extract
import Records
import Transform

/// The reading side of a run: all feeds, in the order of the definition, as typed batches.
struct FeedReading: Sendable {
    let plans: [FeedPlan]
    private let model: Model
    private let transformer: Transformer
    private let batchSize: Int
    private let copies: FeedCopies
    private let web: WebFeeds
    private let archive: FeedArchive?
    private let meter: ProgressMeter

    init(
        _ plans: [FeedPlan], _ model: Model, _ transformer: Transformer, batchSize: Int, copies: FeedCopies,
        web: WebFeeds, meter: ProgressMeter, archive: FeedArchive? = nil
    ) {
        self.plans = plans
        self.model = model
        self.transformer = transformer
        self.batchSize = batchSize
        self.copies = copies
        self.web = web
        self.archive = archive
        self.meter = meter
    }

    /// Reads all feeds, and hands their batches over.
    func readAll(_ queue: BatchQueue<[FeedFacts]>) -> Result<[FeedFacts], Failure> {
        do throws(Failure) {
            var batch = try queue.nextEmpty()
            var facts: [FeedFacts] = []
            for (index, plan) in plans.enumerated() { facts.append(try read(plan, index, &batch, queue)) }
            transformer.transform(batch)
            queue.hand(batch)
            return .success(facts)
        } catch {
            archive?.complete { source, file throws(Failure) in
                try copies.open(plans[source].paths[file], source: source, file: file)
            }
            return .failure(error)
        }
    }

    /// Ends what a service is waited for.
    func stop() { web.stop() }

    private func read(
        _ plan: FeedPlan, _ source: Int, _ batch: inout RecordBatch, _ queue: BatchQueue<[FeedFacts]>
    ) throws(Failure) -> FeedFacts {
        var options = plan.options(batchSize: batchSize)
        options.isDigested = true
        let reader = FeedReader(model: model, source: source, options: options)
        var facts = FeedFacts(bytes: 0, values: 0, sha256: "", drift: FeedDrift(model))
        var digests: [String] = []
        let files = FeedFiles(
            plan, try web.feed(of: source),
            open: { file, index throws(Failure) in try copies.open(file, source: source, file: index) },
            keep: { page, index throws(Failure) in try copies.keep(page, source: source, file: index) })
        while let file = try files.nextFile() {
            let before = reader.recordCount
            let saved = try archive?.save(file.bytes, source: source, file: file.index) ?? file.bytes
            let bytes = MeteredBytes(saved, meter)
            let statistics: FeedStatistics
            do throws(Failure) {
                statistics = try reader.read(bytes, named: file.name, file: file.index, into: &batch) {
                    full throws(Failure) in
                    transformer.transform(full)
                    queue.hand(full)
                    return try queue.nextEmpty()
                }
            } catch {
                throw copies.explain(error, source: source, file: file.index)
            }
            meter.endFile()
            facts.bytes += statistics.bytes
            facts.values += statistics.values
            digests.append(statistics.sha256 ?? "")
            files.note(records: reader.recordCount - before)
        }
        try archive?.endSource(source)
        facts.sha256 = try SHA256.digest(ofFiles: digests)
        facts.drift = reader.drift
        return facts
    }
}
