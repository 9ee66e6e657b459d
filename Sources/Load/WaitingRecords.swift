import Records

/// The reading side of the second pass: whole records that waited on disk, as batches.
@safe
struct WaitingRecords: @unchecked Sendable {
    // Unchecked: once the second pass has begun, only the thread that reads uses the spool.

    private let spool: RowSpool
    private let entity: Int
    private let batchSize: Int

    init(_ spool: RowSpool, entity: Int, batchSize: Int) {
        self.spool = spool
        self.entity = entity
        self.batchSize = batchSize
    }

    /// Reads all rows, and hands their batches over.
    func readAll(_ queue: BatchQueue<Void>) -> Result<Void, Failure> {
        do throws(Failure) {
            try spool.rewind()
            while true {
                let batch = try queue.nextEmpty()
                let section = batch.sections[entity]
                while section.count < batchSize, batch.byteCount < Loader.batchBytes,
                    try spool.read(into: section, batch) != nil
                {}
                let isEnd = section.count == 0
                queue.hand(batch)
                if isEnd { return .success(()) }
            }
        } catch {
            return .failure(error)
        }
    }
}
