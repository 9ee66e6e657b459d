import SluiceRecords

/// The numbers of items by their hashes. A slot has, beside the number, other bits of the hash than those that lead to
/// it: so the item, which is far away in memory, is looked at where it is mostly the right one.
@safe
struct KnownTable {
    private var slots: Table<UInt64>
    private let mask: Int
    private static let free = UInt64.max

    static func bytes(_ count: Int) -> Int { size(count) * MemoryLayout<UInt64>.stride }

    private static func size(_ count: Int) -> Int {
        var size = 64
        while size < count * 3 / 2 { size *= 2 }
        return size
    }

    init(_ items: Range<Int>, _ file: KnownFile) {
        let size = KnownTable.size(items.count)
        slots = Table(capacity: size)
        mask = size - 1
        for slot in 0..<size { slots[slot] = KnownTable.free }
        for number in items {
            let hash = file.entry(number).hash
            var slot = Int(truncatingIfNeeded: hash.low) & mask
            while slots[slot] != KnownTable.free { slot = (slot + 1) & mask }
            slots[slot] = KnownTable.tag(hash) | UInt64(UInt32(truncatingIfNeeded: number))
        }
    }

    mutating func deallocate() { slots.deallocate() }

    /// The upper half of a slot.
    @inline(__always)
    private static func tag(_ hash: ItemHash.Value) -> UInt64 { hash.high & 0xffff_ffff_0000_0000 }

    func number(of hash: ItemHash.Value, _ file: KnownFile) -> Int? {
        var slot = Int(truncatingIfNeeded: hash.low) & mask
        let tag = KnownTable.tag(hash)
        while slots[slot] != KnownTable.free {
            let found = slots[slot]
            slot = (slot + 1) & mask
            guard found & 0xffff_ffff_0000_0000 == tag else { continue }
            let number = Int(found & 0xffff_ffff)
            if file.entry(number).hash == hash { return number }
        }
        return nil
    }
}
