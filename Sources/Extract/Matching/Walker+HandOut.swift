import Records

// Batches come and go while yajl is in the middle of the feed.
extension Walker {
    /// Takes a batch to fill.
    mutating func take(_ batch: RecordBatch) {
        self.batch = batch
        arena = batch.arena
        sections = batch.sections
        batchNumber += 1
        rowsInBatch = batch.rowCount
        rowsCarried = 0
        bytesCarried = 0
        wantsHandOut = false
    }

    /// Gives the batch back.
    mutating func give() -> RecordBatch? {
        // The arena has grown here, not there.
        batch?.arena = arena
        defer { batch = nil }
        return batch
    }

    /// Hands a full batch out, if that can be; 0 if the receiver wants no more.
    @inline(never)
    mutating func handOut() -> CInt {
        guard recordCount == 0 || mustHandOut, let emit, let full = give() else { return 1 }
        let open = recordCount > 0 ? moveOpenRows(from: full, to: RecordBatch(model: model)) : nil
        do throws(Failure) {
            let empty = try emit(full)
            take(empty)
            if let open {
                batch = nil
                _ = moveOpenRows(from: open, to: empty)
                take(empty)
                findCells()
                rowsCarried = rowsInBatch
                bytesCarried = arena.count
            }
            return 1
        } catch {
            take(full)
            failure = error
            return 0
        }
    }

    /// Whether a batch with open records must go. Rows that were carried over before do not count: they would be
    /// carried again and again.
    private var mustHandOut: Bool {
        guard captureCount == 0 else { return false }
        return rowsInBatch - rowsCarried >= 2 * options.batchSize || arena.count - bytesCarried >= options.batchBytes
    }

    /// Moves the rows of open records to another batch, which is returned.
    private mutating func moveOpenRows(from old: RecordBatch, to new: RecordBatch) -> RecordBatch {
        var mover = RowMover(from: old, to: new)
        for index in 0..<rowCount {
            rows[index] = mover.move(rows[index])
        }
        let elements = mover.moveElements()
        for index in 0..<markCount {
            let mark = marks[index]
            marks[index] = Mark(symbol: mark.symbol, start: elements(mark.start), end: elements(mark.end))
        }
        return new
    }
}
