import SluiceRecords

/// Deletes, between the two passes, the objects that are gone: those that the feed lacks (`absent`), those whose record
/// says so (`deleteWhere`), and those that cannot be without them (`onDelete: cascade`). With `absent: mark`, they are
/// marked instead.
///
/// The first pass has resolved references to objects that are deleted now. These references are nullified, and wait
/// from then on; those that a record of this run states are resolved again with all others that wait (`LatePass`).
final class DeletionPass {
    private let model: Model
    private let states: [EntityState]
    private let relations: [EntityRelations]
    private let store: any ObjectStore
    private let cacheLimit: CacheLimit
    /// The objects that are deleted.
    private let batch: RecordBatch
    /// A buffer for all other reads.
    private let reading: RecordBatch
    /// By entity: the objects to delete.
    private let toDelete: [ObjectIDSet]
    /// Chunks of objects that are still to be deleted, with their entity.
    private var queue: [(entity: Int, objectIDs: [Int64])] = []
    /// By entity: objects of which a reference was nullified, and that have a record in this run, or may have one among
    /// the candidates.
    private let nullified: [ObjectIDSet]

    init(_ relations: [EntityRelations], _ context: LoadContext) {
        model = context.model
        cacheLimit = context.cacheLimit
        self.relations = relations
        store = context.store
        states = relations.map(\.state)
        batch = RecordBatch(model: model)
        reading = RecordBatch(model: model)
        toDelete = model.entities.map { _ in ObjectIDSet() }
        nullified = model.entities.map { _ in ObjectIDSet() }
    }

    func run() throws(Failure) {
        for state in states { try findObjectsToDelete(state) }
        for state in states where state.traits.hasDeletions && marks(state.index) { try updateMarks(state) }
        for entity in toDelete.indices { try reopenDeleted(entity) }
        for entity in toDelete.indices {
            try toDelete[entity].inChunks(of: LoadContext.chunk) { chunk throws(Failure) in
                try remove(chunk, entity)
            }
        }
        while let (entity, objectIDs) = queue.popLast() { try remove(objectIDs, entity) }
    }

    private func marks(_ entity: Int) -> Bool { model.entities[entity].marksAbsent }

    // MARK: What goes

    private func findObjectsToDelete(_ state: EntityState) throws(Failure) {
        let toDelete = toDelete[state.index]
        toDelete.formUnion(state.objects.deletions.gone)
        guard state.traits.looksForAbsent else { return }
        let entity = state.entity
        let owners = entity.absence.within.map { states[entity.relationships[$0].targets[0].entity].objects }
        try visitAbsent(state) { objectID, owner in
            switch state.objects.presence(of: objectID, owner: owner, in: owners) {
            case .held, .onlyReferenced, .outOfBounds: break
            case .unknown:
                // What a program has changed stays for that reason.
                let isEdited = !marks(state.index) && state.objects.edits.contains(objectID)
                if !isEdited { state.tally.add(to: \.keptAbsent) }
            case .absent: if state.mayGo(objectID) { toDelete.insert(objectID) }
            }
        }
    }

    /// Hands out the objects of earlier runs, but for those with a record in this run where these are nearly all: then
    /// only the others are read.
    private func visitAbsent(
        _ state: EntityState, _ body: (_ objectID: Int64, _ reference: Int64) -> Void
    ) throws(Failure) {
        let (index, within, highest) = (state.index, state.entity.absence.within, state.traits.highestAtStart)
        guard state.objects.absentCount < highest / 8 else {
            return try store.objects(entity: index, upTo: highest, within: within, each: body)
        }
        try state.objects.absentInChunks(of: LoadContext.chunk) { chunk throws(Failure) in
            try store.objects(chunk, entity: index, within: within, each: body)
        }
    }

    /// Takes back the counts of references of objects that a later record of this run deletes.
    private func reopenDeleted(_ entity: Int) throws(Failure) {
        let state = states[entity]
        guard state.traits.hasDeletions, !marks(entity) else { return }
        let deletions = state.objects.deletions
        try deletions.gone.inChunks(of: LoadContext.chunk) { chunk throws(Failure) in
            let described = chunk.filter { deletions.described.contains($0) && !deletions.neverCreated.contains($0) }
            for relationship in state.entity.relationships.indices {
                try relations[entity].references.reopen(described, relationship, reading)
            }
        }
    }

    /// Where records may say that objects are gone, and these are marked: removes the mark of objects whose last record
    /// describes them, and inserts those whose mark changes among the changed ones.
    private func updateMarks(_ state: EntityState) throws(Failure) {
        let (deletions, tally, work) = (state.objects.deletions, state.tally, RowScratch(state.entity))
        deletions.gone.inChunks(of: LoadContext.chunk) { chunk in
            for objectID in chunk where !deletions.markedBefore.contains(objectID) {
                tally.changes.insertCertain(objectID)
            }
        }
        let section = batch.sections[state.index]
        try deletions.markedBefore.inChunks(of: LoadContext.chunk) { chunk throws(Failure) in
            batch.reset()
            for objectID in chunk where deletions.described.contains(objectID) && !deletions.gone.contains(objectID) {
                work.setDifferent(work.appendRow(to: section, objectID), column: work.presenceColumn)
                tally.changes.insertCertain(objectID)
            }
            try store.update(Array(0..<section.count), section, batch.arena, work)
        }
    }

    // MARK: Removing

    private func remove(_ objectIDs: [Int64], _ entity: Int) throws(Failure) {
        let removal = ObjectRemoval(states[entity])
        if removal.marks {
            try removal.mark(objectIDs, batch)
            // A stub of which a record says that it is gone is no stub: no reference takes its mark away.
            let stubs = objectIDs.filter(states[entity].objects.stubs.earlier.contains)
            return try store.markStubs(stubs, entity: entity, false)
        }
        let rows = try removal.delete(objectIDs, batch)
        for source in model.entities.indices {
            for (index, relationship) in model.entities[source].relationships.enumerated() {
                for target in relationship.targets.indices where relationship.targets[target].entity == entity {
                    try nullify(objectIDs, rows, Nullified(entity: source, relationship: index, target: target))
                }
            }
        }
    }

    /// By which relationship of which entity references are nullified, and which of its targets they referred to.
    private struct Nullified {
        var entity: Int
        var relationship: Int
        var target: Int
    }

    /// Takes the references to deleted objects away, in portions: an object may have any number of them.
    private func nullify(_ objectIDs: [Int64], _ rows: [Int64: Int], _ references: Nullified) throws(Failure) {
        let relationship = model.entities[references.entity].relationships[references.relationship]
        let target = relationship.targets[references.target].entity
        while true {
            let values = relations[references.entity].references.values(references.relationship)
            values?.reset()
            let referrers = try store.referrers(
                to: objectIDs, target: target, entity: references.entity, relationship: references.relationship, values,
                limit: LoadContext.chunk)
            if referrers.isEmpty { return }
            try relations[references.entity].references.nullify(
                referrers, references.relationship, target: references.target, reading)
            var cascading: [Int64] = []
            var entries: [NewWaitingReference] = []
            for referrer in referrers {
                guard let row = rows[referrer.target] else { continue }
                if try !cascade(referrer, relationship, references.entity, &cascading) {
                    entries.append(wait(referrer, row, references))
                }
            }
            try store.wait(entries, entity: references.entity, relationship: references.relationship)
            if !cascading.isEmpty { queue.append((references.entity, cascading)) }
            // Deleted targets may have become stubs.
            cacheLimit.evictIfOverLimit()
        }
    }

    /// Whether the referring object is deleted as well, for its own reasons or by this cascade.
    private func cascade(
        _ referrer: Referrer, _ relationship: Relationship, _ entity: Int, _ cascading: inout [Int64]
    ) throws(Failure) -> Bool {
        // An object that the feed holds stays: only its reference is nullified.
        if relationship.onDelete.cascades, !states[entity].objects.isPresent(referrer.objectID),
            states[entity].mayGo(referrer.objectID), toDelete[entity].insert(referrer.objectID)
        {
            cascading.append(referrer.objectID)
        }
        return toDelete[entity].contains(referrer.objectID) && !marks(entity)
    }

    /// Lets an object wait for what it referred to.
    private func wait(_ referrer: Referrer, _ row: Int, _ references: Nullified) -> NewWaitingReference {
        let state = states[references.entity]
        let definition = state.entity.relationships[references.relationship]
        let section = batch.sections[definition.targets[references.target].entity]
        let cells = unsafe UnsafePointer(section.typed.base) + row * section.width
        let value = unsafe WaitingValue(cells: cells, target: references.target, definition, model, batch.arena)
        state.objects.waiting[references.relationship].insert(referrer.objectID)
        state.objects.nullified.insert(references.relationship)
        if state.objects.isDescribed(referrer.objectID) || state.traits.hasCandidates {
            nullified[references.entity].insert(referrer.objectID)
        }
        // The position of a record that was not read is not known.
        if state.objects.known.isKnown(referrer.objectID) { state.objects.known.contradict() }
        let with = relations[references.entity].references.values(references.relationship)?.text(referrer.values)
        let waiting = WaitingReference(position: referrer.position, value: value, with: with)
        return NewWaitingReference(objectID: referrer.objectID, waiting: waiting, isMoved: true)
    }

    // MARK: Where it was

    /// Gives the waiting list positions, once candidates are loaded: those of the first records of the objects of this
    /// run with nullified references. Where a later copy states such a reference, the second pass gives the position.
    func positionNullified() throws(Failure) {
        for entity in nullified.indices where !nullified[entity].isEmpty { try positionNullified(entity) }
        for state in states { state.spools.forgetPositions() }
    }

    private func positionNullified(_ entity: Int) throws(Failure) {
        let state = states[entity]
        guard let positions = state.spools.positions else { return }
        let (section, nullified, work) = (batch.sections[entity], nullified[entity], RowScratch(state.entity))
        try positions.forEachBatch(
            of: nullified, section, batch, work: work, limit: LoadContext.chunk
        ) { rows throws(Failure) in
            let found = rows.map(\.row).compactMap { row -> (objectID: Int64, at: FeedPosition)? in
                guard nullified.contains(work.objectIDs[row]) else { return nil }
                return (work.objectIDs[row], FeedPosition(section.positions[row], in: batch.arena))
            }
            for relationship in state.objects.nullified {
                try store.positionWaiting(found, entity: entity, relationship: relationship)
            }
        }
    }
}
