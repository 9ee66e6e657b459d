import SluiceRecords

/// Raw cells, positions and numbers as bytes, one after the other.
@safe
struct RawWriter {
    private(set) var bytes = Table<UInt8>(capacity: 1 << 12)
    private(set) var count = 0

    mutating func clear() { count = 0 }

    mutating func deallocate() { bytes.deallocate() }

    mutating func write(_ number: UInt64) {
        bytes.ensure(count + 8)
        unsafe UnsafeMutableRawPointer(bytes.base + count).storeBytes(of: number, as: UInt64.self)
        count += 8
    }

    mutating func write(_ start: UnsafePointer<UInt8>, _ length: Int) {
        write(UInt64(length))
        bytes.ensure(count + length)
        unsafe (bytes.base + count).update(from: start, count: length)
        count += length
    }

    mutating func write(_ text: String) {
        var text = text
        text.withUTF8 { utf8 in
            guard let base = utf8.baseAddress else { return write(UInt64(0)) }
            unsafe write(base, utf8.count)
        }
    }

    mutating func write(_ cell: Cell, _ batch: RecordBatch, _ arena: borrowing Arena) {
        write(UInt64(cell.kind.rawValue))
        if cell.kind == .list {
            write(UInt64(cell.count))
            var index = cell.head
            for _ in 0..<cell.count {
                let element = batch.elements[index]
                write(element.cell, batch, arena)
                index = Int(element.next)
            }
        } else if cell.hasBytes {
            unsafe write(UnsafePointer(arena.base) + cell.offset, cell.count)
        } else {
            write(cell.payload)
        }
    }

    mutating func write(_ position: RecordPosition, _ batch: RecordBatch, _ arena: borrowing Arena) {
        for number in [
            position.offset, position.record, position.line, position.column, UInt64(position.source),
            UInt64(position.file),
        ] {
            write(number)
        }
        write(position.step, batch, arena)
        write(position.parentPath, batch, arena)
    }
}

/// Reads what a `RawWriter` has written.
@safe
struct RawReader {
    private var next: UnsafePointer<UInt8>

    init(_ start: UnsafePointer<UInt8>) { unsafe next = start }

    mutating func number() -> UInt64 {
        defer { unsafe next += 8 }
        return unsafe UnsafeRawPointer(next).loadUnaligned(as: UInt64.self)
    }

    mutating func text() -> String {
        let length = Int(number())
        defer { unsafe next += length }
        return unsafe String(decoding: UnsafeBufferPointer(start: next, count: length), as: UTF8.self)
    }

    /// A cell, what belongs to it in a batch and its arena.
    mutating func cell(_ batch: RecordBatch, _ arena: inout Arena) -> Cell {
        let kind = CellKind(rawValue: UInt8(number())) ?? .absent
        if kind == .list {
            var list = Cell(kind: .list)
            for _ in 0..<number() { batch.append(cell(batch, &arena), to: &list) }
            return list
        }
        guard Cell(kind: kind).hasBytes else { return Cell(kind: kind, payload: number()) }
        let length = Int(number())
        defer { unsafe next += length }
        return Cell(kind: kind, payload: UInt64(unsafe arena.append(next, length)), length: UInt32(length))
    }

    mutating func position(_ batch: RecordBatch, _ arena: inout Arena) -> RecordPosition {
        var position = RecordPosition()
        position.offset = number()
        position.record = number()
        position.line = number()
        position.column = number()
        position.source = UInt16(number())
        position.file = UInt32(number())
        position.step = cell(batch, &arena)
        position.parentPath = cell(batch, &arena)
        return position
    }
}
