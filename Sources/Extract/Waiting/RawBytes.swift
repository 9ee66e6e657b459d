import SluiceRecords

/// Raw cells, positions and numbers as bytes, one after the other, in memory that grows.
@safe
struct RawWriter {
    private(set) var bytes = Table<UInt8>(capacity: 1 << 12)
    private(set) var count = 0

    mutating func clear() { count = 0 }

    mutating func deallocate() { bytes.deallocate() }

    /// Writes at the end, where there is room for `most` bytes.
    @inline(__always)
    private mutating func append(_ most: Int, _ body: (inout ByteWriter) -> Void) {
        bytes.ensure(count + most)
        var writer = unsafe ByteWriter(bytes.base + count)
        unsafe body(&writer)
        count = unsafe writer.next - bytes.base
    }

    mutating func write(_ number: UInt64) {
        unsafe append(ByteWriter.longestNumber) { writer in unsafe writer.write(number) }
    }

    mutating func write(_ text: String) {
        var text = text
        text.withUTF8 { utf8 in
            write(UInt64(utf8.count))
            guard let base = utf8.baseAddress else { return }
            unsafe append(utf8.count) { writer in unsafe writer.write(base, utf8.count) }
        }
    }

    mutating func write(_ cell: Cell, _ batch: RecordBatch, _ arena: borrowing Arena) {
        unsafe append(ByteWriter.longest(cell, batch)) { [arena = copy arena] writer in
            unsafe writer.write(cell, batch, arena)
        }
    }

    mutating func write(_ position: RecordPosition, _ batch: RecordBatch, _ arena: borrowing Arena) {
        unsafe append(ByteWriter.longestPlace) { writer in unsafe writer.write(placeOf: position) }
        write(position.step, batch, arena)
        write(position.parentPath, batch, arena)
    }
}

/// Reads what a `RawWriter` has written.
@safe
struct RawReader {
    private var reader: ByteReader

    init(_ start: UnsafePointer<UInt8>) { unsafe reader = ByteReader(start) }

    mutating func number() -> UInt64 { unsafe reader.readNumber() }

    mutating func text() -> String {
        let length = Int(number())
        return unsafe String(
            decoding: UnsafeBufferPointer(start: reader.readBytes(length), count: length), as: UTF8.self)
    }

    /// A cell, what belongs to it in a batch and its arena.
    mutating func cell(_ batch: RecordBatch, _ arena: inout Arena) -> Cell { unsafe reader.readCell(batch, &arena) }

    mutating func position(_ batch: RecordBatch, _ arena: inout Arena) -> RecordPosition {
        var position = unsafe reader.readPlace()
        position.step = cell(batch, &arena)
        position.parentPath = cell(batch, &arena)
        return position
    }
}
