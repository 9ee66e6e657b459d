import SluiceRecords

/// The numbers of items by their hashes: of all, or of every sixteenth, as its hash has it. A slot has, beside the
/// number, other bits of the hash than those that lead to it: so the item, which is far away in memory, is looked at
/// where it is mostly the right one.
@safe
struct KnownTable {
    private var slots: Table<UInt64>
    private let mask: Int
    /// Whether all items are in it.
    let isWhole: Bool
    private static let free = UInt64.max

    /// How much a table of so many items takes.
    static func bytes(_ count: Int, isWhole: Bool) -> Int {
        size(isWhole ? count : count / sample) * MemoryLayout<UInt64>.stride
    }

    /// One item of so many is in a table that is not whole.
    private static let sample = 16

    private static func size(_ count: Int) -> Int {
        var size = 64
        while size < count * 3 / 2 { size *= 2 }
        return size
    }

    init(_ items: Range<Int>, _ file: KnownFile, isWhole: Bool) {
        self.isWhole = isWhole
        let numbers = items.lazy.filter { isWhole || KnownTable.isInSample(file.entry($0).hash) }
        let size = KnownTable.size(isWhole ? items.count : numbers.reduce(0) { count, _ in count + 1 })
        slots = Table(capacity: size)
        mask = size - 1
        for slot in 0..<size { slots[slot] = KnownTable.free }
        for number in numbers {
            let hash = file.entry(number).hash
            var slot = Int(truncatingIfNeeded: hash.low) & mask
            while slots[slot] != KnownTable.free { slot = (slot + 1) & mask }
            slots[slot] = KnownTable.tag(hash) | UInt64(UInt32(truncatingIfNeeded: number))
        }
    }

    mutating func deallocate() { slots.deallocate() }

    /// By bits that lead to no slot.
    private static func isInSample(_ hash: ItemHash.Value) -> Bool {
        hash.low >> 48 & UInt64(KnownTable.sample - 1) == 0
    }

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
