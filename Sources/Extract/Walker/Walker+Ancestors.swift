import SluiceRecords

// What is around the records: its values are kept until it ends, and go to the rows that want them as soon as they are
// known. If a key is repeated, its first value is the one that counts, so a value that has been met is final.
extension Walker {
    /// Opens a node around records; the next frame is its own.
    mutating func beginAncestor(_ kind: Int) {
        let section = output.sections[around.ancestors.infos[kind].entity]
        let index = around.ancestors.begin(kind, depth: depth + 1, firstRow: section.count, batch: output.batchNumber)
        open.rows.ensure(open.rowCount + 1)
        unsafe open.rows[open.rowCount] = OpenRow(
            entity: -1, row: index, cells: around.ancestors.cells.base + around.ancestors.open[index].cellStart)
        open.rowCount += 1
        findCells()
    }

    /// Ends the innermost node around records, whose values are known now.
    mutating func endAncestor(_ index: Int) {
        if around.ancestors.open[index].isRepeating { settleRepeats(of: index) }
        let ancestor = around.ancestors.open[index]
        if ancestor.waiting > 0 { fillWaiting(index) }
        if ancestor.isAwaitedOnDisk {
            do throws(Failure) {
                try around.holds.keep(ancestor, around.ancestors)
            } catch {
                stop(error)
            }
            around.wantsDrain = true
        }
        around.ancestors.endLast()
        if open.captureCount == 0 { around.ancestors.compact() }
    }

    /// Fills the slots of a new row with what is known of the nodes around it, and notes what is not.
    mutating func link(_ row: OpenRow) {
        let count = around.ancestors.counts[row.entity]
        let first = row.row * count
        around.links[row.entity].ensure(first + count)
        for column in 0..<count {
            let kind = around.ancestors.starts[row.entity] + column
            let index = around.ancestors.find(kind, recordDepth: depth + 1)
            around.links[row.entity][first + column] = 0
            guard index >= 0 else { continue }
            let ancestor = unsafe around.ancestors.open.base + index
            unsafe ancestor.pointee.isUsed = true
            if around.ancestors.isKnown(index) {
                unsafe fill(row.cells, from: index)
            } else {
                around.links[row.entity][first + column] = unsafe ancestor.pointee.id
                unsafe ancestor.pointee.waiting += 1
                around.waitingLinks += 1
            }
        }
    }

    /// Fills the slots of all rows of the batch that wait for a node.
    private mutating func fillWaiting(_ index: Int) {
        let ancestor = around.ancestors.open[index]
        let info = around.ancestors.infos[ancestor.kind]
        let section = output.sections[info.entity]
        let (cells, width, count) = (section.raw, section.slotCount, around.ancestors.counts[info.entity])
        let links = around.links[info.entity]
        let first = ancestor.firstBatch == output.batchNumber ? ancestor.firstRow : around.firstRows[info.entity]
        for row in first..<section.count where links[row * count + info.column] == ancestor.id {
            unsafe fill(cells.base + row * width, from: index)
            links[row * count + info.column] = 0
            around.waitingLinks -= 1
        }
        unsafe (around.ancestors.open.base + index).pointee.waiting = 0
    }

    /// Fills the slots of a row from the values of a node. The rows of a batch share the bytes of these.
    private mutating func fill(_ row: UnsafeMutablePointer<Cell>, from index: Int) {
        let ancestor = around.ancestors.open[index]
        let info = around.ancestors.infos[ancestor.kind]
        if ancestor.sharedBatch != output.batchNumber { share(index) }
        let cells = around.ancestors.cells
        for value in 0..<info.slotCount {
            unsafe row[around.ancestors.slot(info, value)] = cells[ancestor.cellStart + info.slotCount + value]
        }
    }

    private mutating func share(_ index: Int) {
        guard let batch = output.batch else { return }
        let ancestor = around.ancestors.open[index]
        let count = around.ancestors.infos[ancestor.kind].slotCount
        let (cells, values) = (around.ancestors.cells, around.ancestors.values)
        for cell in ancestor.cellStart..<ancestor.cellStart + count {
            cells[cell + count] = CellCopy.copy(cells[cell], from: values, values.arena, to: batch, &output.arena)
        }
        unsafe (around.ancestors.open.base + index).pointee.sharedBatch = output.batchNumber
    }

    // MARK: Their values

    /// Gives a scalar to a slot of records in the node where the path starts.
    mutating func giveOutside(
        _ kind: CellKind, _ text: UnsafePointer<UInt8>?, _ length: Int, _ action: Action, _ cursor: Cursor
    ) {
        switch action.kind {
        case .value, .listValue: storeOutside(unsafe around.ancestors.cell(kind, text, length), action, cursor)
        case .listWithin where !Walker.isFilled(kind, length): break
        case .json, .listJSON, .listWithin:
            guard kind != .null && kind != .brokenString else {
                return storeOutside(Cell(kind: kind), action, cursor)
            }
            if let text = unsafe text, feed.isTable {
                let json = unsafe feed.table.cellText(text, length)
                let start = unsafe json.baseAddress.unsafelyUnwrapped
                return storeOutside(unsafe around.ancestors.cell(.json, start, json.count), action, cursor)
            }
            let start = feed.window.index(of: unsafe tokenStart(kind, text, length))
            let count = feed.window.index(of: tokenEnd) - start
            storeOutside(unsafe around.ancestors.cell(.json, feed.window.base + start, count), action, cursor)
        case .key, .listKey, .listPlace, .listBegin: actOutside(kind, action, cursor)
        }
    }

    /// Gives a container to such a slot, or does what does not depend on the value.
    mutating func actOutside(_ kind: CellKind, _ action: Action, _ cursor: Cursor) {
        switch action.kind {
        case .value, .listValue: storeOutside(Cell(kind: kind), action, cursor)
        case .json, .listJSON: openCapture(action, cursor)
        // Places are reported only of what is in a record.
        case .key, .listKey, .listPlace: storeOutside(keyCellOutside(), action, cursor)
        case .listBegin: unsafe cell(of: action, cursor).pointee = Cell(kind: .list)
        case .listWithin: break
        }
    }

    private mutating func storeOutside(_ value: Cell, _ action: Action, _ cursor: Cursor) {
        let cell = unsafe cell(of: action, cursor)
        switch action.kind {
        case .listValue, .listJSON, .listKey, .listPlace, .listWithin:
            let value = action.kind == .listWithin ? value.asUnlisted : value
            unsafe around.ancestors.values.append(value, to: &cell.pointee)
            checkHeld()
        default: unsafe cell.pointee = value
        }
    }

    private func keyCellOutside() -> Cell {
        guard depth > 0 else { return .absent }
        if unsafe top.pointee.isArray { return .integer(Int64(unsafe top.pointee.index)) }
        if unsafe top.pointee.hasBrokenKey { return Cell(kind: .brokenString) }
        guard let key = unsafe top.pointee.key else { return .absent }
        return unsafe around.ancestors.cell(.string, key, top.pointee.keyLength)
    }

    /// Ends the parse at the next chance.
    mutating func stop(_ found: Failure) {
        ending.failure = found
        ending.mustStop = true
    }
}
