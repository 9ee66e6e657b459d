import SluiceRecords

// A key that is repeated within a record: the last one counts. What the earlier one has left in slots is taken back.
extension Walker {
    /// Notes that the top frame has had a symbol; false if it had it before.
    @inline(__always)
    mutating func markSeen(_ symbol: Int32) -> Bool {
        guard symbol < 64 else { return markSeenFar(symbol) }
        let bit: UInt64 = 1 << UInt64(symbol)
        let seen = unsafe top.pointee.seen
        unsafe top.pointee.seen = seen | bit
        return seen & bit == 0
    }

    @inline(never)
    private mutating func markSeenFar(_ symbol: Int32) -> Bool {
        let word = depth * containers.moreSeenWords + Int(symbol) / 64 - 1
        let bit: UInt64 = 1 << UInt64(symbol % 64)
        let seen = containers.moreSeen[word]
        containers.moreSeen[word] = seen | bit
        return seen & bit == 0
    }

    /// A key of the top frame comes again.
    @inline(never)
    mutating func repeated(_ symbol: Int32) {
        noteRepeated()
        let start = Int(unsafe top.pointee.cursorStart)
        for index in start..<start + Int(unsafe top.pointee.cursorCount) {
            let cursor = containers.cursors[index]
            var next = paths.tables.transitions[paths.tables.infos[Int(cursor.state)].row + Int(symbol)]
            if next < 0 { next = makeState(cursor.state, symbol) }
            guard next != Automaton.dead else { continue }
            if cursor.record < 0 {
                noteRepeatedRecords(symbol, in: cursor.state)
                continue
            }
            for ordinal in paths.automaton.ancestorsNaming(symbol, in: cursor.state) {
                repeatedOutside(cursor, ordinal, decidedBy: next)
            }
            let rowStart = open.records[Int(cursor.record)].rowStart
            for (ordinal, slot) in paths.automaton.decided(by: next) {
                unsafe open.rows[rowStart + ordinal].cells[slot] = .absent
            }
        }
        for index in unsafe top.pointee.markStart..<marks.count where marks.all[index].symbol == symbol {
            takeBack(index)
        }
    }

    /// Begins to note which elements of lists the value of the top frame's key adds.
    @inline(never)
    mutating func openMark(_ symbol: Int32) {
        guard let batch = output.batch else { return }
        if symbol == SymbolTable.other { noteUnnamed() }
        marks.all.ensure(marks.count + 1)
        marks.all[marks.count] = Mark(symbol: symbol, start: batch.elementCount, end: .max)
        marks.count += 1
        unsafe top.pointee.hasOpenMark = true
        checkHeld()
    }

    /// Notes a key that no path names, but whose value adds to lists. Such keys have no symbol to tell them apart.
    private mutating func noteUnnamed() {
        guard let key = unsafe top.pointee.key else { return }
        let name = unsafe [UInt8](UnsafeBufferPointer(start: key, count: top.pointee.keyLength))
        while marks.unnamed.count <= depth { marks.unnamed.append([:]) }
        if unsafe !top.pointee.hasUnnamedMarks {
            unsafe top.pointee.hasUnnamedMarks = true
            marks.unnamed[depth].removeAll(keepingCapacity: true)
        }
        if let earlier = marks.unnamed[depth].updateValue(marks.count, forKey: name) {
            noteRepeated()
            takeBack(earlier)
        }
    }

    @inline(never)
    mutating func closeMark() {
        unsafe top.pointee.hasOpenMark = false
        guard let batch = output.batch else { return }
        unsafe (marks.all.base + marks.count - 1).pointee.end = batch.elementCount
    }

    /// Takes back the elements that a mark is about.
    private mutating func takeBack(_ index: Int) {
        let taken = marks.all[index].start..<marks.all[index].end
        // Only open records contain the key, and only their lists can have elements from it.
        for row in 0..<open.rowCount where open.rows[row].entity >= 0 {
            let section = output.sections[open.rows[row].entity]
            for slot in 0..<section.slotCount { unsafe remove(taken, from: &open.rows[row].cells[slot]) }
        }
        unsafe (marks.all.base + index).pointee.end = marks.all[index].start
    }

    /// Takes elements out of a list by their indices.
    private func remove(_ taken: Range<Int>, from list: inout Cell) {
        guard list.kind == .list, let batch = output.batch else { return }
        let kept = elementIndices(of: list).filter { !taken.contains($0) }
        guard kept.count < list.count else { return }
        for (element, next) in zip(kept, kept.dropFirst()) {
            batch.elements[element] = ListElement(cell: batch.elements[element].cell, next: UInt32(next))
        }
        let (head, tail) = (UInt64(kept.first ?? 0), UInt64(kept.last ?? 0))
        list = Cell(kind: .list, payload: head << 32 | tail, length: UInt32(kept.count))
    }

    /// The indices of a list's elements, which ascend.
    func elementIndices(of list: Cell) -> [Int] {
        guard list.kind == .list, let batch = output.batch else { return [] }
        var indices: [Int] = []
        var index = list.head
        for _ in 0..<list.count {
            indices.append(index)
            index = Int(batch.elements[index].next)
        }
        return indices
    }
}
