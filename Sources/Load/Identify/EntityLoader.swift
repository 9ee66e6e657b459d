import Records

/// Loads the records of one entity: knows which objects the run has met, and where their objectIDs are.
///
/// A batch takes these steps: `identify` finds the objects of the rows or gives new objectIDs, `resolve` (see
/// `References.swift`) turns the keys of references into objectIDs as far as they are known, `save` writes. Rows whose
/// identifier stood in the batch before come in rounds of their own, since they must find what the first one wrote.
@safe
final class EntityLoader {
    let model: Model
    let entity: Entity
    let index: Int
    let layout: RowLayout
    /// Whether a relationship refers to this entity: only then are its objectIDs cached.
    let isTarget: Bool
    let store: any ObjectStore
    /// Whether the table was empty when the run began: what the cache or the unique index does not know, is new.
    let startsEmpty: Bool
    let highestAtStart: Int64
    private var nextObjectID: Int64

    var cache = ObjectIDCache()
    /// Whether the cache has all objects, so that what it lacks is not there: where the table was empty when the run
    /// began, until the cache is emptied for its limit.
    private(set) var cacheIsWhole: Bool
    /// Whether the limit of the caches leaves room for promises.
    var hasRoomForPromises = true
    var keyBytes = KeyBytes()
    var keys: SortedKeys
    /// Objects of earlier runs that had a record in this one.
    let seen = SeenObjects()
    let work: RowWork
    let stated: StatedColumns
    /// What is counted record by record; see `finalCounts`.
    var counts: EntityCounts
    /// Which objects of earlier runs differ from what they were.
    let changes = ObjectChanges()
    /// Objects that this run created from records and then deleted.
    var unmadeCount = 0

    /// Whether objects may be found by guessing them from the order of the records.
    let usesSequence: Bool
    /// Rows of the round whose object is in the store, in the order of the feed.
    var foundRows: [Int] = []
    /// The last object of an earlier run that was found.
    var lastFound: Int64 = 0
    /// Rows of the round that become objects, in the order of the feed.
    var newRows: [Int] = []
    /// Rows of the round that are the first of this run for their object.
    var firstRows: [Int] = []
    /// Rows of the round whose object had a record of this run.
    var duplicateRows: [Int] = []
    /// Rows for the next round.
    var laterRows: [Int] = []
    /// Of the first and the new rows, those that come after records that said that the object is gone.
    var revivingRows: Set<Int> = []
    /// Rows of the round that are the first of this run for their object, and say that it is gone.
    var goneRows: [Int] = []
    /// Later copies of the round that say that their object is gone.
    var goneAgainRows: [Int] = []

    /// Whole records that wait until their targets are known.
    var recordSpool: RowSpool?
    /// Where a relationship needs its target (`missing: reject`): all records, until it is known which of them have
    /// theirs.
    var candidates: RowSpool?
    /// Objects that lost a reference before their candidate was loaded.
    let lostEarly = SeenObjects()
    /// References that wait until their targets are known.
    var linkSpool: RowSpool?
    /// References whose targets have a promised objectID: to be looked at again only where a promise was not kept.
    var promiseSpool: RowSpool?
    /// By relationship: how many references `promiseSpool` has.
    var promisedReferences: [Int]
    /// By relationship: the objects of earlier runs whose reference waits.
    let waiting: [SeenObjects]
    /// Objects of earlier runs of which only the identifier is known: a record completes them in every mode.
    let stubs: SeenObjects
    /// Objects with duplicates whose references wait for the second pass.
    let duplicated = SeenObjects()

    /// Whether records may say that their object is gone.
    let hasDeletions: Bool
    /// Whether it must be known which objects of earlier runs the feed holds.
    let needsPresence: Bool
    /// By relationship: whether its targets may be deleted, so that objects lose references.
    let mayLose: [Bool]
    /// By relationship.
    let areToMany: [Bool]
    /// Whether any relationship's may.
    let mayLoseTargets: Bool
    /// Objects of earlier runs that the feed holds in records that were not loaded.
    let alsoPresent = SeenObjects()
    /// Objects whose record, the last one that counts, says that they are gone.
    let gone = SeenObjects()
    /// Of these, those that were never there, with objectIDs that no object has.
    let unborn = SeenObjects()
    /// The identifiers of the latter, and of those among them that have come to life.
    var goneIdentifiers: GoneIdentifiers?
    /// Where records may say that objects are gone: those of which a record says what they are like.
    let described = SeenObjects()
    /// Objects that this run deleted.
    let deleted = SeenObjects()
    /// Where records may say that objects are gone, and these are marked: those with a record in this run that were
    /// marked before it. They stay so until all records are read.
    let markedBefore = SeenObjects()
    /// By relationship, where objects may lose references or go: those whose first record waits for the second pass.
    let pending: [SeenObjects]
    /// Where the records stood, of objects that may lose references.
    var positions: RowSpool?
    /// Objects before this run, of which those that are absent are a share; counted when the first one is deleted.
    var countBefore: Int?

    init(
        _ model: Model, _ index: Int, _ store: any ObjectStore, _ losses: Losses, usesSequence: Bool
    ) throws(Failure) {
        self.model = model
        self.usesSequence = usesSequence
        self.index = index
        self.store = store
        entity = model.entities[index]
        layout = entity.layout
        isTarget = losses.isTarget[index]
        highestAtStart = try store.highestObjectID(of: index)
        startsEmpty = highestAtStart == 0
        cacheIsWhole = startsEmpty
        nextObjectID = highestAtStart + 1
        keys = SortedKeys(width: entity.identifier.count)
        work = RowWork(entity)
        stated = StatedColumns(entity, work)
        counts = EntityCounts(relationships: entity.relationships.count)
        var waiting: [SeenObjects] = []
        for relationship in entity.relationships.indices {
            waiting.append(try store.waitingObjects(entity: index, relationship: relationship))
        }
        self.waiting = waiting
        stubs = try store.stubs(entity: index)
        hasDeletions = !entity.deletions.isEmpty
        needsPresence = losses.needsPresence[index]
        areToMany = entity.relationships.map(\.isMany)
        mayLose = entity.relationships.map { $0.targets.contains { losses.isDeletable[$0.entity] } }
        mayLoseTargets = mayLose.contains(true)
        pending = entity.relationships.map { _ in SeenObjects() }
        promisedReferences = entity.relationships.map { _ in 0 }
        if entity.relationships.contains(where: { $0.missing == .reject }) {
            candidates = RowSpool(entity, whole: true)
        }
        if mayLoseTargets { positions = RowSpool(entity, cells: []) }
    }

    deinit {
        cache.deallocate()
        keyBytes.deallocate()
        keys.deallocate()
    }

    /// Whether an object had a record in this run.
    func isOfThisRun(_ objectID: Int64) -> Bool { objectID > highestAtStart || seen.contains(objectID) }

    // MARK: ObjectIDs

    func assignObjectID(_ row: Int, promised: Int64 = 0) {
        if promised > 0 {
            work.objectIDs[row] = promised
            return
        }
        work.objectIDs[row] = nextObjectID
        nextObjectID += 1
    }

    /// Takes back the objectIDs of the new rows, which nothing has used: they will be identified again.
    func takeBackObjectIDs() {
        if let first = newRows.first { nextObjectID = work.objectIDs[first] }
    }

    // MARK: Promises

    /// Promises that wait to be kept, at the most, but for those of one batch: they take memory as objects do.
    private static let mostPromises = 1 << 20

    /// Whether objects may have their objectIDs before their records come: where every object is new, nothing deletes
    /// any, and nothing keeps a record from being loaded.
    var canPromise: Bool {
        startsEmpty && isTarget && !hasDeletions && entity.mode != .update && candidates == nil
    }

    /// Whether more of them may.
    var canPromiseMore: Bool { hasRoomForPromises && cache.promisedCount < EntityLoader.mostPromises }

    /// The objectID that the object of an identifier will have, which is not there yet.
    func promise(_ key: ObjectIDCache.Key) -> Int64 {
        let promised = cache.promised(key)
        if promised > 0 { return promised }
        let objectID = nextObjectID
        nextObjectID += 1
        cache.promise(key, objectID: objectID)
        return objectID
    }

    /// Gives an objectID to a row whose identifier no object has; false if one does.
    func claimObjectID(_ row: Int, _ section: EntityRecords, _ arena: Arena) throws(Failure) -> Bool {
        guard cache.find(key(of: row, section, arena)) == 0 else { return false }
        if !cacheIsWhole, try isStored(row, section, arena) { return false }
        work.ensure(row + 1)
        let key = key(of: row, section, arena)
        assignObjectID(row, promised: cache.promised(key))
        cache.insert(key, objectID: work.objectIDs[row])
        return true
    }

    private func isStored(_ row: Int, _ section: EntityRecords, _ arena: Arena) throws(Failure) -> Bool {
        keys.removeAll()
        appendKey(row, section, arena)
        var isStored = false
        try store.lookUp(keys, entity: index, arena) { _, _ in isStored = true }
        return isStored
    }

    /// The objectID that a row's object was promised, or 0.
    func promised(_ row: Int, _ section: EntityRecords, _ arena: Arena) -> Int64 {
        cache.promisedCount == 0 ? 0 : cache.promised(key(of: row, section, arena))
    }

    /// Forgets where the objects are, but for those that are promised objectIDs: the store knows it.
    func forgetObjects() {
        cache.forgetObjects()
        cacheIsWhole = false
    }

    func remember(_ row: Int, _ section: EntityRecords, _ arena: Arena) {
        guard isTarget else { return }
        let key = key(of: row, section, arena)
        if cache.find(key) == 0 { cache.insert(key, objectID: work.objectIDs[row]) }
    }

    func key(of row: Int, _ section: EntityRecords, _ arena: Arena) -> ObjectIDCache.Key {
        unsafe withIdentifier(of: row, section) { cells in
            let (bytes, count) = unsafe keyBytes.make(cells, entity.identifier.count, arena.base)
            return unsafe cache.key(bytes, count)
        }
    }

    /// The identifier's cells of a row, side by side.
    @inline(__always)
    func withIdentifier<Result>(
        of row: Int, _ section: EntityRecords, _ body: (UnsafePointer<Cell>) -> Result
    ) -> Result {
        let cells = unsafe section.typed.base + row * layout.width
        if entity.identifier.count == 1 { return unsafe body(cells + entity.identifier[0]) }
        return unsafe withUnsafeTemporaryAllocation(of: Cell.self, capacity: entity.identifier.count) { key in
            for (part, attribute) in entity.identifier.enumerated() { unsafe key[part] = unsafe cells[attribute] }
            // The allocation is not empty: an identifier has an attribute.
            return unsafe body(UnsafePointer(key.baseAddress.unsafelyUnwrapped))
        }
    }

    /// The identifier of a row as JSON.
    func identifier(of row: Int, _ section: EntityRecords, _ arena: Arena) -> String {
        arena.json(ofKey: entity.identifier.map { section.typed[row * layout.width + $0] })
    }
}
