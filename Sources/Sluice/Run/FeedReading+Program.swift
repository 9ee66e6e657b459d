import SluiceExtract
import SluiceRecords
import SluiceTransform

extension FeedReading {
    /// Takes the records that the program makes for a source. The batch is empty before, and afterwards.
    func take(
        _ handoff: Handoff<[FeedRecord]>, _ source: Int, _ batch: inout RecordBatch,
        _ queue: BatchQueue<[FeedFacts]>
    ) throws(Failure) -> FeedFacts {
        let made = model.forProgram()
        let transformer = try Transformer(model: made)
        var records = ProgramRecords(made, source: source)
        defer { records.deallocate() }
        let most = FeedOptions().batchBytes
        queue.prepareAll()
        census.begin(source)
        while let some = try handoff.next() {
            for record in some {
                try records.append(record, to: batch)
                guard batch.rowCount >= batchSize || batch.byteCount >= most else { continue }
                hand(batch, &records, transformer, queue)
                batch = try queue.nextEmpty()
            }
        }
        if batch.rowCount > 0 {
            hand(batch, &records, transformer, queue)
            batch = try queue.nextEmpty()
        }
        // Each path of an entity might have taken its records.
        let taken = zip(made.entities, records.counts).map { entity, count in entity.records.map { _ in count } }
        return FeedFacts(bytes: 0, values: records.count, sha256: "", drift: FeedDrift(), taken: taken, accepted: [])
    }

    private func hand(
        _ batch: RecordBatch, _ records: inout ProgramRecords, _ transformer: Transformer,
        _ queue: BatchQueue<[FeedFacts]>
    ) {
        transformer.transform(batch, raw: records.rows.map { ($0.cells, $0.slotCount) })
        records.reset()
        inspect(batch) { census.add(made: $0) }
        queue.hand(batch, isReady: true)
    }
}
