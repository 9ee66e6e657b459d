import SluiceRecords

/// Whether the records of an entity with objects of earlier runs wait until all are read, and are compared then.
///
/// A feed that tells its objects in another order than the one before has each on another page of the table, and its
/// identifier on another one of the index. So its records are kept on disk, with a digest each; in the end the table is
/// read once, in its own order, and digested as well. The digests of both are brought together partition by partition:
/// a record that says just what its object holds, as nearly all do in most feeds, is done with. The others are read
/// again, in their order, and saved as if they came then; those last whose identifiers are certainly new.
struct LateComparison {
    private enum State {
        /// Records are saved as they come; they may be kept from some batch on.
        case undecided
        case keeping(KeptRecords)
        /// Records are saved as they come.
        case usual
        /// Records are saved that are certainly new.
        case creating
    }

    private var state: State
    /// Objects that were looked up by their identifiers, as their records came in another order than they are stored.
    private(set) var lookedUp = 0
    /// Objects that were created while records were kept.
    var createdCount = 0

    init(_ facts: EntityFacts, _ shortcuts: Shortcuts) {
        let entity = facts.entity
        let isPossible =
            shortcuts.contains(.lateComparison) && !facts.startsEmpty && !facts.hasDeletions && !facts.hasCandidates
            && entity.mode == .upsert && !facts.areToMany.contains(true)
            && entity.relationships.count <= RowDigest.mostRelationships
            && entity.relationships.allSatisfy(\.ways.isEmpty)
        state = isPossible ? .undecided : .usual
    }

    /// The part of a batch that comes out of order where its records do: a few new ones among others are in no other.
    private static let partOutOfOrder = 4

    /// Notes how many rows of a batch were looked up by their identifiers.
    mutating func note(lookedUp count: Int, of rows: Int) {
        if count * LateComparison.partOutOfOrder > rows { lookedUp += count }
    }

    var kept: KeptRecords? { if case .keeping(let kept) = state { kept } else { nil } }
    var isUndecided: Bool { if case .undecided = state { true } else { false } }

    mutating func begin(_ facts: EntityFacts) { state = .keeping(KeptRecords(facts)) }

    /// What was kept; from now on, records are saved as they come.
    mutating func end() -> KeptRecords? {
        defer { state = .usual }
        return kept
    }

    /// Whether the records at hand are certainly new.
    var isCreating: Bool { if case .creating = state { true } else { false } }

    mutating func create() { state = .creating }
}

/// Records that wait for their comparison.
final class KeptRecords {
    /// The records as a whole; in the place of an objectID they have their number, from 1.
    let spool: RowSpool
    let digests: DigestSpool
    /// The digests of the objects that have been read, up to the last of these.
    let objects: DigestSpool
    fileprivate(set) var lastRead: Int64 = 0
    let hash: RowHash

    init(_ facts: EntityFacts) {
        spool = RowSpool(facts.entity, whole: true)
        digests = DigestSpool(objects: facts.highestAtStart)
        objects = DigestSpool(objects: facts.highestAtStart)
        hash = RowHash(facts.entity)
    }
}

extension EntityLoader {
    /// Of the objects, the share that has been looked up before the others are better compared late.
    private static let shareBeforeKeeping = 64
    /// Fewer records than this share of the objects are better looked up, all the same.
    private static let shareWorthReading = 5
    /// For each record that is kept. With two, all have been read before a feed of all objects ends.
    private static let objectsReadAhead = 2
    /// Where this share of the objects is new, the indexes are better built anew.
    private static let shareWorthIndexing = 8

    /// Keeps records for later from here on, if so many have come out of order that it will pay.
    func decideComparison() {
        // What a record says of stubs must be looked at though it says nothing new of its own object.
        guard lateComparison.isUndecided, !facts.describesStubs, !facts.isTarget || ids.cacheIsWhole,
            isWorth(lateComparison.lookedUp, share: EntityLoader.shareBeforeKeeping)
        else { return }
        lateComparison.begin(facts)
    }

    /// Keeps rows for later, but for those of which it is certain that they are new and to which others may refer.
    func keep(_ rows: [Int], _ section: EntityRecords, _ arena: Arena) throws(Failure) {
        guard facts.isTarget, ids.cacheIsWhole else {
            round.kept = rows
            return
        }
        var kept: [Int] = []
        ids.forEach(rows, section, arena) { row in
            let key = ids.key(of: row, section, arena)
            if ids.cache.find(key) == 0 {
                create(row, key)
            } else {
                kept.append(row)
            }
        }
        round.kept = kept
        lateComparison.createdCount += round.new.count
        try expectNew(lateComparison.createdCount)
    }

    /// Takes rows for new objects, which they certainly are.
    func takeForNew(_ rows: [Int], _ section: EntityRecords, _ arena: Arena) {
        for row in rows { create(row, facts.isTarget ? ids.key(of: row, section, arena) : nil) }
    }

    private func create(_ row: Int, _ key: ObjectIDCache.Key?) {
        assignObjectID(row)
        if let key { ids.insert(key, work.objectIDs[row]) }
        round.new.append(row)
    }

    /// Does without indexes where so many objects are new.
    fileprivate func expectNew(_ count: Int) throws(Failure) {
        if isWorth(count, share: EntityLoader.shareWorthIndexing) { try store.dropIndexes(of: index) }
    }

    /// Reads some of the objects as soon as it is certain that all will be read in the end, so that little is left to do
    /// when the feed has been read: while records are kept, no object of an earlier run is written.
    fileprivate func readAhead(_ records: Int, for kept: KeptRecords) throws(Failure) {
        guard isWorthReading(kept.spool.count) else { return }
        let next = kept.lastRead + Int64(records * EntityLoader.objectsReadAhead)
        try readObjects(upTo: min(next, facts.highestAtStart), for: kept)
    }

    /// Reads the objects that have not been read, up to an objectID.
    func readObjects(upTo last: Int64, for kept: KeptRecords) throws(Failure) {
        guard last > kept.lastRead else { return }
        try store.digests(of: index, after: kept.lastRead, upTo: last, kept.hash) { digest throws(Failure) in
            try kept.objects.append(digest)
        }
        kept.lastRead = last
    }

    /// Whether the table is to be read for so many records.
    fileprivate func isWorthReading(_ records: Int) -> Bool {
        isWorth(records, share: EntityLoader.shareWorthReading)
    }

    private func isWorth(_ records: Int, share: Int) -> Bool {
        indexing.isWorth(records, of: facts.highestAtStart, share: share)
    }
}

extension EntityRounds {
    /// Lets the kept rows of the round, whose references are resolved as far as they can be, wait on disk.
    func spoolKept(_ section: EntityRecords, _ batch: RecordBatch) throws(Failure) {
        guard !loader.round.kept.isEmpty, let kept = loader.lateComparison.kept else { return }
        let work = loader.work
        let (references, count) = unsafe (UnsafePointer(work.references.base), work.relationshipCount)
        let typed = unsafe UnsafePointer(section.typed.base)
        for row in loader.round.kept {
            let number = Int64(kept.spool.count + 1)
            work.objectIDs[row] = number
            try kept.digests.append(
                unsafe kept.hash.digest(
                    typed + row * section.width, batch.arena.base, references + row * count, number: number))
            try kept.spool.append(row, section, batch, work: work)
        }
        try loader.readAhead(loader.round.kept.count, for: kept)
    }

    /// Compares the records that were kept with their objects, and saves those that do not say the same; the batch is
    /// used for it.
    func endLateComparison(_ batch: @autoclosure () -> RecordBatch, _ options: Loader.Options) throws(Failure) {
        guard let kept = loader.lateComparison.end(), kept.spool.count > 0 else { return }
        let batch = batch()
        guard loader.isWorthReading(kept.spool.count) else { return try saveKept(kept, nil, batch, options) }
        let (others, new) = try compare(kept, batch, options)
        if !others.isEmpty { try saveKept(kept, others, batch, options) }
        if new.isEmpty { return }
        try loader.expectNew(new.count)
        loader.lateComparison.create()
        try saveKept(kept, new, batch, options)
        _ = loader.lateComparison.end()
    }

    /// Saves the kept records of some numbers, or all.
    private func saveKept(
        _ kept: KeptRecords, _ numbers: SeenObjects?, _ batch: RecordBatch, _ options: Loader.Options
    ) throws(Failure) {
        let work = loader.work
        try kept.spool.forEachBatch(
            of: numbers, batch.sections[loader.index], batch, work: work, limit: options.batchSize
        ) { read throws(Failure) in
            try options.checkCancelled()
            var rows = read.map(\.row)
            if let numbers { rows.removeAll { !numbers.contains(work.objectIDs[$0]) } }
            if rows.isEmpty { return }
            if loader.facts.isTarget { try identify(rows, batch) }
            try save(rows, batch, from: .aside)
        }
    }
}
