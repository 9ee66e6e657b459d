import SluiceRecords

// Batches come and go while yajl is in the middle of the feed.
extension Walker {
    /// Takes a batch to fill.
    mutating func take(_ batch: RecordBatch) {
        self.output.batch = batch
        batch.name(
            file: UInt32(truncatingIfNeeded: feed.file), of: UInt16(truncatingIfNeeded: feed.source), feed.fileName)
        output.arena = batch.arena
        output.sections = batch.sections
        for section in output.sections { unsafe output.tables[section.entity] = section.unsafeTables }
        output.batchNumber += 1
        output.begin(with: batch, isCarried: false)
        for entity in around.firstRows.indices { around.firstRows[entity] = output.sections[entity].count }
        output.wantsHandOut = false
        items.leaveBatch()
    }

    /// Gives the batch back.
    mutating func give() -> RecordBatch? {
        // The arena has grown here, not there.
        output.batch?.arena = output.arena
        defer { output.batch = nil }
        return output.batch
    }

    /// Hands out what has become complete, as far as that can be; 0 if the parse has to end.
    @inline(never)
    mutating func passOn() -> CInt {
        if ending.mustStop { return 0 }
        do throws(Failure) {
            if around.wantsDrain { try drain() }
            if output.wantsHandOut { try handOut() }
            return 1
        } catch {
            ending.failure = error
            return 0
        }
    }

    /// Hands a full batch out, if that can be.
    private mutating func handOut() throws(Failure) {
        let isComplete = open.innerCount == 0 && around.waitingLinks == 0 && around.holds.activeCount == 0
        let isTooMuch = heldBytes > feed.options.maxRecord
        guard isComplete || mustHandOut || isTooMuch && open.captureCount == 0 else {
            if isTooMuch { throw tooMuch() }
            return
        }
        try handOutNow()
        // What remains is what is open.
        if isTooMuch, heldBytes > feed.options.maxRecord { throw tooMuch() }
    }

    /// Hands the batch out, but for its open rows, and those that must wait.
    mutating func handOutNow() throws(Failure) {
        guard let emit = output.emit else { return }
        for entity in output.sections.indices { try moveToDisk(entity) }
        guard let full = give() else { return }
        let rows = open.innerCount > 0 ? openRows(of: full) : nil
        do throws(Failure) {
            // Asked once: when it has been handed out, others use it, and may have changed what its rows are.
            let isWorthIt = full.isWorthHandingOut
            let empty = isWorthIt ? try emit(full) : full
            if !isWorthIt { full.reset() }
            take(empty)
            if let rows { carry(rows, to: empty) }
        } catch {
            take(full)
            throw error
        }
    }

    /// Whether a batch with open records must go. Rows that were carried over before do not count: they would be
    /// carried again and again.
    private var mustHandOut: Bool {
        guard open.captureCount == 0 else { return false }
        return output.rowsInBatch - output.rowsCarried >= 2 * feed.options.batchSize
            || output.byteCount - output.bytesCarried >= feed.options.batchBytes
    }

    /// The rows of open records on their way from one batch to the next, and what they wait for.
    private struct CarriedRows {
        var batch: RecordBatch
        var links: [UInt64] = []
    }

    private mutating func openRows(of full: RecordBatch) -> CarriedRows {
        var carried = CarriedRows(batch: RecordBatch(model: feed.model))
        for index in 0..<open.rowCount where open.rows[index].entity >= 0 {
            let (entity, row) = (open.rows[index].entity, open.rows[index].row)
            let count = around.ancestors.counts[entity]
            for column in 0..<count { carried.links.append(around.links[entity][row * count + column]) }
        }
        moveOpenRows(from: full, to: carried.batch)
        return carried
    }

    private mutating func carry(_ carried: CarriedRows, to empty: RecordBatch) {
        output.batch?.arena = output.arena
        moveOpenRows(from: carried.batch, to: empty)
        output.arena = empty.arena
        findCells()
        var next = 0
        for index in 0..<open.rowCount where open.rows[index].entity >= 0 {
            let (entity, row) = (open.rows[index].entity, open.rows[index].row)
            let count = around.ancestors.counts[entity]
            around.links[entity].ensure((row + 1) * count)
            for column in 0..<count {
                around.links[entity][row * count + column] = carried.links[next]
                next += 1
            }
        }
        noteBytesBefore(isCarried: true)
        output.begin(with: empty, isCarried: true)
    }

    /// Moves the rows of open records to another batch.
    private mutating func moveOpenRows(from old: RecordBatch, to new: RecordBatch) {
        var mover = RowMover(from: old, to: new)
        for index in 0..<open.rowCount where open.rows[index].entity >= 0 {
            open.rows[index] = mover.move(open.rows[index])
        }
        let elements = mover.moveElements()
        for index in 0..<marks.count {
            let mark = marks.all[index]
            marks.all[index] = Mark(symbol: mark.symbol, start: elements(mark.start), end: elements(mark.end))
        }
    }
}

extension RecordBatch {
    /// Whether a row of it counts.
    fileprivate var isWorthHandingOut: Bool {
        !items.isEmpty
            || sections.contains { section in
                (0..<section.count).contains { section.status[$0] == .complete || section.status[$0] == .rejected }
            }
    }
}
