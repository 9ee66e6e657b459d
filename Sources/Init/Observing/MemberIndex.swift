import SluiceRecords

/// Where the members of objects are found by their keys: a table of hashes, open to the next one where two agree.
@safe
struct MemberIndex {
    private var entries = 0
    private var buckets = Table<Int32>(capacity: 0)
    private var mask = -1

    init() { clear(1024) }

    mutating func deallocate() { buckets.deallocate() }

    var size: Int { mask + 1 }
    /// Whether it is time for one of twice the size.
    var isCrowded: Bool { 2 * entries > mask }

    mutating func clear(_ size: Int) {
        mask = size - 1
        buckets.ensure(size)
        for index in 0...mask { buckets[index] = -1 }
        entries = 0
    }

    /// The member in a bucket; nil: there is none, nor behind it.
    subscript(_ bucket: Int) -> Int32? {
        let member = buckets[bucket]
        return member < 0 ? nil : member
    }

    func next(_ bucket: Int) -> Int { (bucket + 1) & mask }

    /// Where the search for a member begins.
    func bucket(_ node: Int32, _ key: UnsafePointer<UInt8>, _ length: Int) -> Int {
        let hash = unsafe ValueFingerprint.of(key, length) &+ UInt64(node) &* 0x9e37_79b9_7f4a_7c15
        return Int(truncatingIfNeeded: hash ^ hash >> 29) & mask
    }

    mutating func enter(_ member: Int32, of node: Int32, _ key: UnsafePointer<UInt8>, _ length: Int) {
        entries += 1
        var bucket = unsafe bucket(node, key, length)
        while let other = self[bucket], other != member { bucket = next(bucket) }
        buckets[bucket] = member
    }
}
