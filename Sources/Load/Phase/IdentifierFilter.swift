import CSluiceMemory
import Glibc

/// The identifiers that a run has met, by their hashes: the filter says that an identifier is new, or that it may have
/// been there (a Bloom filter of sixteen bits an identifier, eight of them set in one line of the processor's cache).
///
/// It grows by levels, each four times the one before, up to the budget of all filters of a run: from there on the last
/// level fills up, and it says of more and more identifiers that they may have been there.
@safe
package final class IdentifierFilter {
    /// What the filters of a run may take together, in bytes.
    package final class Budget {
        package static let usual = 24 << 20
        private var left: Int

        init(_ bytes: Int = usual) { left = bytes }

        fileprivate func reserve(_ bytes: Int) -> Int {
            let taken = min(bytes, left)
            left -= taken
            return taken
        }

        fileprivate func release(_ bytes: Int) { left += bytes }
    }

    private static let bitsPerIdentifier = 16
    private static let bitsSet = 8
    private static let blockBytes = 64
    private static let firstBytes = 1 << 16

    @safe
    private struct Level {
        var words: UnsafeMutablePointer<UInt64>
        var bytes: Int
        /// Identifiers before it is full.
        var room: Int
    }

    private let budget: Budget
    private var levels: [Level] = []

    init(_ budget: Budget) {
        self.budget = budget
        grow(to: IdentifierFilter.firstBytes)
    }

    deinit {
        for level in levels {
            unsafe free(level.words)
            budget.release(level.bytes)
        }
    }

    /// How many hashes are prefetched together before they are inserted.
    static let hashesAhead = 32

    /// Prefetches the bits of a hash that is inserted soon, see `ObjectIDCache.prefetch`.
    func prefetch(_ hash: UInt64) { for level in levels { unsafe sluice_prefetch(block(hash, level)) } }

    /// Inserts an identifier by its hash. Returns whether it is new for certain.
    func insert(_ hash: UInt64) -> Bool {
        guard let last = levels.indices.last else { return false }
        for index in 0..<last where has(hash, levels[index]) { return false }
        if !set(hash, levels[last]) { return false }
        levels[last].room -= 1
        if levels[last].room == 0 { grow(to: 4 * levels[last].bytes) }
        return true
    }

    private func grow(to wanted: Int) {
        let bytes = budget.reserve(wanted) / IdentifierFilter.blockBytes * IdentifierFilter.blockBytes
        // A level smaller than the last one would help little, and cost a look-up for each identifier.
        guard bytes > 0, bytes >= levels.last?.bytes ?? 0, let memory = unsafe calloc(bytes, 1) else {
            return budget.release(bytes)
        }
        unsafe levels.append(
            Level(
                words: memory.assumingMemoryBound(to: UInt64.self), bytes: bytes,
                room: bytes * 8 / IdentifierFilter.bitsPerIdentifier))
    }

    /// The first word of the block of a hash: its upper bits say which.
    @inline(__always)
    private func block(_ hash: UInt64, _ level: Level) -> UnsafeMutablePointer<UInt64> {
        let blocks = UInt64(level.bytes / IdentifierFilter.blockBytes)
        return unsafe level.words + Int(hash.multipliedFullWidth(by: blocks).high) * 8
    }

    /// Nine bits for each bit of the block that is set.
    @inline(__always)
    private func bits(_ hash: UInt64) -> UInt64 { foldProduct(hash, 0x9e37_79b9_7f4a_7c15) }

    @inline(__always)
    private func has(_ hash: UInt64, _ level: Level) -> Bool {
        let block = unsafe block(hash, level)
        var bits = bits(hash)
        for word in 0..<IdentifierFilter.bitsSet {
            if unsafe block[word] >> (bits & 63) & 1 == 0 { return false }
            bits >>= 6
        }
        return true
    }

    /// Sets the bits of a hash, one in each word of its block. Returns whether some were not set.
    @inline(__always)
    private func set(_ hash: UInt64, _ level: Level) -> Bool {
        let block = unsafe block(hash, level)
        var (bits, isNew) = (bits(hash), false)
        for word in 0..<IdentifierFilter.bitsSet {
            let bit: UInt64 = 1 << (bits & 63)
            if unsafe block[word] & bit == 0 { isNew = true }
            unsafe block[word] |= bit
            bits >>= 6
        }
        return isNew
    }
}
