import SluiceRecords

/// Bytes that are appended one after the other, and forgotten all at once.
@safe
struct ColumnBytes {
    private var table: Table<UInt8>
    private(set) var count = 0

    /// - Parameter capacity: bytes that there is room for at first.
    init(capacity: Int = 1 << 12) { table = Table(capacity: capacity) }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        table.ensure(count + 1)
        table[count] = byte
        count += 1
    }

    /// The lowest bytes of a number, the lowest first.
    @inline(__always)
    mutating func append(_ value: UInt64, bytes: Int) {
        table.ensure(count + MemoryLayout<UInt64>.size)
        unsafe UnsafeMutableRawPointer(table.base + count).storeBytes(of: value.littleEndian, as: UInt64.self)
        count += bytes
    }

    @inline(__always)
    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let base = bytes.baseAddress else { return }
        table.ensure(count + bytes.count)
        unsafe (table.base + count).update(from: base, count: bytes.count)
        count += bytes.count
    }

    mutating func append(_ bytes: [UInt8]) { unsafe bytes.withUnsafeBufferPointer { unsafe append($0) } }

    mutating func append(varint value: UInt64) { Varint.write(value) { append($0) } }

    mutating func append(zigzag value: Int64) { append(varint: Varint.zigzag(value)) }

    /// What a body appends, behind its length in four bytes, the lowest first.
    mutating func appendBehindLength(_ body: (inout ColumnBytes) -> Void) {
        let start = count
        append(0, bytes: 4)
        body(&self)
        for (place, byte) in [UInt8].length(count - start - 4).enumerated() { table[start + place] = byte }
    }

    /// Lets somebody else append to so much room, who returns how many bytes these were.
    mutating func append(upTo room: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Int) {
        table.ensure(count + room)
        count += unsafe body(table.base + count)
    }

    /// Sets bits of the last byte.
    func setLast(_ bits: UInt8) { table[count - 1] |= bits }

    func set(_ byte: UInt8, at index: Int) { table[index] = byte }

    mutating func reset() { count = 0 }

    mutating func deallocate() { table.deallocate() }

    subscript(index: Int) -> UInt8 { table[index] }

    /// All of them, until the next is appended.
    var view: UnsafeBufferPointer<UInt8> { unsafe UnsafeBufferPointer(start: table.base, count: count) }
}

extension [UInt8] {
    /// A number in four bytes, the lowest first.
    static func length(_ count: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) } }
}
