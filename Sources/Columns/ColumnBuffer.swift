import SluiceRecords

/// The values of one column of a row group, as they will stand in its page.
@safe
package final class ColumnBuffer {
    package let column: ParquetColumn
    /// Behind a pointer: a property of a class is checked for exclusive access each time, which takes longer than the
    /// access itself.
    private let memory: UnsafeMutablePointer<Memory>

    private struct Memory {
        var values = ColumnBytes()
        /// How far each value is defined; of lists, likewise for each element.
        var defined = ColumnBytes()
        /// Of lists: 0 begins one, 1 goes on.
        var repeated = ColumnBytes()
        /// Of booleans: how many stand in the last byte.
        var bits = 0
        /// Where all values so far are the same text: it, and how many they are. They are not among the others then.
        var constant: [UInt8] = []
        var constantCount = 0
    }

    init(_ column: ParquetColumn) {
        self.column = column
        unsafe memory = .allocate(capacity: 1)
        unsafe memory.initialize(to: Memory())
    }

    deinit {
        unsafe memory.pointee.values.deallocate()
        unsafe memory.pointee.defined.deallocate()
        unsafe memory.pointee.repeated.deallocate()
        unsafe memory.deinitialize(count: 1)
        unsafe memory.deallocate()
    }

    /// Bytes in memory.
    var byteCount: Int {
        unsafe memory.pointee.values.count + memory.pointee.defined.count + memory.pointee.repeated.count
    }

    /// Values, nulls among them; empty lists count as one.
    var count: Int { unsafe memory.pointee.defined.count + memory.pointee.constantCount }

    func reset() {
        unsafe memory.pointee.values.reset()
        unsafe memory.pointee.defined.reset()
        unsafe memory.pointee.repeated.reset()
        unsafe memory.pointee.bits = 0
        unsafe memory.pointee.constantCount = 0
    }

    // MARK: Levels

    package func null() { level(0) }

    /// A value of its own follows.
    package func value() { level(1) }

    package func emptyList() { level(1) }

    /// An element of a list.
    package func element(isFirst: Bool, isNull: Bool) {
        unsafe memory.pointee.defined.append(isNull ? 2 : 3)
        unsafe memory.pointee.repeated.append(isFirst ? 0 : 1)
    }

    private func level(_ level: UInt8) {
        unsafe memory.pointee.defined.append(level)
        if column.isList { unsafe memory.pointee.repeated.append(0) }
    }

    // MARK: Values

    package func put(_ value: Int64) { unsafe memory.pointee.values.append(UInt64(bitPattern: value), bytes: 8) }

    package func put(_ value: Double) { unsafe memory.pointee.values.append(value.bitPattern, bytes: 8) }

    package func put(days: Int32) {
        unsafe memory.pointee.values.append(UInt64(UInt32(bitPattern: days)), bytes: 4)
    }

    package func put(_ value: Bool) {
        let bits = unsafe memory.pointee.bits
        if bits == 0 { unsafe memory.pointee.values.append(0) }
        if value { unsafe memory.pointee.values.setLast(1 << UInt8(bits)) }
        unsafe memory.pointee.bits = (bits + 1) & 7
    }

    package func put(_ bytes: [UInt8]) { unsafe bytes.withUnsafeBufferPointer { unsafe put($0) } }

    package func put(_ bytes: UnsafeBufferPointer<UInt8>) {
        unsafe memory.pointee.values.append(UInt64(bytes.count), bytes: 4)
        unsafe memory.pointee.values.append(bytes)
    }

    /// So many values that are the same text. As long as nothing else comes, it is kept once.
    package func put(_ text: [UInt8], count: Int) {
        if count == 0 { return }
        let isConstant = unsafe memory.pointee.defined.count == 0
        if isConstant, unsafe memory.pointee.constantCount == 0 || memory.pointee.constant == text {
            unsafe memory.pointee.constant = text
            unsafe memory.pointee.constantCount += count
            return
        }
        let kept = unsafe (text: memory.pointee.constant, count: memory.pointee.constantCount)
        unsafe memory.pointee.constantCount = 0
        spell(kept.text, kept.count)
        spell(text, count)
    }

    private func spell(_ text: [UInt8], _ count: Int) {
        for _ in 0..<count {
            value()
            put(text)
        }
    }

    // MARK: The page

    /// The text that all values are; nil: they are not.
    var constant: [UInt8]? { unsafe memory.pointee.constantCount > 0 ? memory.pointee.constant : nil }

    /// The body of a data page (version 1): levels, then the values that are not null; where all are the same, a run of
    /// the first entry of the dictionary, in indices of one bit.
    var page: [UInt8] {
        if constant != nil { return Levels.encoded(run: 1, count) + [1] + Levels.run(0, count) }
        let repeated = unsafe column.isList ? Levels.encoded(memory.pointee.repeated.view, most: 1) : []
        let defined = unsafe Levels.encoded(memory.pointee.defined.view, most: column.mostDefined)
        return unsafe repeated + defined + memory.pointee.values.view
    }
}

/// Levels of a page: runs, or packed bits, behind their length.
enum Levels {
    static func encoded(_ levels: UnsafeBufferPointer<UInt8>, most: UInt8) -> [UInt8] {
        guard let first = unsafe levels.first else { return [].behindLength }
        let isUniform = unsafe levels.allSatisfy { $0 == first }
        let body = isUniform ? run(first, levels.count) : unsafe packed(levels, width: most == 1 ? 1 : 2)
        return body.behindLength
    }

    /// So many of the same level.
    static func encoded(run level: UInt8, _ count: Int) -> [UInt8] { run(level, count).behindLength }

    /// Without a length, as the indices of a dictionary are.
    static func run(_ level: UInt8, _ count: Int) -> [UInt8] { varint(count << 1) + [level] }

    /// Groups of eight levels, the first one in the lowest bits.
    private static func packed(_ levels: UnsafeBufferPointer<UInt8>, width: Int) -> [UInt8] {
        let groups = (levels.count + 7) / 8
        var bytes = varint(groups << 1 | 1)
        bytes.reserveCapacity(bytes.count + groups * width)
        for group in 0..<groups {
            var word: UInt16 = 0
            for place in 0..<8 where group * 8 + place < levels.count {
                word |= UInt16(unsafe levels[group * 8 + place]) << UInt16(place * width)
            }
            for byte in 0..<width { bytes.append(UInt8(truncatingIfNeeded: word >> UInt16(8 * byte))) }
        }
        return bytes
    }

    private static func varint(_ value: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = value
        while rest > 0x7f {
            bytes.append(UInt8(rest & 0x7f) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }
}
