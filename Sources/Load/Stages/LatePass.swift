import SluiceRecords

/// Links references that wait since earlier runs, where this run has brought the target: those of objects without a
/// record in this run, and those that the record does not state.
struct LatePass {
    private let relations: EntityRelations
    private let waiting: WaitingReferences
    private let context: LoadContext
    /// Whether the store is as the last run that succeeded left it: then no waiting reference had a target before this
    /// run.
    private let isStoreAsLeft: Bool

    /// - Parameter isStoreAsLeft: false also where that is not known: a run that failed has saved batches, or a program
    ///   has written objects.
    init(_ relations: EntityRelations, _ context: LoadContext, isStoreAsLeft: Bool) {
        self.context = context
        self.isStoreAsLeft = isStoreAsLeft
        self.relations = relations
        waiting = WaitingReferences(relations: relations)
    }

    private var state: EntityState { relations.state }
    private var work: RowScratch { relations.work }

    func link(_ batch: RecordBatch) throws(Failure) {
        for references in relations.all where state.objects.waiting[references.relationship].count > 0 {
            let (relationship, finder) = (references.relationship, references.finder)
            // Without new objects there are no new targets.
            let isGained = finder.targetsGained || !isStoreAsLeft || state.store.hasObjectsOfOthers
            if isGained || state.spools.silentPositions != nil || state.objects.nullified.contains(relationship) {
                try link(relationship, finder, batch)
            }
        }
    }

    private func link(_ relationship: Int, _ finder: TargetFinder, _ batch: RecordBatch) throws(Failure) {
        try waiting.forEachBatch(
            relationship, ofThisRun: false, batch, limit: context.batchSize
        ) { section, positions throws(Failure) in
            try link(relationship, finder, positions, section, batch)
            context.cacheLimit.evictIfOverLimit()
        }
    }

    private func link(
        _ relationship: Int, _ finder: TargetFinder, _ positions: [Int64], _ section: EntityRecords,
        _ batch: RecordBatch
    ) throws(Failure) {
        // References that a record of this run states were resolved with the record.
        let rows = (0..<section.count).filter { row in
            let objectID = work.objectIDs[row]
            return state.tally.isOpen(objectID, relationship) || !state.objects.isDescribed(objectID)
        }
        let references = try waiting.resolve(
            rows, relationship, finder, section, batch.arena, among: .all)
        let found = zip(rows, references).filter { $0.1.isKnown }.map { Found(row: $0, reference: $1) }
        if found.isEmpty { return }
        let linked = try withoutChosen(found, relationship)
        if state.traits.areToMany[relationship] {
            try addLinks(linked, relationship, positions, section, batch.arena)
        } else {
            try setReferences(linked, relationship, section, batch)
        }
        let settled = found.map { SettledWaitingReference(objectID: objectID($0), position: positions[$0.row]) }
        try state.store.stopWaiting(settled, entity: state.index, relationship: relationship)
        // What the items of this run say of how many references these objects hold was recorded before.
        for entry in linked where state.objects.isOfThisRun(objectID(entry)) {
            state.objects.known.recordToRead(objectID(entry))
        }
        // References of objects of this run count when the run closes.
        for entry in linked where !state.tally.isOpen(objectID(entry), relationship) {
            state.tally.countLate(relationship)
        }
    }

    /// A row of the waiting list whose target is there.
    private struct Found {
        var row: Int
        var reference: Reference
    }

    private func objectID(_ found: Found) -> Int64 { work.objectIDs[found.row] }

    /// Whether programs decide what an object refers to: a program has created it, and no feed has held it.
    private func isOfPrograms(_ objectID: Int64) -> Bool {
        state.entity.isOfPrograms || state.objects.edits.created.contains(objectID)
    }

    /// Leaves out the objects of programs for which a program has chosen another target since, or which it has deleted.
    private func withoutChosen(_ found: [Found], _ relationship: Int) throws(Failure) -> [Found] {
        let ofPrograms = Set(found.map(objectID).filter(isOfPrograms))
        if ofPrograms.isEmpty { return found }
        let reference = state.traits.areToMany[relationship] ? nil : relationship
        var free: Set<Int64> = []
        try state.store.objects(ofPrograms.sorted(), entity: state.index, within: reference) {
            if $1 == 0 { free.insert($0) }
        }
        return found.filter { !ofPrograms.contains(objectID($0)) || free.contains(objectID($0)) }
    }

    private func setReferences(
        _ found: [Found], _ relationship: Int, _ section: EntityRecords, _ batch: RecordBatch
    ) throws(Failure) {
        for entry in found {
            let place = entry.row * work.relationshipCount + relationship
            work.stored[place] = .null
            work.references[place] = entry.reference
            relations.markDifferent(entry.row, relationship)
        }
        // No record of this run states these references, so no places are recorded.
        try relations.writer.update(found.map(\.row), section, batch.arena, areRecorded: true)
    }

    /// Adds links, unless an object has one: two values may name one target, and a set holds it once, at its first
    /// position; a list holds one at each. What a program has put there stays.
    private func addLinks(
        _ found: [Found], _ relationship: Int, _ positions: [Int64], _ section: EntityRecords, _ arena: Arena
    ) throws(Failure) {
        guard let values = relations.references.values(relationship) else { return }
        let definition = state.entity.relationships[relationship]
        let first = state.traits.layout.valueStart(definition, at: relationship)
        var objectIDs: [Int64] = []
        for entry in found where objectIDs.last != objectID(entry) { objectIDs.append(objectID(entry)) }
        let held = try relations.references.links(objectIDs, relationship)
        var links = held
        for entry in found {
            let cells = values.columns.indices.map { section.typed[entry.row * section.width + first + $0] }
            let number = values.isEmpty ? 0 : values.number(of: cells, arena)
            let link = Link(reference: entry.reference, position: positions[entry.row], values: number)
            links[objectID(entry), default: []].add(
                link, isSet: definition.isSet, keeping: isOfPrograms(objectID(entry)) ? held[objectID(entry)] ?? [] : []
            )
        }
        let changed = objectIDs.map { objectID in
            ReferenceStore.ChangedLinks(
                objectID: objectID, held: held[objectID] ?? [], links: links[objectID] ?? [])
        }
        try relations.references.write(changed, relationship)
    }
}

extension [Link] {
    /// Adds a link; to a set that has one to its target, the one that comes first; to a list, in the place of one at
    /// its position. Some links stay as they are.
    fileprivate mutating func add(_ link: Link, isSet: Bool, keeping kept: [Link]) {
        let isSame = { (other: Link) in
            isSet ? other.reference == link.reference : other.position == link.position
        }
        guard let place = firstIndex(where: isSame) else { return append(link) }
        if kept.contains(where: isSame) { return }
        if !isSet || link.position < self[place].position { self[place] = link }
    }
}
