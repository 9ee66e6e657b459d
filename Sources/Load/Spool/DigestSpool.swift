import SluiceRecords

/// Digests on disk, in partitions by their identifiers: those of one partition are read together.
@safe
final class DigestSpool {
    /// Digests that are written together.
    private static let blockCount = 640
    private static let mostPartitions = 256
    /// Objects of a partition.
    private static let usualCount = 1 << 16
    /// The most digests of a partition that is read as a whole: where a feed has many more records than there are
    /// objects, the partition is divided once more.
    private static let mostCount = 4 * usualCount

    let partitionCount: Int
    /// Bits of an identifier that all digests have in common.
    private let common: UInt64
    private let shift: UInt64
    private let file = SpoolBlocks()
    /// A block for each partition, which is filled and written.
    private let filling: UnsafeMutablePointer<RowDigest>
    /// By partition: digests in its block.
    private let filled: UnsafeMutablePointer<Int>
    /// By partition: where in the file its blocks begin.
    private var blocks: [[Int]]

    /// For so many objects, or somewhat more: their partitions have a usual size.
    ///
    /// - Parameter common: bits of an identifier, its first, that all have in common.
    init(objects: Int64, common: UInt64 = 0) {
        self.common = common
        var bits: UInt64 = 0
        while 1 << bits < DigestSpool.mostPartitions, Int64(DigestSpool.usualCount) << Int64(bits) < objects {
            bits += 1
        }
        partitionCount = 1 << bits
        shift = 64 - bits
        unsafe filling = .allocate(capacity: partitionCount * DigestSpool.blockCount)
        unsafe filled = .allocate(capacity: partitionCount)
        unsafe filled.initialize(repeating: 0, count: partitionCount)
        blocks = Array(repeating: [], count: partitionCount)
    }

    deinit {
        unsafe filling.deallocate()
        unsafe filled.deallocate()
    }

    @inline(__always)
    func partition(of identifier: UInt64) -> Int { Int(truncatingIfNeeded: (identifier << common) >> shift) }

    /// How many digests a partition has.
    func count(_ partition: Int) -> Int {
        unsafe blocks[partition].count * DigestSpool.blockCount + filled[partition]
    }

    /// Whether a partition is too large to be read as a whole.
    func isTooLarge(_ partition: Int) -> Bool { count(partition) > DigestSpool.mostCount }

    /// The digests of a partition, in those of a spool of their own.
    ///
    /// - Parameter count: how many there are to be in all.
    func divided(_ partition: Int, for count: Int) throws(Failure) -> DigestSpool {
        let parts = DigestSpool(objects: Int64(count), common: 64 - shift)
        var digests = Table<RowDigest>()
        defer { digests.deallocate() }
        digests.ensure(DigestSpool.blockCount)
        for block in blocks[partition] {
            let bytes = unsafe UnsafeMutableRawBufferPointer(start: digests.base, count: DigestSpool.blockBytes)
            try unsafe file.read(into: bytes, at: block)
            for place in 0..<DigestSpool.blockCount { try parts.append(digests[place]) }
        }
        for place in 0..<(unsafe filled[partition]) {
            try parts.append(unsafe filling[partition * DigestSpool.blockCount + place])
        }
        return parts
    }

    @inline(__always)
    func append(_ digest: RowDigest) throws(Failure) {
        let partition = partition(of: digest.identifier)
        let place = unsafe filled[partition]
        unsafe filling[partition * DigestSpool.blockCount + place] = digest
        unsafe filled[partition] = place + 1
        if place + 1 == DigestSpool.blockCount { try writeBlock(partition) }
    }

    private static var blockBytes: Int { blockCount * MemoryLayout<RowDigest>.stride }

    private func writeBlock(_ partition: Int) throws(Failure) {
        let block = unsafe UnsafeRawBufferPointer(
            start: filling + partition * DigestSpool.blockCount, count: DigestSpool.blockBytes)
        blocks[partition].append(try unsafe file.append(block).lowerBound)
        unsafe filled[partition] = 0
    }

    /// Reads a partition, in the order in which it was written; returns how many digests these are.
    func read(_ partition: Int, into digests: inout Table<RowDigest>) throws(Failure) -> Int {
        let (blocks, rest, count) = unsafe (blocks[partition], filled[partition], count(partition))
        digests.ensure(count)
        var target = unsafe digests.base
        for block in blocks {
            let bytes = unsafe UnsafeMutableRawBufferPointer(start: target, count: DigestSpool.blockBytes)
            try unsafe file.read(into: bytes, at: block)
            unsafe target += DigestSpool.blockCount
        }
        unsafe target.update(from: filling + partition * DigestSpool.blockCount, count: rest)
        return count
    }
}
