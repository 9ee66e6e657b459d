import SluiceRecords

/// Keeps the objectID caches of all entities together within a limit.
///
/// Where they exceed it, the largest cache is emptied; from then on the objects of its entity are looked up in the
/// store, in sorted batches, and cached again. A cache must not change between a look-up and the use of its result, so
/// this is done between batches only, and one batch may exceed the limit.
final class CacheLimit {
    /// Bytes.
    private let limit: Int
    private let targets: [EntityState]
    /// The most bytes that the caches have taken.
    private(set) var peak = 0

    init(_ limit: Int, _ states: [EntityState]) {
        self.limit = limit
        targets = states.filter(\.traits.isTarget)
    }

    /// Empties caches where they take too much: after a batch.
    func evictIfOverLimit() {
        var bytes = 0
        for state in targets { bytes += state.ids.cache.byteCount }
        if bytes > peak { peak = bytes }
        if bytes > limit { evict(bytes) }
        // Promised objectIDs cannot be evicted before their objects come: a quarter of the room is kept free of them.
        var promised = 0
        for state in targets { promised += state.ids.cache.promisedByteCount }
        for state in targets { state.ids.hasRoomForPromises = promised <= limit / 4 * 3 }
    }

    // MARK: Filling

    /// Once this share of an entity's objects has been looked up, reading all identifiers is faster.
    private static let shareBeforeFilling = 16

    /// Reads all identifiers of an entity whose objects are looked up batch by batch, if there is room for them: before
    /// a batch. The other batch is used for it.
    func fill(_ batch: @autoclosure () -> RecordBatch, _ limit: Int) throws(Failure) {
        for state in targets where !state.ids.cacheIsWhole && !state.ids.isShort && isWorthFilling(state) {
            state.ids.isShort = !hasRoom(for: state)
            if state.ids.isShort { continue }
            try rememberAll(state, batch(), limit)
            evictIfOverLimit()
        }
    }

    private func isWorthFilling(_ state: EntityState) -> Bool {
        state.isWorth(state.ids.lookedUp, share: CacheLimit.shareBeforeFilling)
    }

    /// Caches all objects of earlier runs; a batch is used for it.
    private func rememberAll(_ state: EntityState, _ batch: RecordBatch, _ limit: Int) throws(Failure) {
        let (ids, work, section) = (state.ids, RowScratch(state.entity), batch.sections[state.index])
        ids.reserveAll()
        var last: Int64 = 0
        repeat {
            batch.reset()
            try state.store.appendIdentifiers(
                after: last, upTo: state.traits.highestAtStart, entity: state.index, limit: limit, section, batch, work
            )
            ids.forEach(0..<section.count, section, batch.arena) {
                ids.remember(work.objectIDs[$0], $0, section, batch.arena)
            }
            if section.count > 0 { last = work.objectIDs[section.count - 1] }
        } while section.count > 0
        ids.setWhole()
    }

    private func hasRoom(for state: EntityState) -> Bool {
        let cache = state.ids.cache
        let identifier = cache.count == 0 ? 64 : cache.identifierByteCount / cache.count + 1
        let bytes = Int(state.traits.highestAtStart) * (ObjectIDCache.mostSlotBytes + identifier)
        let others = targets.reduce(0) { $0 + $1.ids.cache.byteCount } - cache.byteCount
        return others + bytes <= limit
    }

    private func evict(_ total: Int) {
        var bytes = total
        while bytes > limit, let largest = largest {
            bytes -= largest.ids.cache.byteCount
            largest.ids.forgetObjects()
            bytes += largest.ids.cache.byteCount
        }
        guard bytes > limit else { return }
        for state in targets where state.phase.lateIndexing?.scattered != nil {
            state.phase.lateIndexing?.mustEnd = true
        }
    }

    /// The largest cache that can be emptied: an entity with scattered rows needs its cache, as these are not in the
    /// store yet.
    private var largest: EntityState? {
        func evictableBytes(_ state: EntityState) -> Int {
            state.ids.cache.byteCount - state.ids.cache.promisedByteCount
        }
        return targets.filter { $0.ids.cache.isForgettable && $0.phase.lateIndexing?.scattered == nil }
            .max { evictableBytes($0) < evictableBytes($1) }
    }
}
