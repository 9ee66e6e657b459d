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
    private let meter: ProgressMeter

    init(
        _ plans: [FeedPlan], _ model: Model, _ transformer: Transformer, batchSize: Int, copies: FeedCopies,
        meter: ProgressMeter
    ) {
        self.plans = plans
        self.model = model
        self.transformer = transformer
        self.batchSize = batchSize
        self.copies = copies
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
        for (index, file) in plan.files.enumerated() {
            let bytes = MeteredBytes(try copies.open(file, source: source, file: index), meter)
            let statistics = try reader.read(bytes, named: file, file: index, into: &batch) {
                full throws(Failure) in
                transformer.transform(full)
                queue.hand(full)
                return try queue.nextEmpty()
            }
            meter.endFile()
            facts.bytes += statistics.bytes
            facts.values += statistics.values
            facts.sha256 = statistics.sha256 ?? ""
        }
        facts.drift = reader.drift
        return facts
    }
}
