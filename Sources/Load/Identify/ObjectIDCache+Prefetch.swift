import CSluiceMemory
import SluiceRecords

// Where identifiers come in no order, each look-up waits for memory twice: for its slot, and for the identifier there.
// A processor can wait for some ten places at once, if it learns early enough which these are.
extension ObjectIDCache {
    /// How many keys are prefetched together.
    static let keysAhead = 64
    /// Bytes of an identifier behind the first so many may be in another cache line than its beginning.
    private static let usualBytes = PackedUUID.bytes
    /// Fewer bytes are mostly in the caches of the processor, where finding a key takes no longer than prefetching it.
    private static let nearBytes = 8 << 20

    /// Whether it is quicker to prefetch keys before they are looked for.
    @inline(__always)
    var isFar: Bool { byteCount > ObjectIDCache.nearBytes }

    /// Prefetches the keys that are looked for next.
    ///
    /// - Parameters:
    ///   - count: how many these are, at most ``keysAhead``.
    ///   - hash: The hash of each; nil: it is not looked for.
    @inline(__always)
    func prefetch(_ count: Int, hash: (Int) -> UInt64?) {
        unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: count) { hashes in
            var found = 0
            for index in 0..<count {
                guard let hash = hash(index) else { continue }
                if let slot = unsafe firstSlot(of: hash) { unsafe sluice_prefetch(slot) }
                unsafe hashes[found] = hash
                found += 1
            }
            for place in 0..<found {
                guard let identifier = unsafe firstIdentifier(of: hashes[place]) else { continue }
                unsafe sluice_prefetch(identifier)
                unsafe sluice_prefetch(identifier + ObjectIDCache.usualBytes)
            }
        }
    }
}

extension ObjectIDs {
    /// Goes through rows whose objects are looked for in the cache, some of which are prefetched.
    @inline(__always)
    func forEach(
        _ rows: some RandomAccessCollection<Int>, _ section: EntityRecords, _ arena: Arena, _ body: (_ row: Int) -> Void
    ) {
        guard cache.isFar else {
            for row in rows { body(row) }
            return
        }
        var rest = rows[...]
        while !rest.isEmpty {
            let next = rest.prefix(ObjectIDCache.keysAhead)
            prefetch(next, section, arena)
            for row in next { body(row) }
            rest = rest.dropFirst(ObjectIDCache.keysAhead)
        }
    }

    @inline(__always)
    private func prefetch(_ rows: some RandomAccessCollection<Int>, _ section: EntityRecords, _ arena: Arena) {
        let cache = cache
        var place = rows.startIndex
        cache.prefetch(rows.count) { _ in
            defer { rows.formIndex(after: &place) }
            return key(of: rows[place], section, arena).hash
        }
    }
}
