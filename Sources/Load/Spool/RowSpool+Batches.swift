import SluiceRecords

extension RowSpool {
    /// A row that was read, in the section of a batch.
    struct ReadRow {
        var row: Int
        var fate: SpooledFate
    }

    /// Reads all rows from the first on, a batch at a time: the batch is reset for each, and `body` gets its rows.
    ///
    /// - Parameters:
    ///   - objects: where only rows of some objects are wanted; there may be some of others among them.
    ///   - limit: the most rows of a batch; it ends at `Loader.batchBytes`, too.
    func forEachBatch(
        of objects: ObjectIDSet? = nil, _ section: EntityRecords, _ batch: RecordBatch, work: RowScratch? = nil,
        limit: Int, _ body: ([ReadRow]) throws(Failure) -> Void
    ) throws(Failure) {
        try rewind()
        var rows: [ReadRow] = []
        while true {
            batch.reset()
            rows.removeAll(keepingCapacity: true)
            while rows.count < limit, batch.byteCount < Loader.batchBytes,
                let read = try next(of: objects, section, batch, work)
            {
                rows.append(read)
            }
            if rows.isEmpty { return }
            try body(rows)
        }
    }

    private func next(
        of objects: ObjectIDSet?, _ section: EntityRecords, _ batch: RecordBatch, _ work: RowScratch?
    ) throws(Failure) -> ReadRow? {
        guard let objects, let work else { return try read(into: section, batch, work: work) }
        return try read(of: objects, into: section, batch, work: work)
    }
}
