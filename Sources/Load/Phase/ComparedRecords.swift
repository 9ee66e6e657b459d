import SluiceRecords

/// Records of an entity with objects of earlier runs that wait until all are read, and are compared then.
///
/// Where objects come in another order than in the feed before, each is on another page of the table, and its
/// identifier on another page of the index. So the records wait on disk, with a digest each; in the end the table
/// is read once, in its own order, and digested as well. The digests of both are joined partition by partition: a
/// record that equals its object, as nearly all do in most feeds, needs nothing more. The others are read again, in
/// their order, and saved as if they came then; those whose identifiers are certainly new come last.
final class ComparedRecords {
    /// Fewer records than this share of the objects are looked up after all, which is faster.
    private static let shareWorthReading = 5
    /// For each record that waits. With two, all have been read before a feed of all objects ends.
    private static let objectsReadAhead = 2
    /// Where this share of the objects is new, the indexes are better built anew.
    private static let shareWorthIndexing = 8

    /// The records as a whole; in the place of an objectID they have their number, from 1.
    let spool: RowSpool
    let digests: DigestSpool
    /// The digests of the objects that have been read, up to the last of these.
    let objects: DigestSpool
    private(set) var lastRead: Int64 = 0
    private let hash: RowHash
    /// Objects that were created while records waited.
    private var createdCount = 0

    init(_ traits: EntityTraits) {
        spool = RowSpool(traits.entity, whole: true)
        digests = DigestSpool(objects: traits.highestAtStart)
        objects = DigestSpool(objects: traits.highestAtStart)
        hash = RowHash(traits.entity)
    }

    /// Keeps rows, whose references are resolved as far as they can be.
    func append(
        _ rows: [Int], _ state: EntityState, _ work: RowScratch, _ section: EntityRecords, _ batch: RecordBatch
    ) throws(Failure) {
        if rows.isEmpty { return }
        let (references, count) = unsafe (UnsafePointer(work.references.base), work.relationshipCount)
        let typed = unsafe UnsafePointer(section.typed.base)
        for row in rows {
            let number = Int64(spool.count + 1)
            work.objectIDs[row] = number
            try digests.append(
                unsafe hash.digest(
                    typed + row * section.width, batch.arena.base, references + row * count, number: number))
            try spool.append(row, section, batch, work: work)
        }
        try readAhead(rows.count, state)
    }

    /// Whether the table is to be read for the records.
    func isWorthReading(_ state: EntityState) -> Bool {
        state.isWorth(spool.count, share: ComparedRecords.shareWorthReading)
    }

    /// Reads some of the objects as soon as it is certain that all will be read in the end, so that little is left to
    /// do when the feed has been read: while records wait, no object of an earlier run is written.
    private func readAhead(_ records: Int, _ state: EntityState) throws(Failure) {
        guard isWorthReading(state) else { return }
        let next = lastRead + Int64(records * ComparedRecords.objectsReadAhead)
        try readObjects(upTo: min(next, state.traits.highestAtStart), state)
    }

    /// Reads the objects that have not been read, up to an objectID.
    func readObjects(upTo last: Int64, _ state: EntityState) throws(Failure) {
        guard last > lastRead else { return }
        try state.store.digestStore?.digests(of: state.index, after: lastRead, upTo: last, hash) {
            digest throws(Failure) in try objects.append(digest)
        }
        lastRead = last
    }

    /// Counts objects that were created while records waited.
    func countCreated(_ count: Int, _ state: EntityState) throws(Failure) {
        createdCount += count
        try ComparedRecords.dropIndexes(createdCount, state)
    }

    /// Drops the indexes where that many objects are new.
    static func dropIndexes(_ count: Int, _ state: EntityState) throws(Failure) {
        guard state.isWorth(count, share: shareWorthIndexing) else { return }
        try state.store.indexDroppingStore?.dropIndexes(of: state.index)
    }
}
