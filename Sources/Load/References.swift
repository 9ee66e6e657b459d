import Glibc
import Records

/// Turns the keys of references into objectIDs: from the cache, else by sorted look-ups.
@safe
final class References {
    private let loader: EntityLoader
    private let targets: [EntityLoader]
    private var keyBytes = KeyBytes()
    private var keys: SortedKeys
    private var misses: [Int] = []
    private let relationship: Int
    private let firstCell: Int
    private let width: Int

    init(_ loader: EntityLoader, relationship: Int, all: [EntityLoader]) {
        let definition = loader.entity.relationships[relationship]
        self.loader = loader
        self.relationship = relationship
        targets = definition.targets.map { all[$0.entity] }
        width = definition.key.count
        firstCell = loader.layout.keyStart(definition, at: relationship, target: 0)
        keys = SortedKeys(width: width)
    }

    deinit {
        keyBytes.deallocate()
        keys.deallocate()
    }

    /// Sets `work.references` of this relationship for the rows; what is not known is `Reference.pending`.
    func resolve(_ rows: [Int], _ section: EntityRecords, _ arena: Arena) throws(Failure) {
        misses.removeAll(keepingCapacity: true)
        resolveFromCache(rows, section, arena)
        // A table that began empty has all its objects in the cache.
        guard !misses.isEmpty, !targets[0].startsEmpty else { return }
        try lookUpMisses(section, arena)
        for row in misses {
            let cells = unsafe key(of: row, section)
            set(row, unsafe find(cells, arena))
        }
    }

    private func resolveFromCache(_ rows: [Int], _ section: EntityRecords, _ arena: Arena) {
        // Records that follow one another often refer to the same object.
        var last: UnsafePointer<Cell>?
        var lastResult = Reference.none
        for row in rows {
            let cells = unsafe key(of: row, section)
            switch unsafe cells[0].kind {
            case .absent: set(row, Reference.keep)
            case .null: set(row, Reference.none)
            default:
                if let previous = unsafe last, unsafe isSame(previous, cells, arena.base) {
                    set(row, lastResult)
                } else {
                    lastResult = unsafe find(cells, arena)
                    unsafe last = cells
                    set(row, lastResult)
                }
                if lastResult == Reference.pending, unsafe !isImpossible(cells) { misses.append(row) }
            }
        }
    }

    @inline(__always)
    private func set(_ row: Int, _ reference: Int64) {
        loader.work.references[row * loader.work.relationshipCount + relationship] = reference
    }

    @inline(__always)
    private func key(of row: Int, _ section: EntityRecords) -> UnsafePointer<Cell> {
        unsafe UnsafePointer(section.typed.base + (row * loader.layout.width + firstCell))
    }

    private func find(_ cells: UnsafePointer<Cell>, _ arena: Arena) -> Int64 {
        if unsafe isImpossible(cells) { return Reference.pending }
        let (bytes, count) = unsafe keyBytes.make(cells, width, arena.base)
        let objectID = unsafe targets[0].cache.find(targets[0].cache.key(bytes, count))
        return objectID == 0 ? Reference.pending : objectID
    }

    /// Asks the store for the targets that the cache lacks, and puts what it finds into the cache.
    private func lookUpMisses(_ section: EntityRecords, _ arena: Arena) throws(Failure) {
        keys.removeAll()
        for row in misses { unsafe keys.append(key(of: row, section), number: row, arena.base) }
        unsafe keys.sort(arena.base) { _ in }
        let target = targets[0]
        try target.store.lookUp(keys, entity: target.index, arena) { place, objectID in
            let cells = unsafe key(of: keys.number(place), section)
            let (bytes, count) = unsafe keyBytes.make(cells, width, arena.base)
            unsafe target.cache.insert(target.cache.key(bytes, count), objectID: objectID)
        }
    }

    private func isImpossible(_ cells: UnsafePointer<Cell>) -> Bool {
        for part in 0..<width where unsafe cells[part].kind == .impossible { return true }
        return false
    }

    @inline(__always)
    private func isSame(_ a: UnsafePointer<Cell>, _ b: UnsafePointer<Cell>, _ arena: UnsafePointer<UInt8>) -> Bool {
        for part in 0..<width {
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

    /// Whether this run created objects that the relationship may refer to.
    var targetsGained: Bool { targets.contains { $0.counts.created > 0 } }

    /// The names of the possible targets.
    var targetNames: [String] { targets.map(\.entity.name) }

    /// The value of a row's reference as JSON.
    func value(of row: Int, _ section: EntityRecords, _ arena: Arena) -> String {
        arena.json(ofKey: (0..<width).map { section.typed[row * loader.layout.width + firstCell + $0] })
    }
}
