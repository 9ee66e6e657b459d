import SluiceRecords

/// Keeps the objectID caches of all entities together within a limit.
///
/// Where they go beyond it, the largest is emptied, and what its entity has is looked up in the store from then on, in
/// sorted batches; what is found is cached again. Between a look-up and what is made of it, a cache must stay as it is,
/// so this is done between batches only, and the limit is soft: by what one batch adds.
final class CacheLimit {
    /// Bytes.
    private let limit: Int
    private let targets: [EntityLoader]
    /// The most bytes that the caches have taken.
    private(set) var peak = 0

    init(_ limit: Int, _ loaders: [EntityLoader]) {
        self.limit = limit
        targets = loaders.filter(\.facts.isTarget)
    }

    /// Empties caches where they take too much: after a batch.
    func evictIfOverLimit() {
        var bytes = 0
        for loader in targets { bytes += loader.ids.cache.byteCount }
        if bytes > peak { peak = bytes }
        if bytes > limit { forget(bytes) }
        // What is promised cannot be forgotten before it comes: a quarter of the room is not for it.
        var promised = 0
        for loader in targets { promised += loader.ids.cache.promisedByteCount }
        for loader in targets { loader.ids.hasRoomForPromises = promised <= limit / 4 * 3 }
    }

    // MARK: Filling

    /// Of an entity's objects, the share that has been looked up before it is quicker to read all identifiers.
    private static let shareBeforeFilling = 16

    /// Reads all identifiers of an entity whose objects are looked up by and by, if there is room for them: before a
    /// batch. The other batch is used for it.
    func fill(_ batch: @autoclosure () -> RecordBatch, _ limit: Int) throws(Failure) {
        for loader in targets where !loader.ids.cacheIsWhole && !loader.ids.isShort && isWorthFilling(loader) {
            loader.ids.isShort = !hasRoom(for: loader)
            if loader.ids.isShort { continue }
            try rememberAll(loader, batch(), limit)
            evictIfOverLimit()
        }
    }

    private func isWorthFilling(_ loader: EntityLoader) -> Bool {
        loader.isWorth(loader.ids.lookedUp, share: CacheLimit.shareBeforeFilling)
    }

    /// Caches all objects of earlier runs; a batch is used for it.
    private func rememberAll(_ loader: EntityLoader, _ batch: RecordBatch, _ limit: Int) throws(Failure) {
        let (ids, work, section) = (loader.ids, loader.work, batch.sections[loader.index])
        ids.reserveAll()
        var last: Int64 = 0
        repeat {
            batch.reset()
            try loader.store.appendIdentifiers(
                after: last, upTo: loader.facts.highestAtStart, entity: loader.index, limit: limit, section, batch, work
            )
            ids.forEach(0..<section.count, section, batch.arena) {
                ids.remember(work.objectIDs[$0], $0, section, batch.arena)
            }
            if section.count > 0 { last = work.objectIDs[section.count - 1] }
        } while section.count > 0
        ids.noteWhole()
    }

    private func hasRoom(for loader: EntityLoader) -> Bool {
        let cache = loader.ids.cache
        let identifier = cache.count == 0 ? 64 : cache.identifierByteCount / cache.count + 1
        let bytes = Int(loader.facts.highestAtStart) * (ObjectIDCache.mostSlotBytes + identifier)
        let others = targets.reduce(0) { $0 + $1.ids.cache.byteCount } - cache.byteCount
        return others + bytes <= limit
    }

    private func forget(_ total: Int) {
        var bytes = total
        while bytes > limit, let largest = largest {
            bytes -= largest.ids.cache.byteCount
            largest.ids.forgetObjects()
            bytes += largest.ids.cache.byteCount
        }
        guard bytes > limit else { return }
        for loader in targets where loader.phase.lateIndexing?.scattered != nil {
            loader.phase.lateIndexing?.mustEnd = true
        }
    }

    /// Of those that can be forgotten: scattered rows are in no store that could be queried.
    private var largest: EntityLoader? {
        func gain(_ loader: EntityLoader) -> Int { loader.ids.cache.byteCount - loader.ids.cache.promisedByteCount }
        return targets.filter { $0.ids.cache.isForgettable && $0.phase.lateIndexing?.scattered == nil }
            .max { gain($0) < gain($1) }
    }
}
