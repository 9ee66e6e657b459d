import Records

extension Walker {
    /// Begins a record, or a node around records, with a row for each part of its template, and returns the state in
    /// which its slots begin.
    mutating func beginRecord(_ info: StateInfo, offset: UInt64, depth: Int) -> Int32 {
        let template = templates[Int(info.template)]
        if info.end >= 0 { taken[Int(info.end)] += 1 }
        records.ensure(recordCount + 1)
        lastNumber += 1
        records[recordCount] = OpenRecord(
            depth: depth, rowStart: rowCount, isRecord: template.entityCount > 0, number: lastNumber)
        recordCount += 1
        let start = Int(template.memberStart)
        let entities = start + Int(template.ancestorCount)
        for member in start..<entities { beginAncestor(Int(templateMembers[member])) }
        if template.entityCount > 0 { beginRows(entities..<entities + Int(template.entityCount), offset) }
        return template.state
    }

    /// Begins a row for each of some entities, members of a template.
    private mutating func beginRows(_ members: Range<Int>, _ offset: UInt64) {
        let position = position(of: offset, parentPath: parentPathCell(), step: stepCell())
        if innerCount == 0 { noteBytesBefore(isCarried: false) }
        innerCount += 1
        let first = rowCount
        for member in members {
            let entity = Int(templateMembers[member])
            let section = unsafe tables[entity]
            let row = unsafe section.pointee.appendRow()
            let found = unsafe section.pointee.positions.base + row
            unsafe found.pointee = position
            unsafe found.pointee.record = numbers[entity]
            numbers[entity] += 1
            rows.ensure(rowCount + 1)
            unsafe rows[rowCount] = OpenRow(
                entity: entity, row: row, cells: section.pointee.raw.base + row * section.pointee.slotCount)
            if unsafe section.pointee.hasNotes && records[recordCount - 1].notingRow < 0 {
                unsafe (records.base + recordCount - 1).pointee.notingRow = rowCount
            }
            rowCount += 1
            rowsInBatch += 1
        }
        // The tables of the rows may have moved.
        if recordCount > 1 { findCells() }
        for row in first..<rowCount where ancestors.counts[rows[row].entity] > 0 { link(rows[row]) }
    }

    /// By entity and path.
    var takenByPath: [[UInt64]] {
        var counts = model.entities.map { $0.records.map { _ in UInt64(0) } }
        for (index, count) in taken.enumerated() {
            for path in automaton.ends[index] { counts[path.entity][path.number] += count }
        }
        return counts
    }

    /// Ends the innermost record.
    mutating func endRecord() {
        recordCount -= 1
        let record = records[recordCount]
        if record.isRecord { innerCount -= 1 }
        if record.notingRow >= 0 { shareNotes(of: record) }
        // From the last to the first: a node around records may be one of them.
        while rowCount > record.rowStart {
            rowCount -= 1
            let row = rows[rowCount]
            if row.entity >= 0 {
                end(row, isRejected: record.isRejected)
            } else {
                endAncestor(row.row)
            }
        }
        if rowsInBatch >= options.batchSize || arena.count >= options.batchBytes { wantsHandOut = true }
    }

    private mutating func end(_ row: OpenRow, isRejected: Bool) {
        let section = unsafe tables[row.entity]
        unsafe section.pointee.status[row.row] = isRejected ? .rejected : .complete
        guard holds.activeCount > 0 else { return }
        if holds.isNext(unsafe section.pointee.positions[row.row].record, of: row.entity) { wantsDrain = true }
    }

    /// Points the open rows to their cells again.
    mutating func findCells() {
        for index in 0..<rowCount {
            let row = rows[index]
            if row.entity >= 0 {
                let section = unsafe tables[row.entity]
                unsafe rows[index].cells = section.pointee.raw.base + row.row * section.pointee.slotCount
            } else {
                unsafe rows[index].cells = ancestors.cells.base + ancestors.open[row.row].cellStart
            }
        }
    }

    private mutating func position(of offset: UInt64, parentPath: Cell, step: Cell) -> RecordPosition {
        let place = position(of: offset)
        var position = RecordPosition()
        position.offset = offset
        position.line = place.line
        position.column = place.column
        position.source = UInt16(truncatingIfNeeded: source)
        position.file = UInt32(truncatingIfNeeded: file)
        position.parentPath = parentPath
        position.step = step
        return position
    }

    private mutating func stepCell() -> Cell {
        var step = keyCell()
        if step.kind == .string { step.kind = .text }
        return step
    }

    private mutating func parentPathCell() -> Cell {
        guard depth > 0 else { return .absent }
        return pathCell(of: depth)
    }

    /// The path of an open container; written once for each batch.
    private mutating func pathCell(of depth: Int) -> Cell {
        if frames[depth].pathBatch == batchNumber { return frames[depth].path }
        let path = depth == 1 ? arena.appendText("$") : pathCell(below: pathCell(of: depth - 1), depth - 1)
        unsafe (frames.base + depth).pointee.path = path
        unsafe (frames.base + depth).pointee.pathBatch = batchNumber
        return path
    }

    /// A path and the step from its container to what is being read in it. Records that are in records have one each, so
    /// that the usual steps are written without a text of their own.
    private mutating func pathCell(below parent: Cell, _ depth: Int) -> Cell {
        let frame = frames[depth]
        if frame.isArray { return pathCell(below: parent, index: frame.index) }
        if let key = unsafe frame.key, unsafe isWord(key, frame.keyLength) {
            let path = pathCell(below: parent, room: frame.keyLength + 1)
            let target = unsafe arena.base + path.offset + parent.count
            unsafe target[0] = UInt8(ascii: ".")
            unsafe (target + 1).update(from: key, count: frame.keyLength)
            return path
        }
        var step = step(of: depth)
        return step.withUTF8 { bytes in
            let path = pathCell(below: parent, room: bytes.count)
            guard let source = bytes.baseAddress else { return path }
            unsafe (arena.base + path.offset + parent.count).update(from: source, count: bytes.count)
            return path
        }
    }

    private mutating func pathCell(below parent: Cell, index: Int) -> Cell {
        var count = 1
        var rest = index
        while rest > 9 {
            rest /= 10
            count += 1
        }
        let path = pathCell(below: parent, room: count + 2)
        let target = unsafe arena.base + path.offset + parent.count
        unsafe target[0] = UInt8(ascii: "[")
        unsafe target[count + 1] = UInt8(ascii: "]")
        rest = index
        while count > 0 {
            unsafe target[count] = UInt8(ascii: "0") + UInt8(rest % 10)
            rest /= 10
            count -= 1
        }
        return path
    }

    /// A copy of a path, with undefined bytes behind it.
    private mutating func pathCell(below parent: Cell, room: Int) -> Cell {
        let offset = arena.reserve(parent.count + room)
        unsafe (arena.base + offset).update(from: arena.base + parent.offset, count: parent.count)
        return Cell(kind: .text, payload: UInt64(offset), length: UInt32(parent.count + room))
    }

    /// Whether a name stands in a path as it is, see `Path.spelled`. Those beyond ASCII are left to that.
    private func isWord(_ name: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        for index in 0..<count {
            switch unsafe name[index] {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): break
            case UInt8(ascii: "0")...UInt8(ascii: "9") where index > 0: break
            default: return false
            }
        }
        return count > 0
    }

    /// The step from an open container to what is being read in it, as paths spell it.
    func step(of depth: Int) -> String {
        let frame = frames[depth]
        if frame.isArray { return "[\(frame.index)]" }
        guard let key = unsafe frame.key else { return "" }
        let bytes = unsafe UnsafeBufferPointer(start: key, count: frame.keyLength)
        return Path.spelled(name: unsafe String(decoding: bytes, as: UTF8.self))
    }
}
