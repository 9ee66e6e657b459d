import Glibc
import SluiceRecords

/// Among which objects a target is looked for.
enum KnownObjects {
    /// Those of earlier runs and of the records so far. Of several entities only the first is sure: an object of a later
    /// one may still be beaten by one that comes.
    case soFar
    /// All that will ever be there.
    case all
}

/// Finds the objects that the keys of one relationship name: in the caches, else by sorted look-ups in the store.
///
/// A key is a block of cells as `RowLayout` has them: the selector, if the relationship has one, then the converted
/// values for each possible target, or for each way to find it.
@safe
final class TargetFinder {
    /// The entities that the relationship may lead to.
    private let targets: [EntityLoader]
    /// The ways in which a target is looked for, in their order.
    private let searches: [Search]
    /// By search: which of the relationship's targets it leads to.
    private let targetOf: [Int]
    /// Cells in a block.
    let blockWidth: Int
    private let hasSelector: Bool
    /// Values in a key.
    private let keyWidth: Int
    /// By search: what tells its values from those of others.
    private let labels: [String]
    private let hasWays: Bool
    private let keyBytes = KeyBytes()
    private var keys: SortedKeys
    /// The keys that are not in the caches.
    private var misses: [Int] = []
    /// Of these, the ones that are not the same as the key before.
    private var firstMisses: [Int] = []

    /// A way to find objects.
    private struct Search {
        var loader: EntityLoader
        /// What the store has said of other attributes than the identifier; nil: it is by the identifier.
        var values: ValueLookUp?
    }

    init(_ relationship: Relationship, all: [EntityLoader]) {
        let targets = relationship.targets.map { all[$0.entity] }
        self.targets = targets
        let model = all[relationship.targets[0].entity].facts.model
        searches = relationship.searches(in: model).map { way in
            Search(
                loader: targets[way.target],
                values: way.isByIdentifier ? nil : ValueLookUp(attributes: way.attributes))
        }
        targetOf = relationship.searches(in: model).map(\.target)
        hasSelector = relationship.selector != nil
        hasWays = !relationship.ways.isEmpty
        isSearched = relationship.isSearched
        keyWidth = relationship.keyWidth
        labels = relationship.searchLabels(in: model)
        blockWidth = relationship.keyCellCount
        keys = SortedKeys(width: keyWidth)
    }

    deinit {
        keys.deallocate()
    }

    /// Resolves `count` keys, which `block` gives: `set` gets an objectID with its target, or one of `Reference`.
    @inline(__always)
    func resolve(
        _ count: Int, _ arena: Arena, among known: KnownObjects, block: (Int) -> UnsafePointer<Cell>,
        set: (Int, Reference) -> Void
    ) throws(Failure) {
        misses.removeAll(keepingCapacity: true)
        firstMisses.removeAll(keepingCapacity: true)
        unsafe resolveFromCache(count, arena, known, block: block, set: set)
        // Where all objects are in the caches, nothing is to be looked up.
        guard !misses.isEmpty, searches.contains(where: { !isWhole($0, known) }) else { return }
        for search in searches.indices where !isWhole(searches[search], known) {
            try unsafe lookUp(search, arena, block)
        }
        let caches = caches
        var next = 0
        var result = Reference.pending
        for index in misses {
            if next < firstMisses.count, index == firstMisses[next] {
                result = unsafe find(block(index), arena, known, caches, isLookedUp: true)
                next += 1
            }
            set(index, result)
        }
    }

    /// Whether nothing that the caches lack can be found in the store, or none of it is to be found by now: other values
    /// than identifiers may change with each record, and are looked for when all are read.
    private func isWhole(_ search: Search, _ known: KnownObjects) -> Bool {
        search.values == nil ? search.loader.ids.cacheIsWhole : known == .soFar
    }

    /// The caches of the searches, as they are now: a copy is looked into without a check of access for each key.
    private var caches: [ObjectIDCache] { searches.map { $0.values?.cache ?? $0.loader.ids.cache } }

    /// Forgets what has been looked up of other values than identifiers.
    func forgetLookUps() { for search in searches { search.values?.forget() } }

    @inline(__always)
    private func resolveFromCache(
        _ count: Int, _ arena: Arena, _ known: KnownObjects, block: (Int) -> UnsafePointer<Cell>,
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
            let cells = unsafe block(index)
            switch unsafe cells[0].kind {
            case .absent: set(index, .keep)
            case .null: set(index, .null)
            default:
                if let previous = unsafe last, unsafe isSame(previous, cells, arena.base) {
                    set(index, lastResult)
                } else {
                    lastResult = unsafe find(cells, arena, known, caches)
                    unsafe last = cells
                    set(index, lastResult)
                    if lastResult == .pending { firstMisses.append(index) }
                }
                if lastResult == .pending { misses.append(index) }
            }
        }
    }

    /// The cache may lack what an earlier target has in the store: before that is looked up, a later target is not
    /// taken.
    private func find(
        _ cells: UnsafePointer<Cell>, _ arena: Arena, _ known: KnownObjects, _ caches: [ObjectIDCache],
        isLookedUp: Bool = false
    ) -> Reference {
        if hasSelector {
            let target = Int(unsafe cells[0].integer)
            return unsafe find(cells, target, arena, caches[target])
        }
        for search in searches.indices {
            let reference = unsafe find(cells, search, arena, caches[search])
            if reference.isKnown { return search == 0 || known == .all ? reference : .pending }
            // What other values than identifiers lead to is not known before all is read.
            if !isLookedUp, searches[search].values != nil || !searches[search].loader.ids.cacheIsWhole {
                return .pending
            }
        }
        return .pending
    }

    @inline(__always)
    private func find(
        _ cells: UnsafePointer<Cell>, _ search: Int, _ arena: Arena, _ cache: borrowing ObjectIDCache
    ) -> Reference {
        let key = unsafe key(cells, search)
        if unsafe isImpossible(key) { return .pending }
        let (bytes, count) = unsafe keyBytes.make(key, keyWidth, arena.base)
        let objectID = unsafe cache.find(cache.key(bytes, count))
        if objectID == 0 || objectID == ValueLookUp.several { return .pending }
        return Reference(objectID, target: targetOf[search])
    }

    @inline(__always)
    private func key(_ cells: UnsafePointer<Cell>, _ search: Int) -> UnsafePointer<Cell> {
        unsafe cells + ((hasSelector ? 1 : 0) + search * keyWidth)
    }

    /// Whether the targets that are not there yet may be promised their objectIDs, so that references can be written
    /// before them. It must be known which entity a target is of.
    var canPromise: Bool { !isSearched && targets.allSatisfy(\.facts.canPromise) }

    var canPromiseMore: Bool { targets.allSatisfy(\.ids.canPromiseMore) }

    /// Whether some targets that were promised have not come.
    var hasOpenPromises: Bool { targets.contains { $0.ids.cache.promisedCount > 0 } }

    /// Whether a key does not say which object it means, but what is looked for, see `Relationship.isSearched`.
    let isSearched: Bool

    /// Whether there may be an object one day that a key names.
    func mayCome(_ cells: UnsafePointer<Cell>) -> Bool { unsafe !isImpossible(key(cells, selected(cells))) }

    /// The reference to a target that is not there yet; pending where it can never be, or has not been promised and there
    /// is no room for one more.
    func promise(_ cells: UnsafePointer<Cell>, _ arena: Arena, mayAdd: Bool) -> Reference {
        let target = unsafe selected(cells)
        return unsafe promise(cells, target, targets[target].ids, arena, mayAdd: mayAdd)
    }

    /// The objectIDs of the targets, where these are all of one entity: whoever promises many of them holds on to it for
    /// all.
    var soleTarget: ObjectIDs? { hasSelector || targets.count > 1 ? nil : targets[0].ids }

    /// Likewise, of the objectIDs of its target's entity.
    @inline(__always)
    func promise(
        _ cells: UnsafePointer<Cell>, _ target: Int, _ ids: ObjectIDs, _ arena: Arena, mayAdd: Bool
    ) -> Reference {
        let key = unsafe key(cells, target)
        if unsafe isImpossible(key) { return .pending }
        let (bytes, count) = unsafe keyBytes.make(key, keyWidth, arena.base)
        let objectID = ids.promise(unsafe ids.cache.key(bytes, count), mayAdd: mayAdd)
        return objectID == 0 ? .pending : Reference(objectID, target: target)
    }

    /// The reference that a target was promised which has not come.
    func promised(_ cells: UnsafePointer<Cell>, _ arena: Arena) -> Reference {
        let target = unsafe selected(cells)
        let (bytes, count) = unsafe keyBytes.make(key(cells, target), keyWidth, arena.base)
        let cache = targets[target].ids.cache
        return Reference(unsafe cache.promised(cache.key(bytes, count)), target: target)
    }

    private func selected(_ cells: UnsafePointer<Cell>) -> Int { hasSelector ? Int(unsafe cells[0].integer) : 0 }

    /// Asks the store for those of the missed keys that a search may find, and puts what it finds into the cache.
    private func lookUp(_ search: Int, _ arena: Arena, _ block: (Int) -> UnsafePointer<Cell>) throws(Failure) {
        let (loader, values) = (searches[search].loader, searches[search].values)
        let caches = caches
        keys.removeAll()
        for index in firstMisses {
            let cells = unsafe block(index)
            if hasSelector, unsafe cells[0].integer != Int64(search) { continue }
            let key = unsafe key(cells, search)
            if unsafe isImpossible(key) || find(cells, search, arena, caches[search]).isKnown { continue }
            // What an earlier way has found need not be found again.
            let earlier = 0..<(values == nil ? 0 : search)
            if earlier.contains(where: { unsafe find(cells, $0, arena, caches[$0]).isKnown }) { continue }
            unsafe keys.append(key, number: index, arena.base)
        }
        unsafe keys.sort(arena.base) { _ in }
        if let values { return try unsafe lookUp(values, loader, search, arena, block) }
        loader.ids.lookedUp += keys.count
        try loader.store.lookUp(keys, entity: loader.index, by: loader.entity.identifier, arena) { place, objectID in
            let key = unsafe key(block(keys.number(place)), search)
            let (bytes, count) = unsafe keyBytes.make(key, keyWidth, arena.base)
            unsafe loader.ids.insert(loader.ids.cache.key(bytes, count), objectID)
        }
    }

    /// Asks the store for the sorted keys as values of other attributes than the identifier.
    private func lookUp(
        _ values: ValueLookUp, _ loader: EntityLoader, _ search: Int, _ arena: Arena,
        _ block: (Int) -> UnsafePointer<Cell>
    ) throws(Failure) {
        try loader.store.lookUp(keys, entity: loader.index, by: values.attributes, arena) { place, objectID in
            let key = unsafe key(block(keys.number(place)), search)
            let (bytes, count) = unsafe keyBytes.make(key, keyWidth, arena.base)
            unsafe values.note(bytes, count, objectID)
        }
    }

    private func isImpossible(_ key: UnsafePointer<Cell>) -> Bool {
        for part in 0..<keyWidth {
            let kind = unsafe key[part].kind
            if kind == .impossible || kind == .null { return true }
        }
        return false
    }

    @inline(__always)
    func isSame(_ a: UnsafePointer<Cell>, _ b: UnsafePointer<Cell>, _ arena: UnsafePointer<UInt8>) -> Bool {
        for part in 0..<blockWidth {
            let (x, y) = unsafe (a[part], b[part])
            guard x.kind == y.kind, x.length == y.length else { return false }
            if x.hasBytes {
                guard unsafe memcmp(arena + x.offset, arena + y.offset, x.count) == 0 else { return false }
            } else if x.payload != y.payload {
                return false
            }
        }
        return true
    }

    /// The names of the possible targets.
    var targetNames: [String] { targets.map(\.entity.name) }

    /// Whether this run may have made targets of objects: it has created some, or other values than identifiers count,
    /// which it may have changed.
    var targetsGained: Bool { searches.contains { $0.values != nil || $0.loader.tally.hasMade } }

    /// The identifier that a key names: of the selected target, or the only one, or in the first way that gives one; nil
    /// where no object can have it.
    func missingKey(_ cells: UnsafePointer<Cell>) -> (target: EntityLoader, cells: [Cell])? {
        let possible = hasSelector ? [Int(unsafe cells[0].integer)] : Array(searches.indices)
        return possible.lazy.compactMap { unsafe self.identifier(cells, $0) }.first
    }

    /// The identifier that a key gives a search; nil where no object can have it, or other attributes are looked for.
    private func identifier(
        _ cells: UnsafePointer<Cell>, _ search: Int
    ) -> (target: EntityLoader, cells: [Cell])? {
        let values = unsafe key(cells, search)
        if searches[search].values != nil || (unsafe isImpossible(values)) { return nil }
        return (searches[search].loader, (0..<keyWidth).map { unsafe values[$0] })
    }

    /// What a key means whose target is not there.
    func missingTarget(_ cells: UnsafePointer<Cell>, _ arena: Arena) -> MissingTarget {
        let possible = hasSelector ? [Int(unsafe cells[0].integer)] : Array(searches.indices)
        return MissingTarget(
            identifiers: possible.compactMap { unsafe identifier(cells, $0) }, value: unsafe value(cells, arena))
    }

    /// What a key says, for the waiting list.
    func value(_ cells: UnsafePointer<Cell>, _ arena: Arena) -> WaitingValue {
        let selected = hasSelector ? Int(unsafe cells[0].integer) : nil
        let possible = selected.map { [$0] } ?? Array(searches.indices)
        let identifiers = possible.map { search in
            unsafe isImpossible(key(cells, search)) ? nil : text(of: key(cells, search), arena)
        }
        // Any target's cells tell the value; one that it does not convert to tells it as a text.
        let json = unsafe identifiers.compactMap { $0 }.first ?? impossibleText(cells, possible, arena)
        var value = WaitingValue(json: json, target: selected.map { targets[$0].entity.name })
        if hasWays || !identifiers.allSatisfy({ $0?.isIdentical(to: json) == true }) {
            value.keys = JSONText.object(zip(possible, identifiers).map { (labels[$0], $1 ?? "null") })
        }
        value.isAmbiguous = possible.contains { unsafe isAmbiguous(cells, $0, arena) }
        return value
    }

    /// What no identifier can be; a way that has no value says nothing.
    private func impossibleText(_ cells: UnsafePointer<Cell>, _ possible: [Int], _ arena: Arena) -> String {
        let told = possible.first { search in
            (0..<keyWidth).contains { unsafe key(cells, search)[$0].length > 0 }
        }
        return unsafe text(of: key(cells, told ?? possible[0]), arena)
    }

    /// Whether several objects have the values that a key gives a search, as was found since the last `forgetLookUps`.
    private func isAmbiguous(_ cells: UnsafePointer<Cell>, _ search: Int, _ arena: Arena) -> Bool {
        guard let cache = searches[search].values?.cache else { return false }
        let key = unsafe key(cells, search)
        if unsafe isImpossible(key) { return false }
        let (bytes, count) = unsafe keyBytes.make(key, keyWidth, arena.base)
        return unsafe cache.find(cache.key(bytes, count)) == ValueLookUp.several
    }

    private func text(of key: UnsafePointer<Cell>, _ arena: Arena) -> String {
        arena.json(ofKey: (0..<keyWidth).map { unsafe key[$0] })
    }
}

/// A target that is not there.
struct MissingTarget {
    /// What identifies it: one identifier for each entity that it may be of, where it can have one there.
    var identifiers: [(target: EntityLoader, cells: [Cell])]
    var value: WaitingValue
}
