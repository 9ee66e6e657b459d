import SluiceRecords

// Rows that cannot be handed out yet wait in the batch; and on disk when the batch must go.
extension Walker {
    /// Moves those rows of an entity to disk that are not open, but wait, or stand behind one that waits or is open.
    mutating func moveToDisk(_ entity: Int) throws(Failure) {
        let section = output.sections[entity]
        let (status, positions) = (section.status, section.positions)
        let hold = around.holds[entity]
        // Where none is active, rows stand in the order of their numbers.
        for row in around.firstRows[entity]..<section.count where status[row] != .dropped {
            let number = positions[row].record
            if !hold.isActive {
                guard status[row] == .open || isWaiting(row, entity) else { continue }
                around.holds.begin(entity, next: number)
            }
            guard status[row] != .open && number >= hold.next else { continue }
            try write(row, section, to: hold)
            status[row] = .dropped
        }
    }

    private func isWaiting(_ row: Int, _ entity: Int) -> Bool {
        guard around.waitingLinks > 0 else { return false }
        let count = around.ancestors.counts[entity]
        for column in 0..<count where around.links[entity][row * count + column] != 0 { return true }
        return false
    }

    private mutating func write(_ row: Int, _ section: EntityRecords, to hold: Hold) throws(Failure) {
        guard let batch = output.batch else { return }
        around.holds.writer.clear()
        let count = around.ancestors.counts[section.entity]
        for column in 0..<count {
            let link = around.links[section.entity][row * count + column]
            around.holds.writer.write(link)
            guard link != 0 else { continue }
            awaitOnDisk(link)
            // The row waits here no longer: it may stay in the batch, as a dropped one, until the node ends.
            around.links[section.entity][row * count + column] = 0
        }
        around.holds.writer.write(section.positions[row], batch, output.arena)
        for slot in 0..<section.slotCount {
            around.holds.writer.write(section.raw[row * section.slotCount + slot], batch, output.arena)
        }
        if section.hasNotes { around.holds.writer.write(section.notes[row], batch, output.arena) }
        let faults = section.status[row] == .rejected ? batch.takeFaults(entity: section.entity, row: row) : []
        around.holds.writer.write(UInt64(faults.count))
        for fault in faults {
            around.holds.writer.write(fault.member)
            around.holds.writer.write(fault.reason)
            around.holds.writer.write((fault.isOfBytes ? 1 : 0) | (fault.isMisplaced ? 2 : 0))
        }
        try hold.put(section.positions[row].record, around.holds.writer)
    }

    private mutating func awaitOnDisk(_ id: UInt64) {
        let ancestor = unsafe around.ancestors.open.base + around.ancestors.find(id: id)
        unsafe ancestor.pointee.isAwaitedOnDisk = true
        unsafe ancestor.pointee.waiting -= 1
        around.waitingLinks -= 1
    }

    /// Takes the rows back into the batch that have become complete.
    mutating func drain() throws(Failure) {
        around.wantsDrain = false
        for entity in output.sections.indices where around.holds.isActive(entity) {
            let hold = around.holds[entity]
            guard around.ancestors.find(id: hold.awaited) < 0, !isOpen(hold.next, of: entity) else { continue }
            if hold.isEmpty {
                // All of its rows are in the batch, in their order.
                try around.holds.end(entity)
                continue
            }
            try moveToDisk(entity)
            try takeBack(entity)
        }
    }

    private func isOpen(_ number: UInt64, of entity: Int) -> Bool {
        (0..<open.rowCount).contains { index in
            open.rows[index].entity == entity
                && output.sections[entity].positions[open.rows[index].row].record == number
        }
    }

    /// Takes rows of an entity back, none of whose rows in the batch are complete and wait.
    private mutating func takeBack(_ entity: Int) throws(Failure) {
        let hold = around.holds[entity]
        hold.awaited = 0
        while hold.next < recordCounts.numbers[entity] {
            guard let batch = output.batch, var reader = try hold.nextRow() else { return }
            let count = around.ancestors.counts[entity]
            var ended: [UInt64] = []
            for _ in 0..<count {
                let link = reader.number()
                ended.append(link)
                guard link == 0 || around.ancestors.find(id: link) < 0 else {
                    hold.awaited = link
                    return
                }
            }
            try read(&reader, output.sections[entity], batch, links: ended)
            hold.passNext()
            if output.isFull(feed.options), open.captureCount == 0 { try handOutNow() }
        }
        try around.holds.end(entity)
    }

    private mutating func read(
        _ reader: inout RawReader, _ section: EntityRecords, _ batch: RecordBatch, links waited: [UInt64]
    ) throws(Failure) {
        let entity = section.entity
        let row = section.appendRow()
        output.noteRow(unsafe section.unsafeTables.pointee.rowBytes)
        section.positions[row] = reader.position(batch, &output.arena)
        let cells = unsafe section.raw.base + row * section.slotCount
        for slot in 0..<section.slotCount { unsafe cells[slot] = reader.cell(batch, &output.arena) }
        if section.hasNotes { section.notes[row] = reader.cell(batch, &output.arena) }
        let count = around.ancestors.counts[entity]
        around.links[entity].ensure((row + 1) * count)
        for column in 0..<count {
            around.links[entity][row * count + column] = 0
            guard waited[column] != 0 else { continue }
            try unsafe around.holds.fill(
                cells, around.ancestors.starts[entity] + column, id: waited[column], around.ancestors, batch,
                number: output.batchNumber,
                &output.arena)
        }
        let faultCount = reader.number()
        for _ in 0..<faultCount {
            var fault = Fault(entity: entity, row: row, member: reader.text(), reason: reader.text())
            let marks = reader.number()
            (fault.isOfBytes, fault.isMisplaced) = (marks & 1 > 0, marks & 2 > 0)
            batch.faults.append(fault)
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
