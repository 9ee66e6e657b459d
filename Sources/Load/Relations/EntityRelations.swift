import SluiceRecords

/// The relationships of one entity's rows: which references are resolved, which wait, and how they count.
final class EntityRelations {
    let state: EntityState
    /// Of the rows that are resolved at the moment.
    let work: RowWork
    let objects: ObjectWriter
    let toOne: [(relationship: Int, references: ToOneReferences)]
    let toMany: [(relationship: Int, links: ToManyReferences)]
    /// By relationship: whether targets that are not there yet may be promised their objectIDs.
    var promising: [Bool] = []
    /// By row of the round: which of the relationships refer to a promised target, as bits.
    var promises: [UInt64] = []
    let store: ReferenceStore
    let stubs: StubDescriptions
    /// Links of new objects, which are written together.
    var newLinks: [SourceLink] = []

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
        store = ReferenceStore(state, work, toMany)
        stubs = StubDescriptions(state, work, toMany, all: all)
    }

    /// All that find targets, with their relationships.
    var finders: [(relationship: Int, finder: TargetFinder)] {
        toOne.map { ($0.relationship, $0.references.finder) } + toMany.map { ($0.relationship, $0.links.finder) }
    }

    /// Begins with the rows of a section.
    func startRound(_ section: EntityRecords) {
        for (_, links) in toMany { links.startRound(section.count) }
        for (_, finder) in finders { finder.forgetLookUps() }
        promises.removeAll(keepingCapacity: true)
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
    private func isPending(_ row: Int) -> Bool {
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

    // MARK: New objects

    /// Settles what is known of the relationships of new objects, and lets the rest wait.
    func settleNew(_ rows: [Int], _ section: EntityRecords, _ batch: RecordBatch) throws(Failure) {
        if rows.isEmpty || state.entity.relationships.isEmpty { return }
        let (references, count) = (work.references, work.relationshipCount)
        for (relationship, _) in toOne {
            var (resolved, null) = (0, 0)
            for row in rows {
                let reference = references[row * count + relationship]
                if reference.isKnown { resolved += 1 } else if reference != .pending { null += 1 }
            }
            // Promised references are counted when their targets come.
            if !promises.isEmpty { resolved -= rows.count { isPromised($0, relationship) } }
            state.tally.count(resolved: resolved, null: null, relationship)
        }
        for (relationship, links) in toMany { try settleNew(rows, relationship, links) }
        let pending = pendingRows(rows)
        for row in pending { try spool(row, section, batch, isPromised(row) ? .promised : .created) }
        if promises.isEmpty { return }
        for row in pending { promises[row] = 0 }
        try spoolPromised(rows.filter { promises[$0] != 0 }, section, batch)
    }

    /// Writes the links of new objects that are known, all of an object or none.
    private func settleNew(_ rows: [Int], _ relationship: Int, _ links: ToManyReferences) throws(Failure) {
        // Here, and not in the property: access to it would be checked for each row.
        var newLinks: [SourceLink] = []
        swap(&newLinks, &self.newLinks)
        defer { swap(&newLinks, &self.newLinks) }
        newLinks.removeAll(keepingCapacity: true)
        let objectIDs = work.objectIDs
        for row in rows where links.state(row) != .pending {
            let added = links.appendLinks(row, of: objectIDs[row], to: &newLinks)
            // Promised references are counted when their targets come.
            if isPromised(row, relationship) {
                state.tally.notePromised(isPending(row) ? 0 : added, relationship)
            } else {
                state.tally.count(HeldReferences(links: added), relationship)
            }
        }
        if newLinks.isEmpty { return }
        try store.insert(newLinks, relationship)
    }

    // MARK: The spool

    /// Lets the pending references of a row wait for the second pass; of a duplicate, all of them.
    func spool(
        _ row: Int, _ section: EntityRecords, _ batch: RecordBatch, _ outcome: RowOutcome
    ) throws(Failure) {
        let promises = promises.isEmpty ? 0 : promises[row]
        if outcome != .duplicate {
            notePending(row)
            hideSettled(row, section, promises)
        }
        if outcome == .promised { markPromises(row, promises) }
        try state.spools.madeReferences.append(row, section, batch, outcome: outcome, work: work)
    }

    /// Notes, where references may be nullified or objects deleted, the references that are not counted before the
    /// second pass.
    private func notePending(_ row: Int) {
        guard state.facts.mayNullifyAny || state.facts.hasDeletions else { return }
        let objectID = work.objectIDs[row]
        for (relationship, _) in toOne where reference(row, relationship) == .pending {
            state.tally.leavePending(objectID, relationship)
        }
        for (relationship, links) in toMany where links.state(row) == .pending {
            state.tally.leavePending(objectID, relationship)
        }
    }

    /// Marks the keys of settled references absent, so that the second pass leaves them alone.
    ///
    /// - Parameter promises: the relationships that refer to a promised target, as bits.
    func hideSettled(_ row: Int, _ section: EntityRecords, _ promises: UInt64) {
        // By index: a copy of the elements for each row would cost more than all else here.
        for index in toOne.indices {
            let relationship = toOne[index].relationship
            if reference(row, relationship) == .pending || promises >> UInt64(relationship) & 1 == 1 { continue }
            toOne[index].references.hide(row, section)
        }
        for index in toMany.indices where toMany[index].links.state(row) != .pending {
            if promises >> UInt64(toMany[index].relationship) & 1 == 1 { continue }
            toMany[index].links.hide(row, section)
        }
    }
}
