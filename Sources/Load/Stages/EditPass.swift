import SluiceRecords

/// Settles what programs have changed when all records are loaded. Three values meet in each edit: what the feed said
/// when the program changed it, what the program says, and what the feed says now. An edit that says what the feed says is
/// none any more; where the feed has not changed, the edit stays; where all three differ, they conflict, and it stays,
/// too, but the report says so.
struct EditPass {
    /// Objects that are looked at together: this many positions are held in memory.
    private static let chunkSize = 1 << 14

    private let loader: EntityLoader
    private let sink: any FindingSink

    init(_ loader: EntityLoader, _ sink: any FindingSink) {
        self.loader = loader
        self.sink = sink
    }

    func run(_ batch: RecordBatch) throws(Failure) {
        let states = loader.states
        guard !states.edited.isEmpty, let store = loader.store.editStore else { return }
        try store.settleEdits(entity: loader.index)
        try states.edited.created.inChunks(of: EditPass.chunkSize) { chunk throws(Failure) in
            try store.takeOver(chunk.filter(states.isOfThisRun), entity: loader.index)
        }
        // Rejected records have been reported.
        let conflicting =
            loader.entity.edits == .keep ? try store.conflicting(entity: loader.index) : SeenObjects()
        states.spared.inChunks(of: EditPass.chunkSize) { chunk in
            for objectID in chunk { _ = conflicting.insert(objectID) }
        }
        let parts = ObjectParts(conflicting, of: EditPass.chunkSize)
        let positions = try RecordPositions(loader.spools.editedPositions, loader).divided(by: parts, batch)
        try parts.forEachPart { part, chunk throws(Failure) in
            try report(
                chunk.filter { states.isOfThisRun($0) || states.spared.contains($0) }, positions[part], batch)
        }
    }

    private func report(_ objectIDs: [Int64], _ recorded: RecordPositions, _ batch: RecordBatch) throws(Failure) {
        if objectIDs.isEmpty { return }
        let objects = SeenObjects()
        for objectID in objectIDs { _ = objects.insert(objectID) }
        let positions = try recorded.of(objects, batch)
        batch.reset()
        let section = batch.sections[loader.index]
        try loader.store.appendIdentifiers(of: objectIDs, entity: loader.index, section, batch, loader.work)
        for row in 0..<section.count {
            let objectID = loader.work.objectIDs[row]
            let at = positions[objectID] ?? .beginning(of: loader.entity.sources[0])
            let detail = try detail(objectID)
            loader.tally.add(to: \.conflicts)
            sink.report(.conflict, at: at.position) {
                Finding(
                    entity: loader.entity.name, identifier: loader.facts.identifier(of: row, section, batch.arena),
                    detail: detail, at: at)
            }
        }
    }

    private func detail(_ objectID: Int64) throws(Failure) -> Finding.Detail {
        if loader.states.spared.contains(objectID) { return .conflictingDeletion }
        return .conflict(try loader.store.editStore?.conflicts(of: objectID, entity: loader.index) ?? [])
    }
}
