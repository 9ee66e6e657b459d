import SluiceRecords

/// The reading side of the second pass: whole records that waited on disk, as batches. Only one thread uses the spools,
/// the one that reads: the loader gives them up before that thread is started.
@safe
struct WaitingRecords: @unchecked Sendable {
    private let spools: [(entity: Int, spool: RowSpool)]
    private let batchSize: Int

    init(_ spools: [(entity: Int, spool: RowSpool)], batchSize: Int) {
        self.spools = spools
        self.batchSize = batchSize
    }

    /// Reads all rows, those of one entity after those of another, and hands their batches over.
    func readAll(_ queue: BatchQueue<Void>) -> Result<Void, Failure> {
        do throws(Failure) {
            var batch = try queue.nextEmpty()
            var count = 0
            for (entity, spool) in spools {
                try spool.rewind()
                while try spool.read(into: batch.sections[entity], batch) != nil {
                    count += 1
                    guard count >= batchSize || batch.byteCount >= Loader.batchBytes else { continue }
                    queue.hand(batch)
                    batch = try queue.nextEmpty()
                    count = 0
                }
            }
            queue.hand(batch)
            return .success(())
        } catch {
            return .failure(error)
        }
    }
}
