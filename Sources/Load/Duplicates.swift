import Records

/// The duplicates of an entity, until the run knows for each where the first record of its object stood.
///
/// A run remembers no record that it has loaded. So it writes down where the first of each object stood, which takes a
/// few bytes of disk, and lets the duplicates wait there, too; most feeds have none, and then nothing is read again.
final class Duplicates {
    /// Objects whose places are looked up together: this many are held in memory.
    private static let most = 1 << 16

    private let relations: EntityRelations
    private let sink: any FindingSink
    private var firsts: PlaceLog?
    private var spool: RowSpool?
    /// The objects with duplicates.
    private let objects = SeenObjects()

    private var loader: EntityLoader { relations.loader }

    init(_ relations: EntityRelations, _ sink: any FindingSink) {
        self.relations = relations
        self.sink = sink
    }

    /// Notes where the first records of objects stand.
    func noteFirsts(_ rows: [Int], _ section: EntityRecords) throws(Failure) {
        if rows.isEmpty { return }
        if firsts == nil { firsts = try PlaceLog() }
        try firsts?.append(rows, section, loader.work)
    }

    /// Counts a duplicate, and lets it wait to be reported, with what it differs in.
    func add(_ row: Int, _ section: EntityRecords, _ batch: RecordBatch, conflicting: Bool) throws(Failure) {
        if conflicting { loader.counts.conflicting += 1 } else { loader.counts.identical += 1 }
        if spool == nil { spool = try RowSpool(loader.entity, cells: loader.entity.identifier) }
        _ = objects.insert(loader.work.objectIDs[row])
        // Whether there is a difference says whether it conflicts; an object that comes back may show none otherwise.
        let isUnnamed = conflicting && !loader.work.hasDifferences(row)
        if isUnnamed { loader.work.setDifferent(row, column: loader.work.presenceColumn) }
        try spool?.append(row, section, batch, outcome: .duplicate, work: loader.work)
        if isUnnamed { loader.work.clearDifferences(row) }
    }

    /// Reports all of them; the batch is used for it.
    func report(_ batch: RecordBatch, limit: Int) throws(Failure) {
        guard let spool, let firsts else { return }
        try objects.inChunks(of: Duplicates.most) { objectIDs throws(Failure) in
            var places: [Int64: RecordPlace] = [:]
            let wanted = Set(objectIDs)
            try firsts.visit { objectID, place in
                if wanted.contains(objectID), places[objectID] == nil { places[objectID] = place() }
            }
            try report(spool, among: wanted, places, batch, limit)
        }
        self.spool = nil
    }

    private func report(
        _ spool: RowSpool, among wanted: Set<Int64>, _ places: [Int64: RecordPlace], _ batch: RecordBatch,
        _ limit: Int
    ) throws(Failure) {
        let section = batch.sections[loader.index]
        try spool.rewind()
        repeat {
            batch.reset()
            while section.count < limit, batch.byteCount < Loader.batchBytes,
                let (row, _) = try spool.read(into: section, batch, work: loader.work)
            {
                let objectID = loader.work.objectIDs[row]
                if wanted.contains(objectID) { report(row, places[objectID], section, batch) }
            }
        } while section.count > 0
    }

    private func report(_ row: Int, _ first: RecordPlace?, _ section: EntityRecords, _ batch: RecordBatch) {
        let position = section.positions[row]
        let isConflicting = loader.work.hasDifferences(row)
        sink.report(.duplicate, at: RecordPositionKey(position), isMinor: !isConflicting) {
            var finding = Finding(
                entity: loader.entity.name, identifier: loader.identifier(of: row, section, batch.arena),
                detail: .duplicate(
                    conflicting: isConflicting, differs: relations.differingNames(row)),
                at: FeedLocation(position, path: position.path(in: batch.arena)))
            finding.first = first
            return finding
        }
    }
}
