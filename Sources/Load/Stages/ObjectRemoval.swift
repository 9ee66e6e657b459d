import SluiceRecords

/// Deletes objects of one entity, or marks them as deleted where the entity has it so, and counts them.
struct ObjectRemoval {
    private let state: EntityState
    private let work: RowScratch

    init(_ state: EntityState) {
        self.state = state
        work = RowScratch(state.entity)
    }

    /// Whether objects are marked instead of deleted.
    var marks: Bool { state.entity.marksAbsent }

    /// Marks objects as deleted. The batch is reset for some of them.
    func mark(_ objectIDs: [Int64], _ batch: RecordBatch) throws(Failure) {
        try state.countBefore()
        let marked = try state.store.mark(objectIDs, entity: state.index)
        for objectID in marked { state.tally.changes.insertMarked(objectID) }
        state.tally.add(marked.count, to: \.deleted)
        let named = Array(marked.sorted().prefix(state.tally.unnamedDeletions))
        if !named.isEmpty { name(try state.readIdentifiers(of: named, batch, work), batch) }
    }

    /// Deletes those of the objects that are there. Returns the row of each in the batch's section, which has their
    /// identifiers; the batch is reset for them.
    func delete(_ objectIDs: [Int64], _ batch: RecordBatch) throws(Failure) -> [Int64: Int] {
        try state.countBefore()
        let section = try state.readIdentifiers(of: objectIDs, batch, work)
        var rows: [Int64: Int] = [:]
        for row in 0..<section.count {
            rows[work.objectIDs[row]] = row
            state.objects.deletions.deleted.insert(work.objectIDs[row])
            state.tally.changes.insertCertain(work.objectIDs[row])
            state.ids.remove(row, section, batch.arena)
        }
        // Objects that a record called gone before any record created them have no row.
        try state.store.delete((0..<section.count).map { work.objectIDs[$0] }, entity: state.index)
        // Objects that this run has created itself do not count as deleted.
        let made = (0..<section.count).count { work.objectIDs[$0] > state.traits.highestAtStart }
        state.tally.add(section.count - made, to: \.deleted)
        name(section, batch)
        return rows
    }

    /// Names the first objects of earlier runs among the rows, in the order of their objectIDs.
    private func name(_ section: EntityRecords, _ batch: RecordBatch) {
        guard state.tally.unnamedDeletions > 0 else { return }
        let rows = (0..<section.count).filter { work.objectIDs[$0] <= state.traits.highestAtStart }
        let first = rows.sorted { work.objectIDs[$0] < work.objectIDs[$1] }.prefix(state.tally.unnamedDeletions)
        state.tally.nameDeleted(first.map { state.traits.identifier(of: $0, section, batch.arena) })
    }
}
