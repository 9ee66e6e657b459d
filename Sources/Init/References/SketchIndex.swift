import SluiceRecords

/// Many sketches, so that one is compared with all of them at once.
@safe
final class SketchIndex {
    private struct Entry: BitwiseCopyable {
        var sketch: Int32
        /// Of the same hash; -1: there is none.
        var next: Int32
    }

    private var slots: Table<UInt64>
    private var firsts: Table<Int32>
    private var entries: Table<Entry>
    private var mask = 15
    private var found: Table<Int>
    /// The different limits, sorted, and how many hashes are up to each of them; and of each sketch which one is its
    /// own.
    private let limits: [UInt64]
    private let ownLimits: [Int]
    private var within: Table<Int>

    init(_ sketches: [Sketch]) {
        let limits = Set(sketches.map(\.limit)).sorted()
        self.limits = limits
        ownLimits = sketches.map { sketch in limits.firstIndex(of: sketch.limit) ?? 0 }
        within = Table(capacity: limits.count + 1)
        let count = sketches.reduce(0) { $0 + $1.count }
        while mask < 2 * count { mask = 2 * mask + 1 }
        slots = Table(capacity: mask + 1)
        firsts = Table(capacity: mask + 1)
        entries = Table(capacity: count)
        found = Table(capacity: sketches.count)
        for slot in 0...mask { slots[slot] = 0 }
        var next: Int32 = 0
        for (index, sketch) in sketches.enumerated() {
            sketch.visit { hash in
                add(hash, Int32(index), next)
                next += 1
            }
        }
    }

    deinit {
        slots.deallocate()
        firsts.deallocate()
        entries.deallocate()
        found.deallocate()
        within.deallocate()
    }

    private func add(_ hash: UInt64, _ sketch: Int32, _ entry: Int32) {
        let slot = place(of: hash)
        entries[Int(entry)] = Entry(sketch: sketch, next: slots[slot] == 0 ? -1 : firsts[slot])
        slots[slot] = hash
        firsts[slot] = entry
    }

    @inline(__always)
    private func place(of hash: UInt64) -> Int {
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0, slots[slot] != hash { slot = (slot &+ 1) & mask }
        return slot
    }

    /// What `Sketch.comparison` says of a sketch and each of these.
    func comparisons(of sketch: Sketch) -> [(values: Int, found: Int)] {
        for index in 0..<ownLimits.count { found[index] = 0 }
        for index in 0...limits.count { within[index] = 0 }
        sketch.visit { hash in
            within[place(ofLimit: hash)] &+= 1
            let slot = place(of: hash)
            guard slots[slot] != 0 else { return }
            var next = firsts[slot]
            while next >= 0 {
                found[Int(entries[Int(next)].sketch)] &+= 1
                next = entries[Int(next)].next
            }
        }
        for index in limits.indices.dropFirst() { within[index] += within[index - 1] }
        return ownLimits.enumerated().map { (within[$1], found[$0]) }
    }

    /// The first limit that is not smaller than a hash.
    @inline(__always)
    private func place(ofLimit hash: UInt64) -> Int {
        limits.indices.partitionPoint { limits[$0] >= hash }
    }
}
