/// The values of one column of a row group, as they will stand in its page.
package final class ColumnBuffer {
    package let column: ParquetColumn
    private(set) var values: [UInt8] = []
    /// How far each value is defined; of lists, likewise for each element.
    private var defined: [UInt8] = []
    /// Of lists: 0 begins one, 1 goes on.
    private var repeated: [UInt8] = []
    /// Of booleans: how many stand in the last byte.
    private var bits = 0

    init(_ column: ParquetColumn) { self.column = column }

    /// Bytes in memory.
    var byteCount: Int { values.count + defined.count + repeated.count }

    /// Values, nulls among them; empty lists count as one.
    var count: Int { defined.count }

    func reset() {
        values.removeAll(keepingCapacity: true)
        defined.removeAll(keepingCapacity: true)
        repeated.removeAll(keepingCapacity: true)
        bits = 0
    }

    // MARK: Levels

    package func null() {
        defined.append(0)
        beginRow()
    }

    /// A value of its own follows.
    package func value() {
        defined.append(1)
        beginRow()
    }

    package func emptyList() {
        defined.append(1)
        beginRow()
    }

    /// An element of a list.
    package func element(isFirst: Bool, isNull: Bool) {
        defined.append(isNull ? 2 : 3)
        repeated.append(isFirst ? 0 : 1)
    }

    private func beginRow() {
        if column.isList { repeated.append(0) }
    }

    // MARK: Values

    package func put(_ value: Int64) { append(UInt64(bitPattern: value), 8) }

    package func put(_ value: Double) { append(value.bitPattern, 8) }

    package func put(days: Int32) { append(UInt64(UInt32(bitPattern: days)), 4) }

    package func put(_ value: Bool) {
        if bits == 0 { values.append(0) }
        if value { values[values.count - 1] |= 1 << bits }
        bits = (bits + 1) & 7
    }

    package func put(_ bytes: [UInt8]) {
        append(UInt64(bytes.count), 4)
        values.append(contentsOf: bytes)
    }

    package func put(_ bytes: UnsafeBufferPointer<UInt8>) {
        append(UInt64(bytes.count), 4)
        unsafe values.append(contentsOf: bytes)
    }

    /// The lowest bytes of a number, the lowest first.
    private func append(_ value: UInt64, _ count: Int) {
        unsafe withUnsafeBytes(of: value.littleEndian) { unsafe values.append(contentsOf: $0.prefix(count)) }
    }

    // MARK: The page

    /// The body of a data page (version 1): levels, then the values that are not null.
    var page: [UInt8] {
        let levels =
            (column.isList ? Levels.encoded(repeated, most: 1) : []) + Levels.encoded(defined, most: column.mostDefined)
        return levels + values
    }
}

/// Levels of a page: runs, or packed bits, behind their length.
enum Levels {
    static func encoded(_ levels: [UInt8], most: UInt8) -> [UInt8] {
        let body = isUniform(levels) ? run(levels) : packed(levels, width: most == 1 ? 1 : 2)
        let length = UInt32(body.count)
        return (0..<4).map { UInt8(truncatingIfNeeded: length >> (8 * UInt32($0))) } + body
    }

    private static func isUniform(_ levels: [UInt8]) -> Bool {
        levels.allSatisfy { $0 == levels[0] }
    }

    private static func run(_ levels: [UInt8]) -> [UInt8] {
        guard let level = levels.first else { return [] }
        return varint(levels.count << 1) + [level]
    }

    /// Groups of eight levels, the first one in the lowest bits.
    private static func packed(_ levels: [UInt8], width: Int) -> [UInt8] {
        let groups = (levels.count + 7) / 8
        var bytes = varint(groups << 1 | 1)
        bytes.reserveCapacity(bytes.count + groups * width)
        for group in 0..<groups {
            var word: UInt16 = 0
            for place in 0..<8 where group * 8 + place < levels.count {
                word |= UInt16(levels[group * 8 + place]) << UInt16(place * width)
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
