import SluiceRecords

/// The relationships of one entity's rows: finds the targets of their references. What has a state of its own is a
/// part: references to promised targets, those that the store holds, and what is said of stubs.
final class EntityRelations {
    let state: EntityState
    /// Of the rows that are resolved at the moment.
    let work: RowWork
    let objects: ObjectWriter
    let toOne: [(relationship: Int, references: ToOneReferences)]
    let toMany: [(relationship: Int, links: ToManyReferences)]
    /// All that find targets, with their relationships.
    let finders: [(relationship: Int, finder: TargetFinder)]
    let promises: PromisedReferences
    let store: ReferenceStore
    let stubs: StubDescriptions

    init(_ state: EntityState, _ work: RowWork, all: [EntityState]) {
        self.state = state
        self.work = work
        objects = ObjectWriter(state, work)
        let relationships = state.entity.relationships
        toOne = relationships.indices.filter { !relationships[$0].isMany }.map {
            ($0, ToOneReferences(state, work, relationship: $0, all: all))
        }
        toMany = relationships.indices.filter { relationships[$0].isMany }.map {
            ($0, ToManyReferences(state, relationship: $0, all: all))
        }
        let searched = toOne.map { ($0.relationship, $0.references.finder) }
        finders = searched + toMany.map { ($0.relationship, $0.links.finder) }
        promises = PromisedReferences(state, work, toOne, toMany, finders)
        store = ReferenceStore(state, work, toMany)
        stubs = StubDescriptions(state, work, toMany, all: all)
    }

    /// Begins with the rows of a section.
    func startRound(_ section: EntityRecords) {
        for (_, links) in toMany { links.startRound(section.count) }
        for (_, finder) in finders { finder.forgetLookUps() }
        promises.startRound()
    }

    /// Resolves the references of rows. The store is queried for those of all relationships before the first answer is
    /// waited for.
    func resolve(
        _ rows: [Int], _ section: EntityRecords, _ batch: RecordBatch, among known: KnownObjects
    ) throws(Failure) {
        guard !rows.isEmpty else { return }
        for (_, references) in toOne { try references.beginResolving(rows, section, batch.arena, among: known) }
        for (_, links) in toMany { try links.beginResolving(rows, section, batch, among: known) }
        for (_, references) in toOne { try references.finishResolving(rows, section, batch.arena, among: known) }
        for (_, links) in toMany { try links.finishResolving(batch, among: known) }
    }

    /// Resolves rows as if no further objects came: a target of any of the possible entities counts.
    func resolveAmongAll(_ rows: [Int], _ section: EntityRecords, _ batch: RecordBatch) throws(Failure) {
        startRound(section)
        try resolve(rows, section, batch, among: .all)
    }

    /// Leaves references for the second pass that are searched in several entities, and whose targets may still be
    /// deleted: a nullified reference then waits for the values in its record, which do not follow from the target's
    /// identifier.
    func postponeSearched(_ rows: [Int]) {
        for (relationship, references) in toOne
        where state.facts.mayNullify[relationship] && references.finder.isSearched {
            for row in rows where reference(row, relationship).isKnown {
                work.references[row * work.relationshipCount + relationship] = .pending
            }
        }
        for (relationship, links) in toMany where state.facts.mayNullify[relationship] && links.finder.isSearched {
            for row in rows where links.state(row) == .settled { links.postpone(row) }
        }
    }

    @inline(__always)
    func reference(_ row: Int, _ relationship: Int) -> Reference {
        work.references[row * work.relationshipCount + relationship]
    }

    @inline(__always)
    func stored(_ row: Int, _ relationship: Int) -> Reference {
        work.stored[row * work.relationshipCount + relationship]
    }

    /// How many of the rows have a pending reference.
    func pendingCount(_ rows: [Int]) -> Int { pendingRows(rows).count }

    /// The rows with a pending reference.
    func pendingRows(_ rows: [Int]) -> [Int] { rows.filter(isPending) }

    /// Whether a row has a pending reference.
    func isPending(_ row: Int) -> Bool {
        let (references, count) = (work.references, work.relationshipCount)
        for (relationship, _) in toOne where references[row * count + relationship] == .pending {
            return true
        }
        for (_, links) in toMany where links.state(row) == .pending { return true }
        return false
    }

    func markDifferent(_ row: Int, _ relationship: Int) {
        work.setDifferent(row, column: work.attributeCount + relationship)
    }
}
