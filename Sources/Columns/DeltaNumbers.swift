import SluiceRecords

/// Whole numbers as their differences, in as few bits as 32 of them need: `DELTA_BINARY_PACKED` of the format. What is
/// the same in all rows, or counts them, takes some 5 bytes for 128 rows, and no time to compress.
///
/// Source: https://github.com/apache/parquet-format/blob/master/Encodings.md
@safe
struct DeltaNumbers {
    /// Differences in a block: what they are above the smallest of them is packed.
    static let blockCount = 128
    /// Differences in a part of a block, which have the same width.
    static let partCount = 32

    /// The differences of the block that has begun.
    private var waiting = Table<Int64>(capacity: DeltaNumbers.blockCount)
    private var waitingCount = 0
    private var header = ColumnBytes(capacity: 32)
    private var blocks = ColumnBytes(capacity: 64)
    private var first: Int64 = 0
    private var last: Int64 = 0
    private(set) var count = 0

    @inline(__always)
    mutating func append(_ value: Int64) {
        if count == 0 {
            first = value
        } else {
            // The difference of numbers far apart overflows, and so does the reader's sum, back to the number.
            waiting[waitingCount] = value &- last
            waitingCount += 1
            if waitingCount == DeltaNumbers.blockCount { endBlock() }
        }
        last = value
        count += 1
    }

    /// All of them, as they stand in a page until they are reset; no other one follows before.
    mutating func finish() -> [ColumnBytes] {
        if waitingCount > 0 { endBlock() }
        header.reset()
        header.append(varint: UInt64(DeltaNumbers.blockCount))
        header.append(varint: UInt64(DeltaNumbers.blockCount / DeltaNumbers.partCount))
        header.append(varint: UInt64(count))
        header.append(zigzag: first)
        return [header, blocks]
    }

    mutating func reset() {
        (count, waitingCount, first) = (0, 0, 0)
        blocks.reset()
    }

    mutating func deallocate() {
        waiting.deallocate()
        header.deallocate()
        blocks.deallocate()
    }

    // MARK: Blocks

    @inline(never)
    private mutating func endBlock() {
        // What is missing in the last block counts as 0 above the smallest, if its part is there at all.
        let (smallest, partsThere) = (
            leastWaiting, (waitingCount + DeltaNumbers.partCount - 1) / DeltaNumbers.partCount
        )
        for index in waitingCount..<DeltaNumbers.blockCount { waiting[index] = smallest }
        waitingCount = 0
        blocks.append(zigzag: smallest)
        let widths = blocks.count
        blocks.append(0, bytes: DeltaNumbers.blockCount / DeltaNumbers.partCount)
        guard !isUniform else { return }
        for part in 0..<partsThere {
            let start = part * DeltaNumbers.partCount
            let width = width(start, above: smallest)
            blocks.set(UInt8(width), at: widths + part)
            if width > 0 { pack(start, above: smallest, width: width) }
        }
    }

    private var leastWaiting: Int64 {
        var least = waiting[0]
        for index in 1..<waitingCount { least = min(least, waiting[index]) }
        return least
    }

    /// Whether the differences are all the same, as those of counting columns are.
    private var isUniform: Bool {
        var differing: Int64 = 0
        for index in 0..<DeltaNumbers.blockCount { differing |= waiting[index] ^ waiting[0] }
        return differing == 0
    }

    /// Bits that the largest number of a part needs.
    private func width(_ start: Int, above smallest: Int64) -> Int {
        var all: UInt64 = 0
        for index in start..<start + DeltaNumbers.partCount { all |= UInt64(bitPattern: waiting[index] &- smallest) }
        return UInt64.bitWidth - all.leadingZeroBitCount
    }

    /// The lowest bits first.
    private mutating func pack(_ start: Int, above smallest: Int64, width: Int) {
        var (word, filled): (UInt64, Int) = (0, 0)
        for index in start..<start + DeltaNumbers.partCount {
            let value = UInt64(bitPattern: waiting[index] &- smallest)
            word |= value &<< UInt64(filled)
            filled += width
            guard filled >= UInt64.bitWidth else { continue }
            blocks.append(word, bytes: 8)
            filled -= UInt64.bitWidth
            // By 64 where nothing is left over, which makes it 0.
            word = value >> UInt64(width - filled)
        }
        // 32 numbers are whole words, but for half of one.
        blocks.append(word, bytes: filled / 8)
    }
}
