import SluiceRecords

/// Bytes that are appended one after the other, and forgotten all at once.
@safe
struct ColumnBytes {
    private var table = Table<UInt8>(capacity: 1 << 12)
    private(set) var count = 0

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

    /// Sets bits of the last byte.
    func setLast(_ bits: UInt8) { table[count - 1] |= bits }

    mutating func reset() { count = 0 }

    mutating func deallocate() { table.deallocate() }

    /// All of them, until the next is appended.
    var view: UnsafeBufferPointer<UInt8> { unsafe UnsafeBufferPointer(start: table.base, count: count) }
}

extension [UInt8] {
    /// How many they are, in four bytes, the lowest first.
    var length: [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) } }

    /// As the format has what may be of any length.
    var behindLength: [UInt8] { length + self }
}
