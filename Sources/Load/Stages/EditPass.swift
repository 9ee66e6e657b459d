import SluiceRecords

/// Settles the edits of programs when all records are loaded. An edit has three values: that of the feed when the
/// program changed it, that of the program, and the present one of the feed. An edit that equals the feed's present
/// value is forgotten; where the feed has not changed, the edit stays; where all three differ, they conflict: the edit
/// stays, too, but the report says so.
struct EditPass {
    /// Objects that are looked at together: this many positions are held in memory.
    private static let chunkSize = 1 << 14

    private let state: EntityState
    private let work: RowScratch
    private let sink: any FindingSink

    init(_ relations: EntityRelations, _ context: LoadContext) {
        state = relations.state
        work = RowScratch(state.entity)
        sink = context.sink
    }

    func run(_ batch: RecordBatch) throws(Failure) {
        let objects = state.objects
        guard !objects.edits.isEmpty, let store = state.store.editStore else { return }
        try store.forgetEqualEdits(entity: state.index)
        try objects.edits.created.inChunks(of: EditPass.chunkSize) { chunk throws(Failure) in
            try store.recordImported(chunk.filter(objects.isOfThisRun), entity: state.index)
        }
        // With `edits: reject`, the conflicts have been reported as rejected records.
        let conflicting =
            state.entity.edits.rejectContradictions ? ObjectIDSet() : try store.conflicting(entity: state.index)
        conflicting.formUnion(objects.edits.spared)
        let parts = ObjectParts(conflicting, of: EditPass.chunkSize)
        let positions = try RecordPositions(state.spools.editedPositions, state).divided(by: parts, batch)
        try parts.forEachPart { part, chunk throws(Failure) in
            try report(
                chunk.filter {
                    objects.isOfThisRun($0) || objects.edits.spared.contains($0) || state.tally.isRestated($0)
                }, positions[part], batch)
        }
    }

    private func report(_ objectIDs: [Int64], _ recorded: RecordPositions, _ batch: RecordBatch) throws(Failure) {
        if objectIDs.isEmpty { return }
        let positions = try recorded.firstPositions(of: ObjectIDSet(objectIDs), batch)
        let section = try state.readIdentifiers(of: objectIDs, batch, work)
        for row in 0..<section.count {
            let objectID = work.objectIDs[row]
            let at = positions[objectID] ?? .beginning(of: state.entity.sources[0])
            let detail = try detail(objectID)
            state.tally.add(to: \.conflicts)
            sink.report(.conflict, at: at.position) {
                Finding(
                    entity: state.entity.name, identifier: state.traits.identifier(of: row, section, batch.arena),
                    detail: detail, at: at)
            }
        }
    }

    private func detail(_ objectID: Int64) throws(Failure) -> Finding.Detail {
        if state.objects.edits.spared.contains(objectID) { return .conflictingDeletion }
        return .conflict(try state.store.editStore?.conflicts(of: objectID, entity: state.index) ?? [])
    }
}
