import SluiceRecords

/// Counts the objects that are still open when all references are settled, from what the store holds, and reports what
/// is unresolved: those with later copies, those with nullified references, and those that wait since an earlier run
/// and of whose references their record says nothing.
struct OpenReferencePass {
    private let relations: EntityRelations
    private let sink: any FindingSink

    init(_ relations: EntityRelations, _ context: LoadContext) {
        self.relations = relations
        sink = context.sink
    }

    private var state: EntityState { relations.state }
    private var work: RowScratch { relations.work }

    func run(_ batch: RecordBatch) throws(Failure) {
        for relationship in state.entity.relationships.indices {
            let parts = ObjectParts(state.tally.open[relationship], of: LoadContext.chunk)
            let positions = try RecordPositions(state.spools.silentPositions, state).divided(by: parts, batch)
            try parts.forEachPart { part, chunk throws(Failure) in
                let objectIDs = chunk.filter { !state.objects.isNotThere($0) }
                let waits = try relations.references.waits(objectIDs, relationship)
                let links = try relations.references.heldCounts(objectIDs, relationship, batch)
                for objectID in objectIDs {
                    let unresolved = waits[objectID]?.count ?? 0
                    state.tally.count(
                        HeldReferences(links: links[objectID] ?? 0, unresolved: unresolved), relationship)
                }
                try report(waits, relationship, positions[part], batch)
            }
        }
    }

    // MARK: What is unresolved

    private func report(
        _ waits: [Int64: [WaitingReference]], _ relationship: Int, _ recorded: RecordPositions, _ batch: RecordBatch
    ) throws(Failure) {
        if waits.isEmpty { return }
        // Without a position are those whose records say nothing of what they wait for.
        let withoutPosition = waits.filter { $1.contains { $0.at == nil } }.map(\.key)
        let positions = try recorded.firstPositions(of: ObjectIDSet(withoutPosition), batch)
        let section = try state.readIdentifiers(of: waits.keys.sorted(), batch, work)
        for row in 0..<section.count {
            let objectID = work.objectIDs[row]
            let identifier = state.traits.identifier(of: row, section, batch.arena)
            for waiting in waits[objectID] ?? [] {
                let known = waiting.at ?? positions[objectID]
                let at = known ?? .beginning(of: 0)
                sink.report(.unresolved, at: at.position) {
                    var finding = Finding.unresolved(relations, identifier, relationship, waiting.value, at)
                    finding.isPlaced = known != nil
                    return finding
                }
            }
        }
    }
}
