import SluiceRecords

/// Deletes objects of one entity, or marks them as deleted where the entity has it so, and counts them.
struct ObjectRemoval {
    private let loader: EntityLoader

    init(_ loader: EntityLoader) { self.loader = loader }

    /// Whether objects are marked instead of deleted.
    var marks: Bool { loader.entity.absent == .mark }

    /// Marks objects as deleted. Returns those that were not marked before.
    func mark(_ objectIDs: [Int64]) throws(Failure) -> [Int64] {
        try countBefore()
        let marked = try loader.store.mark(objectIDs, entity: loader.index)
        loader.tally.add(marked.count, to: \.deleted)
        return marked
    }

    /// Deletes those of the objects that are there. Returns the row of each in the batch's section, which has their
    /// identifiers; the batch is reset for them.
    func delete(_ objectIDs: [Int64], _ batch: RecordBatch) throws(Failure) -> [Int64: Int] {
        try countBefore()
        batch.reset()
        let (section, work) = (batch.sections[loader.index], loader.work)
        try loader.store.appendIdentifiers(of: objectIDs, entity: loader.index, section, batch, work)
        var rows: [Int64: Int] = [:]
        for row in 0..<section.count {
            rows[work.objectIDs[row]] = row
            _ = loader.states.deleted.insert(work.objectIDs[row])
            loader.tally.changes.noteCertain(work.objectIDs[row])
            loader.ids.remove(row, section, batch.arena)
        }
        // Of those that a record said were gone before any made them, there is no row.
        try loader.store.delete((0..<section.count).map { work.objectIDs[$0] }, entity: loader.index)
        // What this run has made as well was never there.
        let made = (0..<section.count).count { work.objectIDs[$0] > loader.facts.highestAtStart }
        loader.tally.add(section.count - made, to: \.deleted)
        return rows
    }

    /// Counts the objects before the run, of which those that go are a share, when the first ones go.
    private func countBefore() throws(Failure) {
        if loader.tally.countBefore != nil { return }
        loader.tally.countBefore = try loader.store.objectCount(
            entity: loader.index, upTo: loader.facts.highestAtStart)
    }
}
