import SluiceRecords

/// Parts of a set of objects, each of objectIDs that follow one another, so small that the data of one part's objects
/// fit into memory. The waiting rows on disk are divided along with them, so that only the rows of a part are read with
/// its objects, and not all rows with each part.
struct ObjectParts {
    /// More parts would need too many buffers: the parts become larger instead.
    private static let most = 1 << 10

    let objects: ObjectIDSet
    private let size: Int
    /// The last objectID of each part.
    private let ends: [Int64]

    /// - Parameter usual: how many objects a part has, if these do not make too many parts.
    init(_ objects: ObjectIDSet, of usual: Int) {
        self.objects = objects
        size = max(usual, objects.count / ObjectParts.most + 1)
        var ends: [Int64] = []
        objects.inChunks(of: size) { if let last = $0.last { ends.append(last) } }
        self.ends = ends
    }

    var count: Int { ends.count }

    /// Whether there is nothing to be divided.
    var isWhole: Bool { ends.count < 2 }

    /// The part that an object is of; nil: none.
    func part(of objectID: Int64) -> Int? {
        guard objects.contains(objectID) else { return nil }
        // What is behind the other parts is of the last one.
        return ends.indices.dropLast().partitionPoint { ends[$0] >= objectID }
    }

    /// Hands out the objects of each part, in ascending order.
    func forEachPart(_ body: (_ part: Int, _ objectIDs: [Int64]) throws(Failure) -> Void) throws(Failure) {
        var part = 0
        try objects.inChunks(of: size) { objectIDs throws(Failure) in
            try body(part, objectIDs)
            part += 1
        }
    }

    /// A file for each part.
    func files() -> [SpoolFile] {
        let blocks = SpoolBlocks()
        return ends.map { _ in SpoolFile(blocks, bufferBytes: ScatteredRows.bufferBytes) }
    }
}

extension RowSpool {
    /// The rows of the objects of each part, in their order; the batch is used for it. Where there is one part, it is
    /// this spool, which may have rows of other objects as well.
    func divided(
        by parts: ObjectParts, _ section: EntityRecords, _ batch: RecordBatch, work: RowScratch, limit: Int
    ) throws(Failure) -> [RowSpool] {
        if parts.isWhole { return [self] }
        let spools = parts.files().map { empty(in: $0) }
        try forEachBatch(of: parts.objects, section, batch, work: work, limit: limit) { read throws(Failure) in
            for entry in read {
                guard let part = parts.part(of: work.objectIDs[entry.row]) else { continue }
                try spools[part].append(entry.row, section, batch, fate: entry.fate, work: work)
            }
        }
        return spools
    }
}
