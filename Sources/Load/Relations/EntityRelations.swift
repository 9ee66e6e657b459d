import SluiceRecords

/// The relationships of one entity's rows: finds the targets of their references. What has a state of its own is a
/// part: references to promised targets, those that the store holds, and what is said of stubs.
final class EntityRelations {
    let state: EntityState
    /// Of the rows that are resolved at the moment.
    let work: RowScratch
    let writer: ObjectWriter
    let toOne: [(relationship: Int, references: ToOneReferences)]
    let toMany: [(relationship: Int, links: ToManyReferences)]
    /// Both.
    let all: [any RelationshipReferences]
    /// By relationship: its place among these.
    private let places: [Int]
    let promises: PromisedReferences
    let references: ReferenceStore
    let stubs: StubDescriptions

    init(_ state: EntityState, _ work: RowScratch, all states: [EntityState]) {
        self.state = state
        self.work = work
        writer = ObjectWriter(state, work)
        let relationships = state.entity.relationships
        toOne = relationships.indices.filter { !relationships[$0].isMany }.map {
            ($0, ToOneReferences(state, work, relationship: $0, all: states))
        }
        toMany = relationships.indices.filter { relationships[$0].isMany }.map {
            ($0, ToManyReferences(state, relationship: $0, all: states))
        }
        all = toOne.map(\.references) + toMany.map(\.links)
        var places = relationships.map { _ in 0 }
        for (place, references) in all.enumerated() { places[references.relationship] = place }
        self.places = places
        promises = PromisedReferences(state, work, toOne, toMany, all)
        references = ReferenceStore(state, work, toMany)
        stubs = StubDescriptions(state, all, all: states)
    }

    /// Begins with the rows of a section.
    func startRound(_ section: EntityRecords) {
        for (_, links) in toMany { links.startRound(section.count) }
        forgetLookUps()
        promises.startRound()
    }

    /// Resolves the references of rows. The store is queried for those of all relationships before the first answer is
    /// waited for.
    func resolve(
        _ rows: [Int], _ section: EntityRecords, _ batch: RecordBatch, among scope: TargetScope
    ) throws(Failure) {
        guard !rows.isEmpty else { return }
        for references in all { try references.beginResolving(rows, section, batch, among: scope) }
        for references in all { try references.finishResolving(rows, section, batch, among: scope) }
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
        for references in all where state.traits.mayNullify[references.relationship] && references.finder.isSearched {
            for row in rows { references.postpone(row) }
        }
    }

    /// Forgets what was found since the round began.
    func forgetLookUps() { for references in all { references.finder.forgetLookUps() } }

    /// What rows state by a relationship.
    subscript(relationship: Int) -> any RelationshipReferences { all[places[relationship]] }

    /// Of the relationships that create missing targets and of which a row says something: the identifiers of those
    /// that are missing. The row is resolved among all objects.
    func missingKeys(
        _ row: Int, _ section: EntityRecords
    ) -> [(relationship: Int, keys: [(target: EntityState, cells: [Cell])])] {
        all.filter { state.traits.isStub($0.relationship) && $0.state(row) != .unstated }.map {
            ($0.relationship, $0.missingKeys(row, section))
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
