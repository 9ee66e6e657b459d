import SluiceRecords

/// Deletes the stubs of earlier runs that nothing refers to any more, where the entity says so, when all references are
/// settled. A stub of this run has a reference that made it; and as a stub refers to nothing itself, none of another goes
/// with it.
struct OrphanPass {
    /// Objects that are looked at together.
    private static let chunkSize = 1000

    private let loader: EntityLoader

    init(_ loader: EntityLoader) { self.loader = loader }

    func run(_ batch: RecordBatch) throws(Failure) {
        guard loader.entity.orphans == .delete else { return }
        try loader.states.stubs.inChunks(of: OrphanPass.chunkSize) { chunk throws(Failure) in
            // What a record has completed is no stub; what a rejected one names is in the feed.
            let left = chunk.filter {
                !loader.states.isPresent($0) && !loader.states.deleted.contains($0)
                    && !loader.states.edited.contains($0)
            }
            let orphans = try loader.store.unreferenced(left, entity: loader.index)
            if !orphans.isEmpty { try remove(orphans, batch) }
        }
    }

    private func remove(_ objectIDs: [Int64], _ batch: RecordBatch) throws(Failure) {
        let removal = ObjectRemoval(loader)
        if removal.marks {
            for objectID in try removal.mark(objectIDs) { loader.tally.changes.noteCertain(objectID) }
        } else {
            _ = try removal.delete(objectIDs, batch)
        }
    }
}
