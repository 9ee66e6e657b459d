import SluiceRecords

/// How often each of many values occurs, by their hashes: of all values while there is room, and else of those with the
/// smallest hashes, which are a fair sample.
@safe
struct HashCounts: BitwiseCopyable {
    private var slots = Table<UInt64>(capacity: 0)
    private var counts = Table<UInt32>(capacity: 0)
    private var mask = -1
    private(set) var distinct = 0
    /// Values with larger hashes are not counted.
    private(set) var limit = UInt64.max
    /// All values that were added, those that are not counted too.
    private(set) var total = 0
    private let most: Int

    init(most: Int) { self.most = most }

    var isExact: Bool { limit == .max }

    /// Adds a value; true: it is new here.
    @inline(__always)
    @discardableResult
    mutating func add(_ hash: UInt64) -> Bool {
        total &+= 1
        guard hash <= limit else { return true }
        return count(hash)
    }

    @inline(__always)
    private mutating func count(_ hash: UInt64) -> Bool {
        if 2 * distinct >= mask { makeRoom() }
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0 {
            if slots[slot] == hash {
                counts[slot] &+= 1
                return false
            }
            slot = (slot &+ 1) & mask
        }
        slots[slot] = hash
        counts[slot] = 1
        distinct &+= 1
        return true
    }

    @inline(never)
    private mutating func makeRoom() {
        // The hashes are spread evenly.
        if distinct >= most { limit /= 2 }
        let capacity = distinct >= most ? mask + 1 : max(16, 2 * (mask + 1))
        let (oldSlots, oldCounts, oldMask) = (slots, counts, mask)
        slots = Table(capacity: capacity)
        counts = Table(capacity: capacity)
        mask = capacity - 1
        for slot in 0..<capacity { slots[slot] = 0 }
        distinct = 0
        for old in 0..<oldMask + 1 where oldSlots[old] != 0 && oldSlots[old] <= limit {
            move(oldSlots[old], oldCounts[old])
        }
        var old = (oldSlots, oldCounts)
        old.0.deallocate()
        old.1.deallocate()
    }

    /// Adds a value that is not here, for which there is room.
    private mutating func move(_ hash: UInt64, _ number: UInt32) {
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0 { slot = (slot &+ 1) & mask }
        slots[slot] = hash
        counts[slot] = number
        distinct &+= 1
    }

    var entries: [(hash: UInt64, count: UInt32)] {
        mask < 0 ? [] : (0...mask).filter { slots[$0] != 0 }.map { (slots[$0], counts[$0]) }
    }

    func contains(_ hash: UInt64) -> Bool { slot(of: hash) != nil }

    @inline(__always)
    private func slot(of hash: UInt64) -> Int? {
        guard mask >= 0 else { return nil }
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0 {
            if slots[slot] == hash { return slot }
            slot = (slot &+ 1) & mask
        }
        return nil
    }

    /// How many of the values, each as often as it occurs here, occur more than once there.
    func foundSeveralTimes(in other: HashCounts) -> Int {
        entries.reduce(0) { sum, entry in
            let isSeveral = other.slot(of: entry.hash).map { other.counts[$0] > 1 } ?? false
            return sum + (isSeveral ? Int(entry.count) : 0)
        }
    }

    /// How often some values occur here that do not occur there.
    func counts(of hashes: some Sequence<UInt64>, lackingIn other: HashCounts) -> Int {
        hashes.reduce(0) { sum, hash in
            guard let slot = slot(of: hash), !other.contains(hash) else { return sum }
            return sum + Int(counts[slot])
        }
    }

    /// How many different values there are here and there, where both are exact.
    func united(with other: HashCounts) -> Int {
        distinct + other.entries.count { !contains($0.hash) }
    }

    /// Of the values that can be told of: how many there are, and how many of them are here and there; each as often as
    /// it occurs here.
    func overlap(with others: [HashCounts]) -> (values: Int, found: Int) {
        let common = others.reduce(limit) { min($0, $1.limit) }
        var (values, found) = (0, 0)
        for slot in 0..<mask + 1 where slots[slot] != 0 && slots[slot] <= common {
            let count = Int(counts[slot])
            values += count
            if others.contains(where: { $0.contains(slots[slot]) }) { found += count }
        }
        return (values, found)
    }

    mutating func deallocate() {
        slots.deallocate()
        counts.deallocate()
    }
}
