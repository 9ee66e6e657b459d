import SluiceRecords

#if canImport(Glibc)
    import Glibc
#endif

/// The smallest hashes of many values: from 512 to 1,024 of them, however many values there are (all, while there are
/// no more). How many different values there are follows from it, to about 4 %, and how many of them another sketch
/// has.
@safe
struct Sketch: BitwiseCopyable {
    private var slots = Table<UInt64>(capacity: 0)
    private var mask = -1
    private(set) var count = 0
    /// All hashes up to it that were met are here.
    private(set) var limit = UInt64.max

    private static let most = 1024

    /// Adds a value; true: it is kept, and was not here.
    @inline(__always)
    @discardableResult
    mutating func insert(_ hash: UInt64) -> Bool { hash <= limit && keep(hash) }

    private mutating func keep(_ hash: UInt64) -> Bool {
        if 2 * count >= mask { grow() }
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0 {
            if slots[slot] == hash { return false }
            slot = (slot + 1) & mask
        }
        slots[slot] = hash
        count += 1
        if count > Sketch.most { shrink() }
        return true
    }

    private mutating func grow() {
        rebuild(hashes, capacity: max(8, (mask + 1) * 2))
    }

    /// Keeps the smaller half.
    private mutating func shrink() {
        let kept = Array(hashes.sorted().prefix(Sketch.most / 2))
        limit = kept[kept.count - 1]
        rebuild(kept, capacity: mask + 1)
    }

    private mutating func rebuild(_ hashes: [UInt64], capacity: Int) {
        slots.ensure(capacity)
        mask = capacity - 1
        for slot in 0..<capacity { slots[slot] = 0 }
        count = hashes.count
        for hash in hashes {
            var slot = Int(truncatingIfNeeded: hash) & mask
            while slots[slot] != 0 { slot = (slot + 1) & mask }
            slots[slot] = hash
        }
    }

    var hashes: [UInt64] {
        var hashes: [UInt64] = []
        hashes.reserveCapacity(count)
        visit { hashes.append($0) }
        return hashes
    }

    @inline(__always)
    func visit(_ body: (UInt64) -> Void) {
        for slot in 0..<mask + 1 where slots[slot] != 0 { body(slots[slot]) }
    }

    mutating func merge(_ other: Sketch) {
        if other.limit < limit {
            limit = other.limit
            rebuild(hashes.filter { $0 <= limit }, capacity: max(8, mask + 1))
        }
        for hash in other.hashes { insert(hash) }
    }

    func contains(_ hash: UInt64) -> Bool {
        guard mask >= 0 else { return false }
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0 {
            if slots[slot] == hash { return true }
            slot = (slot + 1) & mask
        }
        return false
    }

    /// Of some values that it can tell of: how many there are, and how many of these it has.
    func comparison(with hashes: [UInt64]) -> (values: Int, found: Int) {
        let known = hashes.filter { $0 <= limit }
        return (known.count, known.count(where: contains))
    }

    /// How many different values there are, about.
    var distinct: Double { limit == .max ? Double(count) : Double(count) / (Double(limit) / Double(UInt64.max)) }

    /// Whether `distinct` is exact.
    var isExact: Bool { limit == .max }

    /// Whether there may be so many different values, for all that is known: within four standard deviations, where
    /// `distinct` is not exact. An estimate is never compared with a count itself, which half of all estimates are
    /// below.
    func mayHave(_ number: Int) -> Bool {
        isExact ? count >= number : distinct >= Double(number) * (1 - 4 / Double(count).squareRoot())
    }

    /// Likewise, whether there may be nearly as many as another sketch has.
    func mayHaveNearlyAll(of other: Sketch) -> Bool {
        if isExact && other.isExact { return distinct >= 0.95 * other.distinct }
        let deviation = (1 / Double(max(1, count)) + 1 / Double(max(1, other.count))).squareRoot()
        return distinct >= (0.95 - 4 * deviation) * other.distinct
    }

    /// Whether some of so many values are there again and again, and not by the estimate alone.
    func isRepeated(among number: Int) -> Bool { distinct < 0.9 * Double(number) && !mayHave(number) }

    /// Of the values that both sketches can tell of: how many there are here, and how many of these the other one has.
    func comparison(with other: Sketch) -> (values: Int, found: Int) {
        var (values, found) = (0, 0)
        for slot in 0..<mask + 1 where slots[slot] != 0 && slots[slot] <= other.limit {
            values += 1
            if other.contains(slots[slot]) { found += 1 }
        }
        return (values, found)
    }

    mutating func deallocate() { slots.deallocate() }
}
