import SluiceRecords

extension Walker {
    /// Begins a record, or a node around records, with a row for each part of its template, and returns the state in
    /// which its slots begin.
    mutating func beginRecord(_ info: StateInfo, offset: UInt64, depth: Int) -> Int32 {
        let template = paths.tables.templates[Int(info.template)]
        if info.end >= 0 { recordCounts.taken[Int(info.end)] += 1 }
        open.records.ensure(open.recordCount + 1)
        drift.lastNumber += 1
        open.records[open.recordCount] = OpenRecord(
            depth: depth, rowStart: open.rowCount, isRecord: template.entityCount > 0, number: drift.lastNumber)
        open.recordCount += 1
        let start = Int(template.memberStart)
        let entities = start + Int(template.ancestorCount)
        for member in start..<entities { beginAncestor(Int(paths.tables.templateMembers[member])) }
        if template.entityCount > 0 {
            beginRows(entities..<entities + Int(template.entityCount), offset)
            if items.isNoting { noteRows(Int(template.entityCount), end: info.end) }
        }
        return template.state
    }

    /// Begins a row for each of some entities, members of a template.
    private mutating func beginRows(_ members: Range<Int>, _ offset: UInt64) {
        let position = position(of: offset, parentPath: parentPathCell(), step: stepCell())
        if open.innerCount == 0 { noteBytesBefore(isCarried: false) }
        open.innerCount += 1
        let first = open.rowCount
        for member in members {
            let entity = Int(paths.tables.templateMembers[member])
            let section = unsafe output.tables[entity]
            let row = unsafe section.pointee.appendRow()
            let found = unsafe section.pointee.positions.base + row
            unsafe found.pointee = position
            unsafe found.pointee.record = recordCounts.numbers[entity]
            recordCounts.numbers[entity] += 1
            open.rows.ensure(open.rowCount + 1)
            unsafe open.rows[open.rowCount] = OpenRow(
                entity: entity, row: row, cells: section.pointee.raw.base + row * section.pointee.slotCount)
            if unsafe section.pointee.hasNotes && open.records[open.recordCount - 1].notingRow < 0 {
                unsafe (open.records.base + open.recordCount - 1).pointee.notingRow = open.rowCount
            }
            open.rowCount += 1
            output.noteRow(unsafe section.pointee.rowBytes)
        }
        // The tables of the rows may have moved.
        if open.recordCount > 1 { findCells() }
        for row in first..<open.rowCount where around.ancestors.counts[open.rows[row].entity] > 0 {
            link(open.rows[row])
        }
    }

    /// By entity and path.
    var takenByPath: [[UInt64]] {
        var counts = feed.model.entities.map { $0.records.map { _ in UInt64(0) } }
        for (index, count) in recordCounts.taken.enumerated() {
            for path in paths.automaton.ends[index] { counts[path.entity][path.number] += count }
        }
        return counts
    }

    /// Ends the innermost record.
    mutating func endRecord() {
        open.recordCount -= 1
        let record = open.records[open.recordCount]
        if record.isRecord { open.innerCount -= 1 }
        if record.notingRow >= 0 { shareNotes(of: record) }
        // From the last to the first: a node around records may be one of them.
        while open.rowCount > record.rowStart {
            open.rowCount -= 1
            let row = open.rows[open.rowCount]
            if row.entity >= 0 {
                end(row, isRejected: record.isRejected)
            } else {
                endAncestor(row.row)
            }
        }
        if output.isFull(feed.options) { output.wantsHandOut = true }
    }

    private mutating func end(_ row: OpenRow, isRejected: Bool) {
        let section = unsafe output.tables[row.entity]
        unsafe section.pointee.status[row.row] = isRejected ? .rejected : .complete
        guard around.holds.activeCount > 0 else { return }
        if around.holds.isNext(unsafe section.pointee.positions[row.row].record, of: row.entity) {
            around.wantsDrain = true
        }
    }

    /// Points the open rows to their cells again.
    mutating func findCells() {
        for index in 0..<open.rowCount {
            let row = open.rows[index]
            if row.entity >= 0 {
                let section = unsafe output.tables[row.entity]
                unsafe open.rows[index].cells = section.pointee.raw.base + row.row * section.pointee.slotCount
            } else {
                unsafe open.rows[index].cells = around.ancestors.cells.base + around.ancestors.open[row.row].cellStart
            }
        }
    }

    private mutating func position(of offset: UInt64, parentPath: Cell, step: Cell) -> RecordPosition {
        let place = position(of: offset)
        var position = RecordPosition()
        position.offset = offset
        position.line = place.line
        position.column = place.column
        position.source = UInt16(truncatingIfNeeded: feed.source)
        position.file = UInt32(truncatingIfNeeded: feed.file)
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
        if containers.frames[depth].place.batch == output.batchNumber { return containers.frames[depth].place.path }
        let path = depth == 1 ? output.arena.appendText("$") : pathCell(below: pathCell(of: depth - 1), depth - 1)
        unsafe (containers.frames.base + depth).pointee.place.path = path
        unsafe (containers.frames.base + depth).pointee.place.batch = output.batchNumber
        return path
    }

    /// A path and the step from its container to what is being read in it. Records that are in records have one each,
    /// so that the usual steps are written without a text of their own.
    private mutating func pathCell(below parent: Cell, _ depth: Int) -> Cell {
        let frame = containers.frames[depth]
        if frame.isArray { return pathCell(below: parent, index: frame.index) }
        if let key = unsafe frame.key, unsafe isWord(key, frame.keyLength) {
            let path = pathCell(below: parent, room: frame.keyLength + 1)
            let target = unsafe output.arena.base + path.offset + parent.count
            unsafe target[0] = UInt8(ascii: ".")
            unsafe (target + 1).update(from: key, count: frame.keyLength)
            return path
        }
        var step = step(of: depth)
        return step.withUTF8 { bytes in
            let path = pathCell(below: parent, room: bytes.count)
            guard let source = bytes.baseAddress else { return path }
            unsafe (output.arena.base + path.offset + parent.count).update(from: source, count: bytes.count)
            return path
        }
    }

    private mutating func pathCell(below parent: Cell, index: Int) -> Cell {
        let count = DecimalDigits.count(UInt64(index))
        let path = pathCell(below: parent, room: count + 2)
        let target = unsafe output.arena.base + path.offset + parent.count
        unsafe target[0] = UInt8(ascii: "[")
        DecimalDigits.write(UInt64(index), count: count) { unsafe target[1 + $0] = $1 }
        unsafe target[count + 1] = UInt8(ascii: "]")
        return path
    }

    /// A copy of a path, with undefined bytes behind it.
    private mutating func pathCell(below parent: Cell, room: Int) -> Cell {
        let offset = output.arena.reserve(parent.count + room)
        unsafe (output.arena.base + offset).update(from: output.arena.base + parent.offset, count: parent.count)
        return Cell(kind: .text, payload: UInt64(offset), length: UInt32(parent.count + room))
    }

    /// Whether a path contains a name as it is, see `Path.spelled`. Those beyond ASCII are left to that.
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
        let frame = containers.frames[depth]
        if frame.isArray { return "[\(frame.index)]" }
        guard let key = unsafe frame.key else { return "" }
        let bytes = unsafe UnsafeBufferPointer(start: key, count: frame.keyLength)
        return Path.spelled(name: unsafe String(decoding: bytes, as: UTF8.self))
    }
}
