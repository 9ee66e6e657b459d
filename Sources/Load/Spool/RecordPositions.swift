import SluiceRecords

/// Where the records of some objects of an entity occurred in the feed, as a spool has it.
struct RecordPositions {
    /// Rows read together.
    private static let rowsRead = 1000

    private let state: EntityState
    private let work: RowScratch
    private let spool: RowSpool?

    /// - Parameter spool: nil: there are none.
    init(_ spool: RowSpool?, _ state: EntityState) {
        self.spool = spool
        self.state = state
        work = RowScratch(state.entity)
    }

    /// The positions, divided along with the objects that they are wanted for.
    func divided(by parts: ObjectParts, _ batch: RecordBatch) throws(Failure) -> [RecordPositions] {
        guard let spool else { return (0..<parts.count).map { _ in self } }
        if parts.count == 0 { return [] }
        return try spool.divided(
            by: parts, batch.sections[state.index], batch, work: work, limit: RecordPositions.rowsRead
        ).map { RecordPositions($0, state) }
    }

    /// Where the first record of each object occurred; a batch is used for it.
    func firstPositions(of objects: ObjectIDSet, _ batch: RecordBatch) throws(Failure) -> [Int64: FeedPosition] {
        var positions: [Int64: FeedPosition] = [:]
        guard !objects.isEmpty, let spool else { return positions }
        let section = batch.sections[state.index]
        try spool.forEachBatch(of: objects, section, batch, work: work, limit: RecordPositions.rowsRead) { rows in
            for row in rows.map(\.row) {
                let objectID = work.objectIDs[row]
                guard objects.contains(objectID), positions[objectID] == nil else { continue }
                positions[objectID] = FeedPosition(section.positions[row], in: batch.arena)
            }
        }
        return positions
    }
}
