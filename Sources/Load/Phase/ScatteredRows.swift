import SluiceRecords

/// New rows of one entity whose objectIDs come in no order, on disk: read in parts of neighbouring objectIDs, the parts
/// in their order, so that a table is written from its first row to its last.
final class ScatteredRows {
    /// What each part writes at once, in bytes: all of them take 4 MiB.
    static let bufferBytes = 1 << 12
    private static let mostParts: Int64 = 1 << 10
    /// ObjectIDs of a part, at least.
    private static let leastRange: Int64 = 1 << 13
    /// Rows of a part that are read together, at the most.
    private static let limit = 1 << 14

    private let entity: Entity
    private let range: Int64
    private let blocks = SpoolBlocks()
    private var parts: [RowSpool] = []

    /// - Parameter highest: of the objectIDs, as far as they are known. There is room for as many more; what is beyond
    ///   is in the last part.
    init(_ entity: Entity, upTo highest: Int64) {
        self.entity = entity
        range = max(ScatteredRows.leastRange, highest * 2 / ScatteredRows.mostParts + 1)
    }

    /// Adds a row with its objectID.
    func append(_ row: Int, _ section: EntityRecords, _ batch: RecordBatch, work: RowScratch) throws(Failure) {
        let part = Int(min(work.objectIDs[row] / range, ScatteredRows.mostParts - 1))
        while parts.count <= part {
            let file = SpoolFile(blocks, bufferBytes: ScatteredRows.bufferBytes)
            parts.append(RowSpool(entity, whole: true, in: file))
        }
        try parts[part].append(row, section, batch, work: work)
    }

    /// Reads the rows, a batch at a time: the batch is reset for each, and `body` gets its rows by their objectIDs.
    /// Those of a part that are more than a batch takes are in the order of each batch only.
    func forEachBatch(
        _ section: EntityRecords, _ batch: RecordBatch, work: RowScratch, _ body: ([Int]) throws(Failure) -> Void
    ) throws(Failure) {
        for part in parts {
            try part.forEachBatch(section, batch, work: work, limit: ScatteredRows.limit) { read throws(Failure) in
                let objectIDs = work.objectIDs
                try body(read.map(\.row).sorted { objectIDs[$0] < objectIDs[$1] })
            }
        }
    }
}
