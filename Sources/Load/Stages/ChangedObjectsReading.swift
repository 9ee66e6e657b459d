import SluiceRecords

/// Reads which objects of an entity a run has changed.
struct ChangedObjectsReading {
    /// Objects that are read together.
    private static let chunkSize = 5000

    private let state: EntityState
    private let work: RowScratch
    private var traits: EntityTraits { state.traits }
    private var objects: ObjectStates { state.objects }

    init(_ state: EntityState) {
        self.state = state
        work = RowScratch(state.entity)
    }

    /// Hands out the changed objects; must be called when nothing changes any more. The batch is used as a buffer.
    func forEach(_ batch: RecordBatch, _ body: (ChangedObjects) throws(Failure) -> Void) throws(Failure) {
        let before = traits.highestAtStart
        var runs = ChangedRuns()
        try createdObjects(batch) { objectID throws(Failure) in
            if let objects = runs.add(objectID, .created) { try body(objects) }
        }
        try state.tally.changes.inChunks { chunk throws(Failure) in
            for objectID in chunk where objectID <= before && !objects.deletions.deleted.contains(objectID) {
                if let objects = runs.add(objectID, .updated) { try body(objects) }
            }
        }
        try objects.deletions.deleted.inChunks(of: LoadContext.chunk) { chunk throws(Failure) in
            for objectID in chunk where objectID <= before {
                if let objects = runs.add(objectID, .deleted) { try body(objects) }
            }
        }
        if let objects = runs.open { try body(objects) }
    }

    /// Hands out the objects that this run has made, by their objectIDs: all numbers from the first to the last, unless
    /// some were promised to objects that have not come. Objects that the run has both created and deleted are left
    /// out.
    private func createdObjects(
        _ batch: RecordBatch, _ body: (Int64) throws(Failure) -> Void
    ) throws(Failure) {
        let highest = try state.store.highestObjectID(of: traits.index)
        let numbers = stride(from: traits.highestAtStart + 1, through: highest, by: 1)
        let counts = state.tally.counts
        if numbers.count(where: { !objects.isNotThere($0) }) == counts.created + counts.stubs {
            for objectID in numbers where !objects.isNotThere(objectID) { try body(objectID) }
            return
        }
        var last = traits.highestAtStart
        let section = batch.sections[traits.index]
        while last < highest {
            batch.reset()
            try state.store.appendIdentifiers(
                after: last, upTo: highest, entity: traits.index, limit: ChangedObjectsReading.chunkSize, section,
                batch, work)
            guard section.count > 0 else { return }
            for row in 0..<section.count { try body(work.objectIDs[row]) }
            last = work.objectIDs[section.count - 1]
        }
    }
}

/// Makes one of objects that follow one another.
private struct ChangedRuns {
    /// Those to which others may be added.
    private(set) var open: ChangedObjects?

    /// Adds an object; gives those before it that it does not follow.
    mutating func add(_ objectID: Int64, _ kind: ChangedObjects.Kind) -> ChangedObjects? {
        if let last = open, last.kind == kind, last.last + 1 == objectID {
            open?.last = objectID
            return nil
        }
        let before = open
        open = ChangedObjects(kind: kind, first: objectID, last: objectID)
        return before
    }
}
