import Glibc
import SluiceRecords

/// Among which objects a target is looked for.
enum TargetScope {
    /// Those of earlier runs and of the records so far. Of several entities only the first is sure: an object of a
    /// later one may still be beaten by one that comes.
    case soFar
    /// All objects: no further ones come.
    case all
}

/// Finds the objects that the keys of one relationship name: in the caches, else by sorted look-ups in the store.
@safe
final class TargetFinder {
    /// The entities that the relationship may lead to.
    let targets: [EntityState]
    /// The ways in which a target is looked for, in their order.
    let searches: [Search]
    /// By search: which of the relationship's targets it leads to.
    private let targetOf: [Int]
    /// Where the keys are in a block.
    let layout: KeyLayout
    /// Whether a key does not name an object, but values to search for, see `Relationship.isSearched`.
    let isSearched: Bool
    /// By search: what distinguishes its values from those of others.
    let labels: [String]
    let hasWays: Bool
    let keyBytes = KeyBytes()
    /// By search: what the store is queried for.
    private var keys: [SortedKeys]
    /// By search: the answer to a query that was sent ahead.
    private var answers: [(any SentQuery)?]
    /// The searches for which the store is queried.
    private var querying: [Int] = []
    /// The keys that are not in the caches.
    private var misses: [Int] = []
    /// Of these, the ones that are not the same as the key before.
    private var firstMisses: [Int] = []

    /// A way to find objects.
    struct Search {
        var state: EntityState
        /// The answers of the store about other attributes than the identifier; nil: the search is by the identifier.
        var values: ValueLookUp?
        /// Where it looks first.
        var cache: ObjectIDCache { values?.cache ?? state.ids.cache }
    }

    init(_ relationship: Relationship, all: [EntityState]) {
        let targets = relationship.targets.map { all[$0.entity] }
        self.targets = targets
        let model = all[relationship.targets[0].entity].traits.model
        searches = relationship.searches(in: model).map { way in
            Search(
                state: targets[way.target],
                values: way.isByIdentifier ? nil : ValueLookUp(attributes: way.attributes))
        }
        targetOf = relationship.searches(in: model).map(\.target)
        layout = KeyLayout(relationship)
        hasWays = !relationship.ways.isEmpty
        isSearched = relationship.isSearched
        labels = relationship.searchLabels(in: model)
        keys = searches.map { [layout] _ in SortedKeys(width: layout.keyWidth) }
        answers = searches.map { _ in nil }
    }

    deinit {
        for index in keys.indices { keys[index].deallocate() }
    }

    /// Resolves `count` keys, which `block` gives: `set` gets an objectID with its target, or one of `Reference`.
    @inline(__always)
    func resolve(
        _ count: Int, _ arena: Arena, among scope: TargetScope, block: (Int) -> UnsafePointer<Cell>,
        set: (Int, Reference) -> Void
    ) throws(Failure) {
        try unsafe begin(count, arena, among: scope, block: block, set: set)
        try unsafe finish(arena, among: scope, block: block, set: set)
    }

    /// The first half of `resolve`: what the caches know. The store is queried for the rest, and `finish` takes the
    /// answer: in between, it may be queried for other relationships.
    @inline(__always)
    func begin(
        _ count: Int, _ arena: Arena, among scope: TargetScope, block: (Int) -> UnsafePointer<Cell>,
        set: (Int, Reference) -> Void
    ) throws(Failure) {
        misses.removeAll(keepingCapacity: true)
        firstMisses.removeAll(keepingCapacity: true)
        querying.removeAll(keepingCapacity: true)
        unsafe resolveFromCache(count, arena, scope, block: block, set: set)
        // Where all objects are in the caches, nothing is to be looked up.
        if misses.isEmpty { return }
        for search in searches.indices where !isWhole(searches[search], scope) {
            querying.append(search)
            if searches[search].values == nil { try unsafe sendLookUp(search, arena, block) }
        }
    }

    /// The second half of `resolve`.
    @inline(__always)
    func finish(
        _ arena: Arena, among scope: TargetScope, block: (Int) -> UnsafePointer<Cell>,
        set: (Int, Reference) -> Void
    ) throws(Failure) {
        if querying.isEmpty { return }
        for search in querying { try unsafe lookUp(search, arena, block) }
        let caches = caches
        var next = 0
        var result = Reference.pending
        for index in misses {
            if next < firstMisses.count, index == firstMisses[next] {
                result = unsafe find(block(index), arena, scope, caches, isLookedUp: true)
                next += 1
            }
            set(index, result)
        }
    }

    /// Whether the store need not be queried for keys that the caches lack: it has none of them, or they are not to be
    /// found yet. Other values than identifiers may change with each record, and are looked for when all records are
    /// read.
    private func isWhole(_ search: Search, _ scope: TargetScope) -> Bool {
        search.values == nil ? search.state.ids.cacheIsWhole : scope == .soFar
    }

    /// The caches of the searches, as they are now: a copy is looked into without a check of access for each key.
    private var caches: [ObjectIDCache] { searches.map(\.cache) }

    @inline(__always)
    private func resolveFromCache(
        _ count: Int, _ arena: Arena, _ scope: TargetScope, block: (Int) -> UnsafePointer<Cell>,
        set: (Int, Reference) -> Void
    ) {
        let caches = caches
        var (misses, firstMisses) = (self.misses, self.firstMisses)
        (self.misses, self.firstMisses) = ([], [])
        defer { (self.misses, self.firstMisses) = (misses, firstMisses) }
        // Records that follow one another often refer to the same object.
        var last: UnsafePointer<Cell>?
        var lastResult = Reference.null
        for index in 0..<count {
            if index % ObjectIDCache.keysAhead == 0 {
                unsafe prefetch(min(count - index, ObjectIDCache.keysAhead), arena) { unsafe block(index + $0) }
            }
            let cells = unsafe block(index)
            switch unsafe cells[0].kind {
            case .absent: set(index, .unstated)
            case .null: set(index, .null)
            default:
                if let previous = unsafe last, unsafe layout.isSame(previous, cells, arena.base) {
                    set(index, lastResult)
                } else {
                    lastResult = unsafe find(cells, arena, scope, caches)
                    unsafe last = cells
                    set(index, lastResult)
                    if lastResult == .pending { firstMisses.append(index) }
                }
                if lastResult == .pending { misses.append(index) }
            }
        }
    }

    /// Prefetches from the cache of the first search the keys that are looked for next, at most `keysAhead`;
    /// a block that is nil has none.
    @inline(__always)
    func prefetch(_ count: Int, _ arena: Arena, block: (Int) -> UnsafePointer<Cell>?) {
        if layout.hasSelector { return }
        let cache = searches[0].cache
        if !cache.isFar { return }
        var last: UnsafePointer<Cell>?
        cache.prefetch(count) { place in
            guard let cells = unsafe block(place) else { return nil }
            let key = unsafe layout.key(cells, 0)
            if unsafe cells[0].kind == .absent || layout.isImpossible(key) { return nil }
            if let previous = unsafe last, unsafe layout.isSame(previous, cells, arena.base) { return nil }
            unsafe last = cells
            return unsafe cacheKey(key, cache, arena).hash
        }
    }

    /// A later target is not taken before the earlier ones have been looked up in the store: the cache may lack their
    /// objects.
    private func find(
        _ cells: UnsafePointer<Cell>, _ arena: Arena, _ scope: TargetScope, _ caches: [ObjectIDCache],
        isLookedUp: Bool = false
    ) -> Reference {
        if layout.hasSelector {
            let target = Int(unsafe cells[0].integer)
            return unsafe find(cells, target, arena, caches[target])
        }
        for search in searches.indices {
            let reference = unsafe find(cells, search, arena, caches[search])
            if reference.isKnown { return search == 0 || scope == .all ? reference : .pending }
            // The object that other values than identifiers lead to is not known before all records are read.
            if !isLookedUp, searches[search].values != nil || !searches[search].state.ids.cacheIsWhole {
                return .pending
            }
        }
        return .pending
    }

    @inline(__always)
    private func find(
        _ cells: UnsafePointer<Cell>, _ search: Int, _ arena: Arena, _ cache: borrowing ObjectIDCache
    ) -> Reference {
        let key = unsafe layout.key(cells, search)
        if unsafe layout.isImpossible(key) { return .pending }
        let objectID = unsafe cache.find(cacheKey(key, cache, arena))
        if objectID == 0 || objectID == ValueLookUp.several { return .pending }
        return Reference(objectID, target: targetOf[search])
    }

    /// Gathers those of the missed keys that a search may find.
    private func gather(_ search: Int, _ arena: Arena, _ block: (Int) -> UnsafePointer<Cell>) {
        let caches = caches
        keys[search].removeAll()
        for index in firstMisses {
            let cells = unsafe block(index)
            if layout.hasSelector, unsafe cells[0].integer != Int64(search) { continue }
            let key = unsafe layout.key(cells, search)
            if unsafe layout.isImpossible(key) || find(cells, search, arena, caches[search]).isKnown { continue }
            // Keys that an earlier search has found need not be found again.
            let earlier = 0..<(searches[search].values == nil ? 0 : search)
            if earlier.contains(where: { unsafe find(cells, $0, arena, caches[$0]).isKnown }) { continue }
            unsafe keys[search].append(key, number: index, arena.base)
        }
        unsafe keys[search].sort(arena.base) { _ in }
    }

    /// Queries the store for the keys that a search may find by identifiers.
    private func sendLookUp(_ search: Int, _ arena: Arena, _ block: (Int) -> UnsafePointer<Cell>) throws(Failure) {
        unsafe gather(search, arena, block)
        let state = searches[search].state
        state.ids.lookedUp += keys[search].count
        answers[search] = try state.store.queryAheadStore?.sendLookUp(
            keys[search], entity: state.index, by: state.entity.identifier, arena)
    }

    /// Puts what the store knows of a search's keys into the cache. For other values than identifiers, it is queried
    /// here: they are only looked for where no identifier has led to an object.
    private func lookUp(_ search: Int, _ arena: Arena, _ block: (Int) -> UnsafePointer<Cell>) throws(Failure) {
        let (state, values) = (searches[search].state, searches[search].values)
        if values != nil { unsafe gather(search, arena, block) }
        let keys = keys[search]
        func remember(_ place: Int, _ objectID: Int64) {
            let key = unsafe layout.key(block(keys.number(place)), search)
            if let values {
                let (bytes, count) = unsafe keyBytes.make(key, layout.keyWidth, arena.base)
                unsafe values.remember(bytes, count, objectID)
            } else {
                unsafe state.ids.insert(cacheKey(key, state.ids.cache, arena), objectID)
            }
        }
        if let sent = answers[search] {
            try state.store.queryAheadStore?.finishLookUp(sent, found: remember)
        } else {
            let attributes = values?.attributes ?? state.entity.identifier
            try state.store.lookUp(keys, entity: state.index, by: attributes, arena, found: remember)
        }
        answers[search] = nil
    }

    /// What the objectID cache has for a key; valid until the next one is made.
    @inline(__always)
    func cacheKey(
        _ key: UnsafePointer<Cell>, _ cache: borrowing ObjectIDCache, _ arena: Arena
    ) -> ObjectIDCache.Key {
        let (bytes, count) = unsafe keyBytes.make(key, layout.keyWidth, arena.base)
        return unsafe cache.key(bytes, count)
    }

    /// Whether this run may have brought targets: it has created objects, or changed other values by which targets are
    /// looked for.
    var targetsGained: Bool { searches.contains { $0.values != nil || $0.state.tally.hasMade } }

    /// Forgets what has been looked up of other values than identifiers.
    func forgetLookUps() { for search in searches { search.values?.forget() } }
}
