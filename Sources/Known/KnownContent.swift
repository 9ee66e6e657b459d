import Glibc
import SluicePosix
import SluiceRecords

/// The hash of what is in a file, made block by block: so a file of any size takes no memory.
enum KnownContent {
    private static let blockBytes = 1 << 20

    /// Of all bytes from an offset on, up to another; nil where they cannot be read.
    static func hash(of descriptor: CInt, _ range: Range<Int>, _ hash: ItemHash) -> ItemHash.Value? {
        var block = Table<UInt8>(capacity: blockBytes)
        defer { block.deallocate() }
        var (sums, at): ([UInt64], Int) = ([], range.lowerBound)
        while at < range.upperBound {
            let wanted = min(blockBytes, range.upperBound - at)
            let buffer = unsafe UnsafeMutableRawBufferPointer(start: block.base, count: wanted)
            guard unsafe readAll(into: buffer, from: descriptor, at: at) == wanted else { return nil }
            let sum = unsafe hash.value(of: UnsafePointer(block.base), count: wanted)
            sums += [sum.low, sum.high]
            at += wanted
        }
        return hash.value(of: sums)
    }
}
