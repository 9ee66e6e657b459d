/// Objects of which every record is read, though its item is known: those that wait for a target, and those of which
/// no item may be known.
struct ExcludedObjects {
    /// By entity.
    private let sets: [Set<Int64>]
    /// A bit for each object, of whatever entity, by the lower bits of its objectID: asked for each item of a feed, a
    /// bit takes a tenth of the time of a set.
    private let bits: [UInt64]
    private let mask: Int64

    private static let bitsPerObject = 64
    private static let mostBits = 1 << 24

    /// - Parameters:
    ///   - waiting: by entity; may hold an object several times.
    ///   - others: by entity; may be shorter.
    init(waiting: [[Int64]], others: [[Int64]]) {
        sets = waiting.indices.map { Set(waiting[$0]).union($0 < others.count ? others[$0] : []) }
        let wanted = sets.reduce(1) { $0 + $1.count } * ExcludedObjects.bitsPerObject
        var count = 64
        while count < min(wanted, ExcludedObjects.mostBits) { count *= 2 }
        let mask = Int64(count - 1)
        var bits = [UInt64](repeating: 0, count: count / 64)
        for objectID in sets.joined() { bits[Int(objectID & mask) >> 6] |= 1 &<< UInt64(objectID & 63) }
        (self.bits, self.mask) = (bits, mask)
    }

    /// Whether an object of some entity may be among them: false is certain.
    @inline(__always)
    func mayContain(_ objectID: Int64) -> Bool {
        bits[Int(objectID & mask) >> 6] &>> UInt64(objectID & 63) & 1 == 1
    }

    func contains(_ objectID: Int64, of entity: Int) -> Bool {
        mayContain(objectID) && sets[entity].contains(objectID)
    }
}
