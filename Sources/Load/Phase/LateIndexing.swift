import SluiceRecords

/// How the identifiers of a new table come, which tells when they are indexed best.
package enum IdentifierOrder: Sendable {
    /// It is looked at in the first batch.
    case observed
    case sorted
    case random
}

/// Whether the identifiers of an entity are indexed when all its objects are there, and what tells new objects until then.
///
/// Where identifiers come at random, each new one goes to another page of the index: it is built quicker from all of them,
/// sorted once. Without it, only what is surely new is written; a record whose identifier may have been there before is
/// kept aside, and saved when all feeds are read, what waited as a whole has been loaded, and the index is there.
struct LateIndex {
    private enum State {
        case undecided
        /// The index is there, or will be made by whoever asks the store for identifiers.
        case usual
        /// nil: the objectID cache tells which are new.
        case late(IdentifierFilter?)
    }

    private var state = State.undecided
    /// Whether the rows at hand were kept aside, and have the objectIDs that were reserved for them then: the next run
    /// finds objects in the order of the feed.
    var areReserved = false
    /// Whether the objectID cache, which knows the scattered rows, is to be emptied.
    var mustEnd = false

    var isUndecided: Bool { if case .undecided = state { true } else { false } }
    var isLate: Bool { if case .late = state { true } else { false } }
    /// What tells new identifiers of entities that nothing refers to.
    var filter: IdentifierFilter? { if case .late(let filter) = state { filter } else { nil } }

    mutating func decide(isLate: Bool, filter: @autoclosure () -> IdentifierFilter?) {
        state = isLate ? .late(filter()) : .usual
    }

    mutating func end() { (state, mustEnd) = (.usual, false) }
}

extension EntityLoader {
    /// Decides with its first rows whether the entity's identifiers are indexed late: only where all is new, and records
    /// are met once, in the first pass.
    func decideIndex(_ rows: [Int], _ section: EntityRecords, _ arena: Arena) throws(Failure) {
        guard lateIndex.isUndecided else { return }
        let mayBeLate = !facts.hasCandidates && entity.mode != .update && store.canIndexLate(entity: index)
        let isLate =
            mayBeLate
            && (store.indexesLate || areScattered(rows, section, arena) || arePromisesScattered(rows, section, arena))
        lateIndex.decide(isLate: isLate, filter: facts.isTarget ? nil : IdentifierFilter(indexing.budget))
        if !isLate { try store.indexIdentifiers(of: index) }
    }

    private func areScattered(_ rows: [Int], _ section: EntityRecords, _ arena: Arena) -> Bool {
        switch indexing.order {
        case .sorted: return false
        case .random: return true
        case .observed:
            keys.removeAll()
            for row in rows { appendKey(row, section, arena) }
            unsafe keys.sort(arena.base) { _ in }
            return areFarApart(keys.count) { keys.number($0) }
        }
    }

    /// Presumes that rows are new; the unique index tells which is not. Until it is there, those are kept aside that may
    /// have been there before.
    func presumeNew(_ rows: [Int], _ section: EntityRecords, _ arena: Arena) {
        guard let filter = lateIndex.filter else {
            round.new.append(contentsOf: rows)
            if !lateIndex.areReserved { for row in rows { assignObjectID(row) } }
            return
        }
        for next in stride(from: 0, to: rows.count, by: IdentifierFilter.hashesAhead) {
            let rows = rows[next..<min(next + IdentifierFilter.hashesAhead, rows.count)]
            for row in rows { filter.prefetch(ids.key(of: row, section, arena).hash) }
            for row in rows {
                assignObjectID(row)
                if filter.insert(ids.key(of: row, section, arena).hash) {
                    round.new.append(row)
                } else {
                    round.aside.append(row)
                }
            }
        }
    }

    /// Whether the cache, which told which records are new, does not know all objects any more, or will not.
    var mustIndexNow: Bool { facts.isTarget && lateIndex.isLate && (!ids.cacheIsWhole || lateIndex.mustEnd) }
}

/// What the entities of a run have in common, of how identifiers come and what is done about it.
final class Indexing {
    /// Fewer objects than these are found quickly, in whatever order.
    private static let manyObjects: Int64 = 50_000

    let order: IdentifierOrder
    let budget: IdentifierFilter.Budget

    init(_ order: IdentifierOrder, _ budget: IdentifierFilter.Budget = .init()) {
        self.order = order
        self.budget = budget
    }

    /// Whether so many of an entity's objects are looked up by their identifiers, each by itself, that it is quicker to
    /// read them all: where these are a share of all, one part in `share`.
    func isWorth(_ lookedUp: Int, of objects: Int64, share: Int) -> Bool {
        switch order {
        case .sorted: false
        case .random: lookedUp > 0
        case .observed: isMany(objects) && lookedUp * share >= objects
        }
    }

    /// Whether objects are so many that their pages are written and read again where these are met in no order.
    func isMany(_ objects: Int64) -> Bool { objects >= Indexing.manyObjects }
}

extension EntityRounds {
    /// Indexes the entity's identifiers, if it has waited, and saves the records that were kept aside until then, in
    /// the order in which they came; batches are used for it.
    func endLateIndex(_ batch: @autoclosure () -> RecordBatch, _ options: Loader.Options) throws(Failure) {
        guard loader.lateIndex.isLate else { return }
        if let rows = loader.waitingRows.scattered { try saveScattered(rows, batch(), options) }
        loader.lateIndex.end()
        // Where nothing needs the index, it is built with all others.
        guard let spool = loader.waitingRows.aside else { return }
        try loader.store.indexIdentifiers(of: loader.index)
        loader.waitingRows.aside = nil
        loader.lateIndex.areReserved = true
        defer { loader.lateIndex.areReserved = false }
        let batch = batch()
        try spool.forEachBatch(
            batch.sections[loader.index], batch, work: loader.work, limit: options.batchSize
        ) { read throws(Failure) in
            try options.checkCancelled()
            let rows = read.map(\.row)
            if loader.facts.isTarget { try identify(rows, batch) }
            try save(rows, batch, from: .aside)
        }
    }

    /// Keeps rows of the round aside.
    func keepAside(_ section: EntityRecords, _ batch: RecordBatch) throws(Failure) {
        if loader.round.aside.isEmpty { return }
        if loader.waitingRows.aside == nil { loader.waitingRows.aside = RowSpool(loader.entity, whole: true) }
        for row in loader.round.aside { try loader.waitingRows.aside?.append(row, section, batch, work: loader.work) }
    }
}
