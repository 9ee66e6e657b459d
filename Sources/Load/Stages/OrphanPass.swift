import SluiceRecords

/// Deletes the stubs of earlier runs that nothing refers to any more, where the entity says so, when all references are
/// settled. A stub of this run has a reference that made it; and as a stub refers to nothing itself, none of another goes
/// with it.
struct OrphanPass {
    /// Objects that are looked at together.
    private static let chunkSize = 1000

    private let state: EntityState

    init(_ state: EntityState) { self.state = state }

    func run(_ batch: RecordBatch) throws(Failure) {
        guard state.entity.orphans == .delete else { return }
        try state.objects.stubs.inChunks(of: OrphanPass.chunkSize) { chunk throws(Failure) in
            // What a record has completed is no stub; what a rejected one names is in the feed.
            let left = chunk.filter {
                !state.objects.isPresent($0) && !state.objects.deleted.contains($0)
                    && !state.objects.edited.contains($0)
            }
            let orphans = try state.store.unreferenced(left, entity: state.index)
            if !orphans.isEmpty { try remove(orphans, batch) }
        }
    }

    private func remove(_ objectIDs: [Int64], _ batch: RecordBatch) throws(Failure) {
        let removal = ObjectRemoval(state)
        if removal.marks {
            for objectID in try removal.mark(objectIDs) { state.tally.changes.noteCertain(objectID) }
        } else {
            _ = try removal.delete(objectIDs, batch)
        }
    }
}
