import SluiceRecords

/// Copies raw cells, with what belongs to them, from one batch to another.
enum CellCopy {
    /// - Parameters:
    ///   - source: the arena of `old`, and `target` that of `new`, wherever they are kept.
    static func copy(
        _ cell: Cell, from old: RecordBatch, _ source: borrowing Arena, to new: RecordBatch, _ target: inout Arena
    ) -> Cell {
        guard cell.kind == .list else { return bytes(cell, source, &target) }
        var list = Cell(kind: .list)
        var index = cell.head
        for _ in 0..<cell.count {
            let element = old.elements[index]
            new.append(bytes(element.cell, source, &target), to: &list)
            index = Int(element.next)
        }
        return list
    }

    private static func bytes(_ cell: Cell, _ source: borrowing Arena, _ target: inout Arena) -> Cell {
        guard cell.hasBytes else { return cell }
        let offset = unsafe target.append(UnsafePointer(source.base) + cell.offset, cell.count)
        return Cell(kind: cell.kind, payload: UInt64(offset), length: cell.length)
    }
}
