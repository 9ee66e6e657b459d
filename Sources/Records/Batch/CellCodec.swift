// Cells and the numbers of positions as bytes: how rows wait on disk, in Extract and in Load. A cell that has its bytes
// in an arena takes them along, and one that is a list its elements.

extension ByteWriter {
    /// The most bytes that a cell can take.
    @inlinable @inline(__always)
    package static func longest(_ cell: Cell, _ batch: RecordBatch) -> Int {
        if cell.kind == .list { return unsafe 1 + longestNumber + longestElements(cell, batch) }
        return unsafe 1 + longestNumber + (cell.hasBytes ? cell.count : 0)
    }

    package static func longestElements(_ list: Cell, _ batch: RecordBatch) -> Int {
        var bytes = 0
        var index = list.head
        for _ in 0..<list.count {
            let element = batch.elements[index]
            bytes += unsafe longest(element.cell, batch)
            index = Int(element.next)
        }
        return bytes
    }

    /// A cell; the elements of lists are of the batch, all bytes in the arena.
    @inlinable @inline(__always)
    package mutating func write(_ cell: Cell, _ batch: RecordBatch, _ arena: borrowing Arena) {
        if cell.kind == .list { unsafe write(list: cell, batch, arena) } else { unsafe write(scalar: cell, arena) }
    }

    package mutating func write(list: Cell, _ batch: RecordBatch, _ arena: borrowing Arena) {
        unsafe write(byte: list.kind.rawValue)
        unsafe write(UInt64(list.length))
        var index = list.head
        for _ in 0..<list.count {
            let element = batch.elements[index]
            unsafe write(element.cell, batch, arena)
            index = Int(element.next)
        }
    }

    @inlinable @inline(__always)
    package mutating func write(scalar cell: Cell, _ arena: borrowing Arena) {
        unsafe write(byte: cell.kind.rawValue)
        switch cell.kind {
        case .integer: unsafe write(signed: cell.integer)
        case .real: unsafe write(word: cell.payload)
        case .text, .blob, .impossible, .string, .number, .json, .unlisted:
            unsafe write(UInt64(cell.length))
            unsafe write(arena.base + cell.offset, cell.count)
        case .absent, .null, .list, .yes, .no, .object, .array, .brokenString: break
        }
    }

    /// The most bytes that the numbers of a position can take.
    @inlinable package static var longestPlace: Int { unsafe 6 * longestNumber }

    /// The numbers of a position; not its path.
    @inlinable @inline(__always)
    package mutating func write(placeOf position: RecordPosition) {
        unsafe write(UInt64(position.source))
        unsafe write(UInt64(position.file))
        unsafe write(position.record)
        unsafe write(position.line)
        unsafe write(position.column)
        unsafe write(position.offset)
    }
}

extension ByteReader {
    /// A cell: the elements of lists go to the batch, all bytes to the arena.
    @inlinable @inline(__always)
    package mutating func readCell(_ batch: RecordBatch, _ arena: inout Arena) -> Cell {
        let kind = unsafe CellKind(rawValue: readByte()) ?? .absent
        switch kind {
        case .integer: return .integer(unsafe readSigned())
        case .real: return Cell(kind: .real, payload: unsafe readWord())
        case .text, .blob, .impossible, .string, .number, .json, .unlisted:
            let length = Int(unsafe readNumber())
            let offset = unsafe arena.append(readBytes(length), length)
            return Cell(kind: kind, payload: UInt64(offset), length: UInt32(length))
        case .list: return unsafe readList(batch, &arena)
        case .absent, .null, .yes, .no, .object, .array, .brokenString: return Cell(kind: kind)
        }
    }

    package mutating func readList(_ batch: RecordBatch, _ arena: inout Arena) -> Cell {
        var list = Cell(kind: .list)
        for _ in 0..<(unsafe readNumber()) {
            let element = unsafe readCell(batch, &arena)
            batch.append(element, to: &list)
        }
        return list
    }

    /// The numbers of a position; its path is absent.
    @inlinable @inline(__always)
    package mutating func readPlace() -> RecordPosition {
        var position = RecordPosition()
        position.source = UInt16(truncatingIfNeeded: unsafe readNumber())
        position.file = UInt32(truncatingIfNeeded: unsafe readNumber())
        position.record = unsafe readNumber()
        position.line = unsafe readNumber()
        position.column = unsafe readNumber()
        position.offset = unsafe readNumber()
        return position
    }
}
