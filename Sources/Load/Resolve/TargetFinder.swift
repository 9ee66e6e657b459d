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
/// values for each possible target.
@safe
final class TargetFinder {
    let targets: [EntityLoader]
    /// Cells in a block.
    let blockWidth: Int
    private let hasSelector: Bool
    /// Values in a key.
    private let keyWidth: Int
    /// By target: the types of its identifier.
    private let types: [String]
    private var keyBytes = KeyBytes()
    private var keys: SortedKeys
    /// The keys that are not in the caches.
    private var misses: [Int] = []
    /// Of these, the ones that are not the same as the key before.
    private var firstMisses: [Int] = []

    init(_ relationship: Relationship, all: [EntityLoader]) {
        targets = relationship.targets.map { all[$0.entity] }
        hasSelector = relationship.selector != nil
        keyWidth = relationship.key.count
        types = relationship.targets.map(\.identifierTypes)
        blockWidth = (hasSelector ? 1 : 0) + targets.count * keyWidth
        keys = SortedKeys(width: keyWidth)
    }

    deinit {
        keyBytes.deallocate()
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
        guard !misses.isEmpty, targets.contains(where: { !$0.ids.cacheIsWhole }) else { return }
        for target in targets.indices { try unsafe lookUp(target, arena, block) }
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

    /// The caches of the targets, as they are now: a copy is looked into without a check of access for each key.
    private var caches: [ObjectIDCache] { targets.map(\.ids.cache) }

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
        for target in targets.indices {
            let reference = unsafe find(cells, target, arena, caches[target])
            if reference.isKnown { return target == 0 || known == .all ? reference : .pending }
            if !isLookedUp, !targets[target].ids.cacheIsWhole { return .pending }
        }
        return .pending
    }

    @inline(__always)
    private func find(
        _ cells: UnsafePointer<Cell>, _ target: Int, _ arena: Arena, _ cache: borrowing ObjectIDCache
    ) -> Reference {
        let key = unsafe key(cells, target)
        if unsafe isImpossible(key) { return .pending }
        let (bytes, count) = unsafe keyBytes.make(key, keyWidth, arena.base)
        let objectID = unsafe cache.find(cache.key(bytes, count))
        return objectID == 0 ? .pending : Reference(objectID, target: target)
    }

    @inline(__always)
    private func key(_ cells: UnsafePointer<Cell>, _ target: Int) -> UnsafePointer<Cell> {
        unsafe cells + ((hasSelector ? 1 : 0) + target * keyWidth)
    }

    /// Whether the targets that are not there yet may be promised their objectIDs, so that references can be written
    /// before them. It must be known which entity a target is of.
    var canPromise: Bool { (hasSelector || targets.count == 1) && targets.allSatisfy(\.facts.canPromise) }

    var canPromiseMore: Bool { targets.allSatisfy(\.ids.canPromiseMore) }

    /// Whether some targets that were promised have not come.
    var hasOpenPromises: Bool { targets.contains { $0.ids.cache.promisedCount > 0 } }

    /// Whether a key may name an object of one of several entities, without saying which.
    var isSearched: Bool { !hasSelector && targets.count > 1 }

    /// Whether there may be an object one day that a key names.
    func mayCome(_ cells: UnsafePointer<Cell>) -> Bool { unsafe !isImpossible(key(cells, selected(cells))) }

    /// The reference to a target that is not there yet; pending where it can never be.
    func promise(_ cells: UnsafePointer<Cell>, _ arena: Arena) -> Reference {
        let target = unsafe selected(cells)
        let key = unsafe key(cells, target)
        if unsafe isImpossible(key) { return .pending }
        let (bytes, count) = unsafe keyBytes.make(key, keyWidth, arena.base)
        let objectID = targets[target].ids.promise(unsafe targets[target].ids.cache.key(bytes, count))
        return Reference(objectID, target: target)
    }

    /// The reference that a target was promised which has not come.
    func promised(_ cells: UnsafePointer<Cell>, _ arena: Arena) -> Reference {
        let target = unsafe selected(cells)
        let (bytes, count) = unsafe keyBytes.make(key(cells, target), keyWidth, arena.base)
        let cache = targets[target].ids.cache
        return Reference(unsafe cache.promised(cache.key(bytes, count)), target: target)
    }

    private func selected(_ cells: UnsafePointer<Cell>) -> Int { hasSelector ? Int(unsafe cells[0].integer) : 0 }

    /// Asks the store for those of the missed keys that a target may have, and puts what it finds into the cache.
    private func lookUp(_ target: Int, _ arena: Arena, _ block: (Int) -> UnsafePointer<Cell>) throws(Failure) {
        let loader = targets[target]
        guard !loader.ids.cacheIsWhole else { return }
        keys.removeAll()
        for index in firstMisses {
            let cells = unsafe block(index)
            if hasSelector, unsafe cells[0].integer != Int64(target) { continue }
            let key = unsafe key(cells, target)
            if unsafe isImpossible(key) || find(cells, target, arena, loader.ids.cache).isKnown { continue }
            unsafe keys.append(key, number: index, arena.base)
        }
        unsafe keys.sort(arena.base) { _ in }
        try loader.store.lookUp(keys, entity: loader.index, arena) { place, objectID in
            let key = unsafe key(block(keys.number(place)), target)
            let (bytes, count) = unsafe keyBytes.make(key, keyWidth, arena.base)
            unsafe loader.ids.insert(loader.ids.cache.key(bytes, count), objectID)
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

    /// Whether this run created objects that the relationship may refer to.
    var targetsGained: Bool { targets.contains { $0.tally.hasMade } }

    /// The identifier that a key names: of the selected target, or the only one; nil where no object can have it.
    func missingKey(_ cells: UnsafePointer<Cell>) -> (target: EntityLoader, cells: [Cell])? {
        let target = hasSelector ? Int(unsafe cells[0].integer) : 0
        let values = unsafe key(cells, target)
        if unsafe isImpossible(values) { return nil }
        return (targets[target], (0..<keyWidth).map { unsafe values[$0] })
    }

    /// What a key means whose target is not there.
    func missingTarget(_ cells: UnsafePointer<Cell>, _ arena: Arena) -> MissingTarget {
        let possible = hasSelector ? [Int(unsafe cells[0].integer)] : Array(targets.indices)
        let identifiers = possible.compactMap { target -> (target: EntityLoader, cells: [Cell])? in
            let values = unsafe key(cells, target)
            if unsafe isImpossible(values) { return nil }
            return (targets[target], (0..<keyWidth).map { unsafe values[$0] })
        }
        return MissingTarget(identifiers: identifiers, value: unsafe value(cells, arena))
    }

    /// What a key says, for the waiting list.
    func value(_ cells: UnsafePointer<Cell>, _ arena: Arena) -> WaitingValue {
        let selected = hasSelector ? Int(unsafe cells[0].integer) : nil
        let possible = selected.map { [$0] } ?? Array(targets.indices)
        let identifiers = possible.map { target in
            unsafe isImpossible(key(cells, target)) ? nil : text(of: key(cells, target), arena)
        }
        // Any target's cells tell the value; one that it does not convert to tells it as a text.
        let json = unsafe identifiers.compactMap { $0 }.first ?? text(of: key(cells, possible[0]), arena)
        var value = WaitingValue(json: json, target: selected.map { targets[$0].entity.name })
        if !identifiers.allSatisfy({ $0?.isIdentical(to: json) == true }) {
            value.keys = JSONText.object(zip(possible, identifiers).map { (types[$0], $1 ?? "null") })
        }
        return value
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

extension Relationship.Target {
    /// The forms of its identifier: all that decides how a value becomes one.
    var identifierTypes: String { conversions.map(\.stored.name).joined(separator: " ") }
}
