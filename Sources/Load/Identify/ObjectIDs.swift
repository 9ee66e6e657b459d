import SluiceRecords

/// The objectIDs of one entity: which identifier has which, as far as it is remembered, and which come next.
@safe
final class ObjectIDs {
    /// The most promises that may be open, apart from those of one batch: they take memory as objects do.
    private static let mostPromises = 1 << 22

    private let traits: EntityTraits
    private var next: Int64
    private(set) var cache = ObjectIDCache()
    /// Whether the cache has all objects, so that an identifier that it lacks has no object: where the table was empty
    /// when the run began, until the cache is emptied for its limit.
    private(set) var cacheIsWhole: Bool
    /// Identifiers that the store was queried for.
    var lookedUp = 0
    /// Whether the cache was emptied, or is too small for all objects.
    var isShort = false
    /// Whether the limit of the caches leaves room for promises.
    var hasRoomForPromises = true
    private let keyBytes = KeyBytes()
    /// The seed of the cache, as a constant: each access to a variable property is checked for exclusivity.
    private let seed: UInt64

    init(_ traits: EntityTraits) {
        self.traits = traits
        seed = cache.seed
        cacheIsWhole = traits.startsEmpty
        next = traits.highestAtStart + 1
    }

    deinit {
        cache.deallocate()
    }

    // MARK: New objects

    /// The objectID of a new object: the one that it was promised, or the next.
    func assign(promised: Int64 = 0) -> Int64 {
        if promised > 0 { return promised }
        defer { next += 1 }
        return next
    }

    /// The highest objectID that is given or promised.
    var highest: Int64 { next - 1 }

    /// Takes back an objectID and those after it, which nothing has used.
    func release(from first: Int64) { next = first }

    // MARK: The cache

    func key(of row: Int, _ section: EntityRecords, _ arena: Arena) -> ObjectIDCache.Key {
        if traits.identifierCount == 1 {
            // No closure here: it would retain this object, and the count would wait for the memory of the last key.
            let cell = unsafe section.typed.base + (row * traits.layout.width + traits.soleIdentifier)
            let (bytes, count) = unsafe keyBytes.make(cell, 1, arena.base)
            return unsafe ObjectIDCache.Key(bytes, count, seed: seed)
        }
        return unsafe traits.withIdentifier(of: row, section) { cells in
            let (bytes, count) = unsafe keyBytes.make(cells, traits.identifierCount, arena.base)
            return unsafe ObjectIDCache.Key(bytes, count, seed: seed)
        }
    }

    func insert(_ key: ObjectIDCache.Key, _ objectID: Int64) { cache.insert(key, objectID: objectID) }

    /// Remembers the object of a row, if it can be referred to.
    func remember(_ objectID: Int64, _ row: Int, _ section: EntityRecords, _ arena: Arena) {
        guard traits.isTarget else { return }
        let key = key(of: row, section, arena)
        if cache.find(key) == 0 { cache.insert(key, objectID: objectID) }
    }

    /// Forgets the object of a row, which was deleted.
    func remove(_ row: Int, _ section: EntityRecords, _ arena: Arena) {
        if traits.isTarget { cache.remove(key(of: row, section, arena)) }
    }

    /// Forgets the objectIDs of the objects, except for promised ones: the store has them.
    func forgetObjects() {
        cache.forgetObjects()
        cacheIsWhole = false
        isShort = true
    }

    /// Makes room for all objects of earlier runs.
    func reserveAll() { cache.reserve(Int(traits.highestAtStart)) }

    /// Sets that the cache has all objects.
    func setWhole() { cacheIsWhole = true }

    // MARK: Promises

    /// Whether more objects may be promised their objectIDs.
    var canPromiseMore: Bool { hasRoomForPromises && cache.promisedCount < ObjectIDs.mostPromises }

    /// Promises an objectID to an identifier whose object is not there yet.
    ///
    /// - Parameter mayAdd: Whether there is room for one more; 0 where that would be needed.
    func promise(_ key: ObjectIDCache.Key, mayAdd: Bool) -> Int64 {
        let promised = cache.promised(key)
        if promised > 0 || !mayAdd { return promised }
        let objectID = assign()
        cache.promise(key, objectID: objectID)
        return objectID
    }

    /// The objectID that a row's object was promised, or 0.
    func promised(_ row: Int, _ section: EntityRecords, _ arena: Arena) -> Int64 {
        cache.promisedCount == 0 ? 0 : cache.promised(key(of: row, section, arena))
    }
}
