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
    private let archive: FeedArchive?
    private let meter: ProgressMeter

    init(
        _ plans: [FeedPlan], _ model: Model, _ transformer: Transformer, batchSize: Int, copies: FeedCopies,
        meter: ProgressMeter, archive: FeedArchive? = nil
    ) {
        self.plans = plans
        self.model = model
        self.transformer = transformer
        self.batchSize = batchSize
        self.copies = copies
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

    private func read(
        _ plan: FeedPlan, _ source: Int, _ batch: inout RecordBatch, _ queue: BatchQueue<[FeedFacts]>
    ) throws(Failure) -> FeedFacts {
        var options = plan.options(batchSize: batchSize)
        options.isDigested = true
        let reader = FeedReader(model: model, source: source, options: options)
        var facts = FeedFacts(bytes: 0, values: 0, sha256: "", drift: FeedDrift(model))
        var digests: [String] = []
        for (index, file) in plan.files.enumerated() {
            let opened = try copies.open(plan.paths[index], source: source, file: index)
            let bytes = MeteredBytes(try archive?.save(opened, source: source, file: index) ?? opened, meter)
            let statistics = try reader.read(bytes, named: file, file: index, into: &batch) {
                full throws(Failure) in
                transformer.transform(full)
                queue.hand(full)
                return try queue.nextEmpty()
            }
            meter.endFile()
            facts.bytes += statistics.bytes
            facts.values += statistics.values
            digests.append(statistics.sha256 ?? "")
        }
        facts.sha256 = try SHA256.digest(ofFiles: digests)
        facts.drift = reader.drift
        return facts
    }
}
