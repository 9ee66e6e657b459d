import SluiceRecords

/// The open nodes around records whose values the records need, and these values.
@safe
struct Ancestors {
    let infos: Table<AncestorInfo>
    /// By entity: its first ancestor, and how many it has.
    let starts: [Int]
    let counts: [Int]
    private let slots: Table<Int32>
    private(set) var open = Table<OpenAncestor>()
    private(set) var count = 0
    var cells = Table<Cell>()
    private var cellCount = 0
    /// Of the open ones.
    var firsts: [FirstValue] = []
    /// By kind, the innermost open one; negative: none.
    private var tops: Table<Int>
    private let kindCount: Int
    private var lastID: UInt64 = 0
    /// The bytes and the lists of the values.
    private(set) var values = RecordBatch(model: Model(entities: []))
    private var compactsAt = Ancestors.leastCompacted

    private static let leastCompacted = 1 << 20

    init(_ ancestors: [Ancestor], _ model: Model) {
        var starts = [Int](repeating: 0, count: model.entities.count)
        var counts = starts
        infos = Table(capacity: ancestors.count)
        slots = Table(capacity: ancestors.reduce(0) { $0 + $1.slots.count })
        tops = Table(capacity: ancestors.count)
        kindCount = ancestors.count
        var next = 0
        for (kind, ancestor) in ancestors.enumerated() {
            let entity = ancestor.entity
            if counts[entity] == 0 { starts[entity] = kind }
            var levels = 0
            if case .up(let count) = ancestor.place { levels = count }
            infos[kind] = AncestorInfo(
                entity: entity, column: counts[entity], levels: levels, slotStart: next,
                slotCount: ancestor.slots.count,
                hasLists: ancestor.slots.contains { model.entities[entity].slots[$0].many })
            counts[entity] += 1
            for slot in ancestor.slots {
                slots[next] = Int32(slot)
                next += 1
            }
        }
        (self.starts, self.counts) = (starts, counts)
        reset()
    }

    func deallocate() {
        var (infos, slots, open, cells, tops) = (infos, slots, open, cells, tops)
        infos.deallocate()
        slots.deallocate()
        open.deallocate()
        cells.deallocate()
        tops.deallocate()
    }

    /// Forgets what is open.
    mutating func reset() {
        count = 0
        cellCount = 0
        for kind in 0..<kindCount { tops[kind] = -1 }
        values.reset()
        firsts.removeAll()
    }

    /// Opens one, and returns its index.
    mutating func begin(_ kind: Int, depth: Int, firstRow: Int, batch: Int) -> Int {
        let width = infos[kind].slotCount
        cells.ensure(cellCount + 2 * width)
        for index in cellCount..<cellCount + width { cells[index] = .absent }
        lastID += 1
        open.ensure(count + 1)
        open[count] = OpenAncestor(
            kind: kind, depth: depth, id: lastID, cellStart: cellCount, outer: tops[kind], firstRow: firstRow,
            firstBatch: batch)
        tops[kind] = count
        cellCount += 2 * width
        count += 1
        return count - 1
    }

    /// Forgets the innermost.
    mutating func endLast() {
        count -= 1
        tops[open[count].kind] = open[count].outer
        cellCount = open[count].cellStart
        if count == 0 { values.reset() }
    }

    /// The index of the one that is meant for a record at a depth; negative: there is none.
    func find(_ kind: Int, recordDepth: Int) -> Int {
        var index = tops[kind]
        let levels = infos[kind].levels
        guard levels > 0 else { return index }
        while index >= 0 && open[index].depth > recordDepth - levels { index = open[index].outer }
        return index >= 0 && open[index].depth == recordDepth - levels ? index : -1
    }

    /// The index of the open one of that number; negative: it has ended.
    func find(id: UInt64) -> Int {
        var index = count - 1
        while index >= 0 && open[index].id > id { index -= 1 }
        return index >= 0 && open[index].id == id ? index : -1
    }

    /// Whether all values are known: each has been met, and none may come again.
    func isKnown(_ index: Int) -> Bool {
        let info = infos[open[index].kind]
        guard !info.hasLists, !open[index].isRepeating else { return false }
        let start = open[index].cellStart
        for cell in start..<start + info.slotCount where cells[cell].kind == .absent { return false }
        return true
    }

    /// The slot of the entity that the value with this number is for.
    func slot(_ info: AncestorInfo, _ value: Int) -> Int { Int(slots[info.slotStart + value]) }

    // MARK: Values

    /// Copies a value into the memory of these.
    func cell(_ kind: CellKind, _ text: UnsafePointer<UInt8>?, _ length: Int) -> Cell {
        guard let text = unsafe text else { return Cell(kind: kind) }
        return Cell(kind: kind, payload: UInt64(unsafe values.arena.append(text, length)), length: UInt32(length))
    }

    /// Gives memory back that ended nodes have left, once it is worth it.
    mutating func compact() {
        guard values.arena.count + values.elementCount * MemoryLayout<ListElement>.stride >= compactsAt else { return }
        let old = values
        values = RecordBatch(model: Model(entities: []))
        var arena = values.arena
        for index in 0..<count {
            let start = open[index].cellStart
            for cell in start..<start + infos[open[index].kind].slotCount {
                cells[cell] = CellCopy.copy(cells[cell], from: old, old.arena, to: values, &arena)
            }
        }
        for index in firsts.indices {
            firsts[index].cell = CellCopy.copy(firsts[index].cell, from: old, old.arena, to: values, &arena)
        }
        values.arena = arena
        compactsAt = max(
            Ancestors.leastCompacted,
            2 * (arena.count + values.elementCount * MemoryLayout<ListElement>.stride))
    }
}
