import SluiceRecords

extension Walker {
    /// Where the value that is being read stands below the record of a cursor, see `Slot.isPlace`: of each level the
    /// index of an element, or the number of a member.
    mutating func placeCell(below cursor: Cursor) -> Cell {
        let first = open.records[Int(cursor.record)].depth
        let count = 4 * (depth - first + 1)
        let offset = output.arena.reserve(count)
        let target = unsafe output.arena.base + offset
        for level in first...depth {
            let number = UInt32(truncatingIfNeeded: number(at: level))
            for byte in 0..<4 {
                unsafe target[4 * (level - first) + byte] = UInt8(truncatingIfNeeded: number >> UInt32(24 - 8 * byte))
            }
        }
        return Cell(kind: .text, payload: UInt64(offset), length: UInt32(count))
    }

    /// Which of the nodes in an open container is being read. Among the members that add to lists, and only of these it
    /// matters, each has a mark of its own.
    private func number(at level: Int) -> Int {
        let frame = containers.frames[level]
        if frame.isArray { return frame.index }
        return (level == depth ? marks.count : containers.frames[level + 1].markStart) - frame.markStart
    }
}
