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
    func hold() {
        var bytes = 0
        for loader in targets { bytes += loader.ids.cache.byteCount }
        if bytes > peak { peak = bytes }
        if bytes > limit { forget(bytes) }
        // What is promised cannot be forgotten before it comes: more than half of the room is not for it.
        var promised = 0
        for loader in targets { promised += loader.ids.cache.promisedByteCount }
        for loader in targets { loader.ids.hasRoomForPromises = promised <= limit / 2 }
    }

    private func forget(_ total: Int) {
        var bytes = total
        while bytes > limit, let largest = largest {
            bytes -= largest.ids.cache.byteCount
            largest.ids.forgetObjects()
            bytes += largest.ids.cache.byteCount
        }
    }

    private var largest: EntityLoader? {
        func gain(_ loader: EntityLoader) -> Int { loader.ids.cache.byteCount - loader.ids.cache.promisedByteCount }
        return targets.filter(\.ids.cache.isForgettable).max { gain($0) < gain($1) }
    }
}
