import SluiceRecords

/// Hashes that were met: plain memory, which grows.
@safe
struct HashSet: BitwiseCopyable {
    private var slots = Table<UInt64>(capacity: 0)
    private var mask = -1
    private(set) var count = 0

    /// Adds a hash; true: it was not here.
    @inline(__always)
    mutating func insert(_ hash: UInt64) -> Bool {
        if 2 * count > mask { grow() }
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0 {
            if slots[slot] == hash { return false }
            slot = (slot &+ 1) & mask
        }
        slots[slot] = hash
        count &+= 1
        return true
    }

    func contains(_ hash: UInt64) -> Bool {
        guard mask >= 0 else { return false }
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0 {
            if slots[slot] == hash { return true }
            slot = (slot &+ 1) & mask
        }
        return false
    }

    /// Forgets all hashes once there are many. The caller must not depend on which of them are still here.
    @inline(__always)
    mutating func makeRoom() {
        if 8 * count > mask { removeAll() }
    }

    private mutating func removeAll() {
        for slot in 0..<mask + 1 { slots[slot] = 0 }
        count = 0
    }

    @inline(never)
    private mutating func grow() {
        let capacity = mask < 0 ? 16 : (mask + 1) * (mask < 1 << 16 ? 4 : 2)
        var larger = Table<UInt64>(capacity: capacity)
        for slot in 0..<capacity { larger[slot] = 0 }
        for old in 0..<mask + 1 where slots[old] != 0 {
            var slot = Int(truncatingIfNeeded: slots[old]) & (capacity - 1)
            while larger[slot] != 0 { slot = (slot &+ 1) & (capacity - 1) }
            larger[slot] = slots[old]
        }
        swap(&slots, &larger)
        larger.deallocate()
        mask = capacity - 1
    }

    mutating func deallocate() { slots.deallocate() }
}
