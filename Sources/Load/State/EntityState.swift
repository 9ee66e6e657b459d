import SluiceRecords

/// What a run knows of one entity: which objects it has met, where their objectIDs are, in which phase the entity is,
/// and what waits on disk. `EntityRounds` and the stages of the second pass act on it.
final class EntityState {
    let traits: EntityTraits
    let store: any ObjectStore
    let objects: ObjectStates
    let ids: ObjectIDs
    let tally: Tally
    let indexing: Indexing
    let spools: EntitySpools
    /// How records are taken in at the moment; only `advance` changes it.
    private(set) var phase: EntityPhase
    let statedColumns: StatedColumns
    /// The store that keeps where records stood; nil: none does.
    let placeStore: (any HistoryStore)?
    let makeGoneIdentifiers: @Sendable () throws(Failure) -> any GoneIdentifiers
    /// Objects whose waiting rows are read from disk into memory together.
    let heldObjects: Int
    /// Whether what became of the rows of feeds is recorded in their sections.
    let recordsItems: Bool

    init(
        _ traits: EntityTraits, _ store: any ObjectStore, _ indexing: Indexing, _ options: Loader.Options
    ) throws(Failure) {
        makeGoneIdentifiers = options.goneIdentifiers
        heldObjects = options.heldObjects
        recordsItems = options.recordsItems
        self.indexing = indexing
        self.store = store
        self.traits = traits
        phase = EntityPhase(traits, mayCompare: options.shortcuts.contains(.lateComparison) && store.digestStore != nil)
        objects = try ObjectStates(traits, store)
        ids = ObjectIDs(traits)
        tally = Tally(traits, objects)
        spools = EntitySpools(traits)
        statedColumns = StatedColumns(traits.entity)
        let history = store.historyStore
        placeStore = history?.recordsPlaces(of: traits.index) == true ? history : nil
        if options.knowsItems { objects.known.expectKnown() }
    }

    var entity: Entity { traits.entity }
    var index: Int { traits.index }

    /// Changes the phase of the entity, which owns what waits because of it.
    func advance(to next: EntityPhase) {
        precondition(phase.mayBecome(next), "a phase that does not follow")
        phase = next
    }

    /// Counts the objects before the run, of which those that are deleted or updated are a share, if they have not been
    /// counted: to be called before the first one is deleted.
    func countBefore() throws(Failure) {
        if tally.countBefore != nil { return }
        tally.countBefore = try store.objectCount(entity: index, upTo: traits.highestAtStart)
    }

    /// Whether an object that is to go may go: an edited one stays, but for a mark, which deletes nothing.
    func mayGo(_ objectID: Int64) -> Bool { entity.marksAbsent || !objects.edits.spares(objectID) }

    /// Reads the identifiers of objects into a batch, which is reset for them, a row for each object that is there.
    /// Returns the section that has them; `work` gets the objectIDs.
    func readIdentifiers(
        of objectIDs: [Int64], _ batch: RecordBatch, _ work: RowScratch
    ) throws(Failure) -> EntityRecords {
        batch.reset()
        let section = batch.sections[index]
        try store.appendIdentifiers(of: objectIDs, entity: index, section, batch, work)
        return section
    }

    /// Whether the cache, by which new records were recognised, no longer has all objects, or soon will not.
    var mustIndexNow: Bool {
        guard traits.isTarget, let late = phase.lateIndexing else { return false }
        return !ids.cacheIsWhole || late.mustEnd
    }

    /// Whether so many objects of the entity are met that reading all of them is quicker, see `Indexing.isWorth`.
    func isWorth(_ count: Int, share: Int) -> Bool {
        indexing.isWorth(count, of: traits.highestAtStart, share: share)
    }
}
