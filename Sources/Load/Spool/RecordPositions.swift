import SluiceRecords

extension EntityLoader {
    /// Rows read together where only the positions of their records are wanted.
    private static let positionsRead = 1000

    /// A spool of positions, divided along with the objects that are asked for; nil: there is none.
    func divided(
        _ spool: RowSpool?, by parts: ObjectParts, _ batch: RecordBatch
    ) throws(Failure) -> [RowSpool]? {
        guard let spool, parts.count > 0 else { return nil }
        return try spool.divided(
            by: parts, batch.sections[index], batch, work: work, limit: EntityLoader.positionsRead)
    }

    /// Where the first record of each object stood that has a row in a spool; a batch is used for it.
    func positions(
        of objects: SeenObjects, _ spool: RowSpool?, _ batch: RecordBatch
    ) throws(Failure) -> [Int64: FeedPosition] {
        var positions: [Int64: FeedPosition] = [:]
        guard !objects.isEmpty, let spool else { return positions }
        let section = batch.sections[index]
        try spool.forEachBatch(of: objects, section, batch, work: work, limit: EntityLoader.positionsRead) { rows in
            for row in rows.map(\.row) {
                let (objectID, position) = (work.objectIDs[row], section.positions[row])
                guard objects.contains(objectID), positions[objectID] == nil else { continue }
                positions[objectID] = FeedPosition(position, path: position.path(in: batch.arena))
            }
        }
        return positions
    }
}
