import SluiceRecords

/// Deletes the stubs of earlier runs that nothing refers to any more, where the entity says so, when all references are
/// settled. A stub of this run has a reference that made it; and as a stub refers to nothing itself, none of another
/// goes with it. Where objects are marked instead, a stub to which a reference leads again loses its mark.
struct OrphanPass {
    private let state: EntityState

    init(_ state: EntityState) { self.state = state }

    func run(_ batch: RecordBatch) throws(Failure) {
        guard state.entity.absence.orphans.areDeleted else { return }
        try state.objects.stubs.earlier.inChunks(of: LoadContext.chunk) { chunk throws(Failure) in
            // A stub that a record has completed, or called gone, is no longer a stub.
            let stubs = chunk.filter {
                !state.objects.isDescribed($0) && !state.objects.deletions.gone.contains($0)
                    && !state.objects.deletions.deleted.contains($0)
            }
            let orphans = try state.store.unreferenced(stubs, entity: state.index)
            // An object that a rejected record names is in the feed, and stays.
            let gone = orphans.filter { state.objects.presence(of: $0) == .absent && state.mayGo($0) }
            if !gone.isEmpty {
                let removal = ObjectRemoval(state)
                if removal.marks { try removal.mark(gone, batch) } else { _ = try removal.delete(gone, batch) }
            }
            if state.entity.marksAbsent { try unmark(stubs, except: orphans) }
        }
    }

    private func unmark(_ stubs: [Int64], except orphans: [Int64]) throws(Failure) {
        let orphans = Set(orphans)
        let referenced = stubs.filter { !orphans.contains($0) }
        if referenced.isEmpty { return }
        let returned = try state.store.unmark(referenced, entity: state.index)
        for objectID in returned { state.tally.insertRestated(objectID) }
    }
}
