import SluiceRecords

/// The second pass over the references of one entity that waited: no further targets come.
final class LinkPass {
    private let relations: EntityRelations
    private let linked: LinkedReferences
    private let duplicates: Duplicates

    init(_ relations: EntityRelations, _ duplicates: Duplicates, _ context: LoadContext) {
        self.relations = relations
        linked = LinkedReferences(relations: relations, sink: context.sink)
        self.duplicates = duplicates
    }

    private var state: EntityState { relations.state }
    private var work: RowScratch { relations.work }

    /// Links the rows of a batch.
    func link(_ rows: [RowSpool.ReadRow], _ batch: RecordBatch) throws(Failure) {
        let section = batch.sections[state.index]
        var (created, others): ([Int], [RowSpool.ReadRow]) = ([], [])
        for entry in rows {
            if state.objects.isNotThere(work.objectIDs[entry.row]) {
                if entry.fate == .duplicate { try duplicates.add(entry.row, section, batch) }
            } else if entry.fate == .created || entry.fate == .promised {
                created.append(entry.row)
            } else {
                others.append(entry)
            }
        }
        relations.startRound(section)
        try relations.resolve(created + others.map(\.row), section, batch, among: .all)
        // An object is created before its duplicates are met, so these may come second; among them, order counts.
        try linkCreated(created, section, batch)
        for round in rounds(others) { try link(round, section, batch) }
    }

    /// The rows in rounds, with each object once in a round: a copy is compared with what the one before has left.
    private func rounds(_ others: [RowSpool.ReadRow]) -> [[RowSpool.ReadRow]] {
        var rounds: [[RowSpool.ReadRow]] = []
        var next: [Int64: Int] = [:]
        for other in others {
            let round = next[work.objectIDs[other.row], default: 0]
            if round == rounds.count { rounds.append([]) }
            rounds[round].append(other)
            next[work.objectIDs[other.row]] = round + 1
        }
        return rounds
    }

    // MARK: Objects that were created from the rows

    private func linkCreated(_ rows: [Int], _ section: EntityRecords, _ batch: RecordBatch) throws(Failure) {
        if rows.isEmpty { return }
        let promises = rows.map(relations.promises.removeColumns)
        for references in relations.all { try linkCreated(rows, promises, references, section, batch) }
        try relations.writer.update(rows, section, batch.arena, areRecorded: true)
    }

    private func linkCreated(
        _ rows: [Int], _ promises: [UInt64], _ references: any RelationshipReferences, _ section: EntityRecords,
        _ batch: RecordBatch
    ) throws(Failure) {
        let relationship = references.relationship
        var (changed, entries): ([ReferenceStore.ChangedLinks], [NewWaitingReference]) = ([], [])
        for (row, promises) in zip(rows, promises) where references.state(row) != .unstated {
            let links = references.links(row)
            let unresolved = references.unresolved(row, section, batch.arena)
            linked.count(row, relationship, links: links.count, unresolved, section, batch, &entries)
            let isWritten = promises >> UInt64(relationship) & 1 == 1
            // What was written with promises is complete, except for the broken promises.
            let held = isWritten ? links + references.brokenPromises(row, section, batch.arena) : []
            if state.traits.areToMany[relationship] {
                changed.append(.init(objectID: work.objectIDs[row], held: held, links: links))
            } else if held != links {
                relations.markDifferent(row, relationship)
            }
        }
        try relations.references.write(changed, relationship)
        try state.store.wait(entries, entity: state.index, relationship: relationship)
    }

    // MARK: Others: their object was there, or they are later copies

    /// Compares with what the objects hold by now.
    private func link(_ round: [RowSpool.ReadRow], _ section: EntityRecords, _ batch: RecordBatch) throws(Failure) {
        let rows = round.map(\.row)
        let attributeDifferences = rows.map(work.columnSet)
        for row in rows { work.clearDifferences(row) }
        try sendReads(round)
        try state.store.loadReferences(of: rows, section, work)
        var differing: [(row: Int, relationship: Int)] = []
        var changed: Set<Int> = []
        for references in relations.all {
            let outcome = try link(round, references, section, batch)
            differing += outcome.differing.map { ($0, references.relationship) }
            changed.formUnion(outcome.written)
        }
        try relations.writer.update(round.filter(isApplied).map(\.row), section, batch.arena)
        changed.formUnion(differing.map(\.row))
        try relations.writer.recordPlaces(
            round.filter { changed.contains($0.row) && isApplied($0) }.map(\.row), section)
        for (other, attributes) in zip(round, attributeDifferences) where other.fate == .duplicate {
            work.clearDifferences(other.row)
            for column in attributes.columns { work.setDifferent(other.row, column: column) }
        }
        for (row, relationship) in differing { relations.markDifferent(row, relationship) }
        for other in round where other.fate == .duplicate { try duplicates.add(other.row, section, batch) }
    }

    /// Sends the reads of a round's objects.
    private func sendReads(_ round: [RowSpool.ReadRow]) throws(Failure) {
        let entity = state.index
        var reads = [ObjectRead.references(entity: entity, objectIDs: round.map { work.objectIDs[$0.row] })]
        for references in relations.all {
            let relationship = references.relationship
            let stating = round.filter { references.state($0.row) != .unstated }
            let waiting = waiting(stating, relationship)
            if !waiting.isEmpty {
                reads.append(.waits(entity: entity, relationship: relationship, objectIDs: waiting))
            }
            if stating.isEmpty || !state.traits.areToMany[relationship] { continue }
            let objectIDs = stating.map { work.objectIDs[$0.row] }
            reads.append(.links(entity: entity, relationship: relationship, objectIDs: objectIDs))
        }
        try state.store.queryAheadStore?.send(reads)
    }

    /// Whether a row counts: of duplicates, only where the last one does.
    private func isApplied(_ other: RowSpool.ReadRow) -> Bool {
        other.fate != .duplicate || state.entity.duplicates.lastCounts
    }

    /// Settles what each row states by a relationship. Returns the rows whose object held something else, or waited for
    /// other values; and those whose links are written, be it only because what the object waited for has come. The
    /// object may wait for a target that is there by now: one that this run has deleted and created again.
    private func link(
        _ round: [RowSpool.ReadRow], _ references: any RelationshipReferences, _ section: EntityRecords,
        _ batch: RecordBatch
    ) throws(Failure) -> (differing: [Int], written: [Int]) {
        let relationship = references.relationship
        let definition = state.entity.relationships[relationship]
        let stating = round.filter { references.state($0.row) != .unstated }
        let waits = try relations.references.waits(waiting(stating, relationship), relationship)
        let stored = try storedLinks(stating.map(\.row), relationship)
        var changes = LinkedReferences.WaitingChanges()
        var changed: [ReferenceStore.ChangedLinks] = []
        var (differing, written): ([Int], [Int]) = ([], [])
        for other in stating {
            let (row, objectID) = (other.row, work.objectIDs[other.row])
            let (held, waited) = (stored[objectID] ?? [], waits[objectID] ?? [])
            let (links, unresolved) = (references.links(row), references.unresolved(row, section, batch.arena))
            if isApplied(other) {
                changed.append(.init(objectID: objectID, held: held, links: links))
                let before = HeldReferences(links: held.count, unresolved: waited.count)
                if other.fate == .duplicate { state.tally.reopen(objectID, relationship, before) }
                changes.end(waited, unresolved, objectID)
                linked.count(row, relationship, links: links.count, unresolved, section, batch, &changes.entries)
            }
            if !LinkChange(objectID, from: held, to: links, isSet: definition.isSet).isEmpty {
                // A to-one reference is a column, and is written with its object.
                if definition.isMany { written.append(row) } else { relations.markDifferent(row, relationship) }
            }
            let come = references.found(waited, row, section, batch.arena)
            let known = LinkChange(objectID, from: held + come.map(\.link), to: links, isSet: definition.isSet)
            let open = waited.filter { waiting in !come.contains { $0.position == waiting.position } }
            if !known.isEmpty || !references.areSame(open, unresolved) { differing.append(row) }
        }
        if definition.isMany { try relations.references.write(changed, relationship) }
        try linked.write(changes, relationship)
        return (differing, written)
    }

    /// What the objects of rows hold by a relationship.
    private func storedLinks(_ rows: [Int], _ relationship: Int) throws(Failure) -> [Int64: [Link]] {
        if state.traits.areToMany[relationship] {
            return try relations.references.links(rows.map { work.objectIDs[$0] }, relationship)
        }
        let known = rows.filter { relations.stored($0, relationship).isKnown }
        let links = known.map { [Link(reference: relations.stored($0, relationship), position: 0)] }
        return Dictionary(uniqueKeysWithValues: zip(known.map { work.objectIDs[$0] }, links))
    }

    /// The objects of rows that may wait: before the first record of one is linked, it is known whether it does.
    private func waiting(_ others: [RowSpool.ReadRow], _ relationship: Int) -> [Int64] {
        let waiting = state.objects.waiting[relationship]
        return others.map { ($0.fate, work.objectIDs[$0.row]) }
            .filter { $0.0 == .duplicate || waiting.contains($0.1) }.map(\.1)
    }
}
