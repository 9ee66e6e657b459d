import Records

// Batches come and go while yajl is in the middle of the feed.
extension Walker {
    /// Takes a batch to fill.
    mutating func take(_ batch: RecordBatch) {
        self.batch = batch
        arena = batch.arena
        sections = batch.sections
        for section in sections { unsafe tables[section.entity] = section.unsafeTables }
        batchNumber += 1
        rowsInBatch = batch.rowCount
        rowsCarried = 0
        bytesCarried = 0
        for entity in firstRows.indices { firstRows[entity] = sections[entity].count }
        wantsHandOut = false
    }

    /// Gives the batch back.
    mutating func give() -> RecordBatch? {
        // The arena has grown here, not there.
        batch?.arena = arena
        defer { batch = nil }
        return batch
    }

    /// Hands out what has become complete, as far as that can be; 0 if the parse has to end.
    @inline(never)
    mutating func passOn() -> CInt {
        if mustStop { return 0 }
        do throws(Failure) {
            if wantsDrain { try drain() }
            if wantsHandOut { try handOut() }
            return 1
        } catch {
            failure = error
            return 0
        }
    }

    /// Hands a full batch out, if that can be.
    private mutating func handOut() throws(Failure) {
        let isComplete = innerCount == 0 && waitingLinks == 0 && holds.activeCount == 0
        let isTooMuch = heldBytes > options.maxRecord
        guard isComplete || mustHandOut || isTooMuch && captureCount == 0 else {
            if isTooMuch { throw tooMuch() }
            return
        }
        try handOutNow()
        // What remains is what is open.
        if isTooMuch, heldBytes > options.maxRecord { throw tooMuch() }
    }

    /// Hands the batch out, but for its open rows, and those that must wait.
    mutating func handOutNow() throws(Failure) {
        guard let emit else { return }
        for entity in sections.indices { try moveToDisk(entity) }
        guard let full = give() else { return }
        let open = innerCount > 0 ? openRows(of: full) : nil
        do throws(Failure) {
            // Asked once: when it has been handed out, others use it, and may have changed what its rows are.
            let isWorthIt = full.isWorthHandingOut
            let empty = isWorthIt ? try emit(full) : full
            if !isWorthIt { full.reset() }
            take(empty)
            if let open { carry(open, to: empty) }
        } catch {
            take(full)
            throw error
        }
    }

    /// Whether a batch with open records must go. Rows that were carried over before do not count: they would be
    /// carried again and again.
    private var mustHandOut: Bool {
        guard captureCount == 0 else { return false }
        return rowsInBatch - rowsCarried >= 2 * options.batchSize || arena.count - bytesCarried >= options.batchBytes
    }

    /// The rows of open records on their way from one batch to the next, and what they wait for.
    private struct CarriedRows {
        var batch: RecordBatch
        var links: [UInt64] = []
    }

    private mutating func openRows(of full: RecordBatch) -> CarriedRows {
        var carried = CarriedRows(batch: RecordBatch(model: model))
        for index in 0..<rowCount where rows[index].entity >= 0 {
            let (entity, row) = (rows[index].entity, rows[index].row)
            let count = ancestors.counts[entity]
            for column in 0..<count { carried.links.append(links[entity][row * count + column]) }
        }
        moveOpenRows(from: full, to: carried.batch)
        return carried
    }

    private mutating func carry(_ carried: CarriedRows, to empty: RecordBatch) {
        batch?.arena = arena
        moveOpenRows(from: carried.batch, to: empty)
        arena = empty.arena
        findCells()
        var next = 0
        for index in 0..<rowCount where rows[index].entity >= 0 {
            let (entity, row) = (rows[index].entity, rows[index].row)
            let count = ancestors.counts[entity]
            links[entity].ensure((row + 1) * count)
            for column in 0..<count {
                links[entity][row * count + column] = carried.links[next]
                next += 1
            }
        }
        noteBytesBefore(isCarried: true)
        rowsInBatch = empty.rowCount
        rowsCarried = rowsInBatch
        bytesCarried = arena.count
    }

    /// Moves the rows of open records to another batch.
    private mutating func moveOpenRows(from old: RecordBatch, to new: RecordBatch) {
        var mover = RowMover(from: old, to: new)
        for index in 0..<rowCount where rows[index].entity >= 0 { rows[index] = mover.move(rows[index]) }
        let elements = mover.moveElements()
        for index in 0..<markCount {
            let mark = marks[index]
            marks[index] = Mark(symbol: mark.symbol, start: elements(mark.start), end: elements(mark.end))
        }
    }
}

extension RecordBatch {
    /// Whether a row of it counts.
    fileprivate var isWorthHandingOut: Bool {
        sections.contains { section in
            (0..<section.count).contains { section.status[$0] == .complete || section.status[$0] == .rejected }
        }
    }
}
