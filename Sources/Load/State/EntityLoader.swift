import SluiceRecords

/// Loads the records of one entity: knows which objects the run has met, and where their objectIDs are.
///
/// A batch takes these steps: `identify` finds the objects of the rows or gives new objectIDs, `resolve` (see
/// `References.swift`) turns the keys of references into objectIDs as far as they are known, `save` writes. Rows whose
/// identifier stood in the batch before come in rounds of their own, since they must find what the first one wrote.
@safe
final class EntityLoader {
    let facts: EntityFacts
    let store: any ObjectStore
    let states: ObjectStates
    let ids: ObjectIDs
    let tally: Tally
    var waitingRows: WaitingRows
    var lateIndex = LateIndex()
    let indexing: Indexing
    var lateComparison: LateComparison

    /// What the rows of the round are.
    var round = Identification()
    let work: RowWork
    let stated: StatedColumns
    /// Whether objects may be found by guessing them from the order of the records.
    let usesSequence: Bool
    /// The identifiers that the store is asked for.
    var keys: SortedKeys
    /// Rows of the round whose object is in the store, in the order of the feed.
    var foundRows: [Int] = []
    /// The last object of an earlier run that was found.
    var lastFound: Int64 = 0
    /// Objects of which what waits on disk is held in memory together.
    var heldObjects = 1 << 16
    /// The identifiers of unborn objects, and of those among them that have come to life.
    var goneIdentifiers: GoneIdentifiers?

    init(
        _ facts: EntityFacts, _ store: any ObjectStore, _ shortcuts: Shortcuts, _ indexing: Indexing
    ) throws(Failure) {
        usesSequence = shortcuts.contains(.sequence)
        self.indexing = indexing
        self.store = store
        self.facts = facts
        lateComparison = LateComparison(
            facts, store.givesDigests ? shortcuts : shortcuts.subtracting(.lateComparison))
        states = try ObjectStates(facts, store)
        ids = ObjectIDs(facts)
        tally = Tally(facts, states)
        waitingRows = WaitingRows(facts)
        keys = SortedKeys(width: facts.entity.identifier.count)
        work = RowWork(facts.entity)
        stated = StatedColumns(facts.entity, work)
    }

    deinit { keys.deallocate() }

    var entity: Entity { facts.entity }
    var index: Int { facts.index }

    func assignObjectID(_ row: Int, promised: Int64 = 0) { work.objectIDs[row] = ids.assign(promised: promised) }

    /// Takes back the objectIDs of the new rows, which nothing has used: they will be identified again.
    func takeBackObjectIDs() {
        if let first = round.new.first { ids.takeBack(from: work.objectIDs[first]) }
    }

    func appendKey(_ row: Int, _ section: EntityRecords, _ arena: Arena) {
        unsafe facts.withIdentifier(of: row, section) { cells in unsafe keys.append(cells, number: row, arena.base) }
    }

    func remember(_ row: Int, _ section: EntityRecords, _ arena: Arena) {
        ids.remember(work.objectIDs[row], row, section, arena)
    }
}
