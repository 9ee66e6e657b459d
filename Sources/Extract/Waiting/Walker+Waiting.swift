import Records

// Rows that cannot be handed out yet wait in the batch; and on disk when the batch must go.
extension Walker {
    /// Moves those rows of an entity to disk that are not open, but wait, or stand behind one that waits or is open.
    mutating func moveToDisk(_ entity: Int) throws(Failure) {
        let section = sections[entity]
        let (status, positions) = (section.status, section.positions)
        let hold = holds[entity]
        // Where none is active, rows stand in the order of their numbers.
        for row in firstRows[entity]..<section.count where status[row] != .dropped {
            let number = positions[row].record
            if !hold.isActive {
                guard status[row] == .open || isWaiting(row, entity) else { continue }
                holds.begin(entity, next: number)
            }
            guard status[row] != .open && number >= hold.next else { continue }
            try write(row, section, to: hold)
            status[row] = .dropped
        }
    }

    private func isWaiting(_ row: Int, _ entity: Int) -> Bool {
        guard waitingLinks > 0 else { return false }
        let count = ancestors.counts[entity]
        for column in 0..<count where links[entity][row * count + column] != 0 { return true }
        return false
    }

    private mutating func write(_ row: Int, _ section: EntityRecords, to hold: Hold) throws(Failure) {
        guard let batch else { return }
        holds.writer.clear()
        let count = ancestors.counts[section.entity]
        for column in 0..<count {
            let link = links[section.entity][row * count + column]
            holds.writer.write(link)
            guard link != 0 else { continue }
            awaitOnDisk(link)
            // The row waits here no longer: it may stay in the batch, as a dropped one, until the node ends.
            links[section.entity][row * count + column] = 0
        }
        holds.writer.write(section.positions[row], batch, arena)
        for slot in 0..<section.slotCount {
            holds.writer.write(section.raw[row * section.slotCount + slot], batch, arena)
        }
        if section.hasNotes { holds.writer.write(section.notes[row], batch, arena) }
        let faults = section.status[row] == .rejected ? batch.takeFaults(entity: section.entity, row: row) : []
        holds.writer.write(UInt64(faults.count))
        for fault in faults {
            holds.writer.write(fault.member)
            holds.writer.write(fault.reason)
        }
        try hold.put(section.positions[row].record, holds.writer)
    }

    private mutating func awaitOnDisk(_ id: UInt64) {
        let ancestor = unsafe ancestors.open.base + ancestors.find(id: id)
        unsafe ancestor.pointee.isAwaitedOnDisk = true
        unsafe ancestor.pointee.waiting -= 1
        waitingLinks -= 1
    }

    /// Takes the rows back into the batch that have become complete.
    mutating func drain() throws(Failure) {
        wantsDrain = false
        for entity in sections.indices where holds.isActive(entity) {
            let hold = holds[entity]
            guard ancestors.find(id: hold.awaited) < 0, !isOpen(hold.next, of: entity) else { continue }
            if hold.isEmpty {
                // All of its rows are in the batch, in their order.
                try holds.end(entity)
                continue
            }
            try moveToDisk(entity)
            try takeBack(entity)
        }
    }

    private func isOpen(_ number: UInt64, of entity: Int) -> Bool {
        (0..<rowCount).contains { index in
            rows[index].entity == entity && sections[entity].positions[rows[index].row].record == number
        }
    }

    /// Takes rows of an entity back, none of whose rows in the batch are complete and wait.
    private mutating func takeBack(_ entity: Int) throws(Failure) {
        let hold = holds[entity]
        hold.awaited = 0
        while hold.next < numbers[entity] {
            guard let batch, var reader = try hold.nextRow() else { return }
            let count = ancestors.counts[entity]
            var ended: [UInt64] = []
            for _ in 0..<count {
                let link = reader.number()
                ended.append(link)
                guard link == 0 || ancestors.find(id: link) < 0 else {
                    hold.awaited = link
                    return
                }
            }
            try read(&reader, sections[entity], batch, links: ended)
            hold.passNext()
            if (rowsInBatch >= options.batchSize || arena.count >= options.batchBytes) && captureCount == 0 {
                try handOutNow()
            }
        }
        try holds.end(entity)
    }

    private mutating func read(
        _ reader: inout RawReader, _ section: EntityRecords, _ batch: RecordBatch, links waited: [UInt64]
    ) throws(Failure) {
        let entity = section.entity
        let row = section.appendRow()
        rowsInBatch += 1
        section.positions[row] = reader.position(batch, &arena)
        let cells = unsafe section.raw.base + row * section.slotCount
        for slot in 0..<section.slotCount { unsafe cells[slot] = reader.cell(batch, &arena) }
        if section.hasNotes { section.notes[row] = reader.cell(batch, &arena) }
        let count = ancestors.counts[entity]
        links[entity].ensure((row + 1) * count)
        for column in 0..<count {
            links[entity][row * count + column] = 0
            guard waited[column] != 0 else { continue }
            try unsafe holds.fill(
                cells, ancestors.starts[entity] + column, id: waited[column], ancestors, batch, number: batchNumber,
                &arena)
        }
        let faultCount = reader.number()
        for _ in 0..<faultCount {
            batch.faults.append(Fault(entity: entity, row: row, member: reader.text(), reason: reader.text()))
        }
        section.status[row] = faultCount > 0 ? .rejected : .complete
        // The table of the open rows' cells may have moved.
        findCells()
    }
}

extension RecordBatch {
    /// Takes the faults of a row away, and returns them.
    fileprivate func takeFaults(entity: Int, row: Int) -> [Fault] {
        let taken = faults.filter { $0.entity == entity && $0.row == row }
        faults.removeAll { $0.entity == entity && $0.row == row }
        return taken
    }
}
