import SluiceRecords

/// Moves open rows, with the bytes and lists that belong to them, from one batch to another.
struct RowMover {
    private let old: RecordBatch
    private let new: RecordBatch
    /// The elements of lists that are to be moved, and the new lists that take them.
    private var elements: [(index: Int, entity: Int, cell: Int)] = []

    init(from old: RecordBatch, to new: RecordBatch) {
        self.old = old
        self.new = new
    }

    /// Moves a row; its lists are empty until their elements are moved.
    mutating func move(_ row: OpenRow) -> OpenRow {
        let source = old.sections[row.entity]
        let target = new.sections[row.entity]
        let newRow = target.appendRow()
        for slot in 0..<source.slotCount {
            let cell = source.raw[row.row * source.slotCount + slot]
            let newIndex = newRow * target.slotCount + slot
            if cell.kind == .list {
                collect(cell, entity: row.entity, cell: newIndex)
                target.raw[newIndex] = Cell(kind: .list)
            } else {
                target.raw[newIndex] = copy(cell)
            }
        }
        if source.hasNotes { moveNotes(source.notes[row.row], to: newRow, of: target) }
        var position = source.positions[row.row]
        position.parentPath = copy(position.parentPath)
        position.step = copy(position.step)
        target.positions[newRow] = position
        source.status[row.row] = .dropped
        moveFaults(entity: row.entity, from: row.row, to: newRow)
        return unsafe OpenRow(entity: row.entity, row: newRow, cells: target.raw.base + newRow * target.slotCount)
    }

    /// Moves the elements of all lists in the order in which they came, and returns how indices among them translate.
    func moveElements() -> (Int) -> Int {
        let base = new.elementCount
        let sorted = elements.sorted { $0.index < $1.index }
        for element in sorted {
            let raw = new.sections[element.entity].raw
            var list = raw[element.cell]
            new.append(copy(old.elements[element.index].cell), to: &list)
            raw[element.cell] = list
        }
        let indices = sorted.map(\.index)
        return { index in
            index == .max ? .max : base + (indices.firstIndex { $0 >= index } ?? indices.count)
        }
    }

    /// No mark is about notes, so that their elements need not stay among those of other lists.
    private func moveNotes(_ notes: Cell, to row: Int, of target: EntityRecords) {
        guard notes.kind == .list else { return }
        var list = Cell.absent
        var index = notes.head
        for _ in 0..<notes.count {
            new.append(old.elements[index].cell, to: &list)
            index = Int(old.elements[index].next)
        }
        target.notes[row] = list
    }

    private mutating func collect(_ list: Cell, entity: Int, cell: Int) {
        var index = list.head
        for _ in 0..<list.count {
            elements.append((index, entity, cell))
            index = Int(old.elements[index].next)
        }
    }

    private func copy(_ cell: Cell) -> Cell {
        guard cell.hasBytes else { return cell }
        let offset = unsafe new.arena.append(UnsafePointer(old.arena.base) + cell.offset, cell.count)
        return Cell(kind: cell.kind, payload: UInt64(offset), length: cell.length)
    }

    private func moveFaults(entity: Int, from row: Int, to newRow: Int) {
        for fault in old.faults where fault.entity == entity && fault.row == row {
            var moved = fault
            moved.row = newRow
            new.faults.append(moved)
        }
        old.faults.removeAll { $0.entity == entity && $0.row == row }
    }
}
