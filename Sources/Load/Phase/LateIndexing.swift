import SluiceRecords

/// The late indexing of an entity: its identifiers are indexed when all its objects are there; until then, this
/// recognises new objects.
///
/// Where identifiers come at random, each new one goes to another page of the index: building the index from all of
/// them, sorted once, is faster. Without the index, only records that are certainly new are written; a record whose
/// identifier may have been there before awaits the index, and is saved when all feeds are read, deferred records are
/// loaded, and the index is there.
final class LateIndexing {
    /// The filter that recognises new identifiers of entities that nothing refers to; nil: the objectID cache does.
    private let filter: IdentifierFilter?
    /// Whole records whose identifier may have been there before.
    private(set) var awaitingIndex: RowSpool?
    /// Whole records of new objects whose objectIDs come in no order.
    private(set) var scattered: ScatteredRows?
    /// Whether the objectID cache, which knows the scattered rows, is to be emptied.
    var mustEnd = false

    init(_ filter: IdentifierFilter?) { self.filter = filter }

    /// Gives rows of an entity to which nothing refers their fates: the filter recognises identifiers that are new for
    /// certain.
    func recognise(
        _ rows: [Int], _ fates: RowFate.ByIdentifier, _ state: EntityState, _ work: RowScratch,
        _ section: EntityRecords,
        _ arena: Arena, _ round: inout Round
    ) {
        let ids = state.ids
        for next in stride(from: 0, to: rows.count, by: IdentifierFilter.hashesAhead) {
            let rows = rows[next..<min(next + IdentifierFilter.hashesAhead, rows.count)]
            for row in rows { filter?.prefetch(ids.key(of: row, section, arena).hash) }
            for row in rows {
                work.objectIDs[row] = ids.assign()
                let isNew = filter?.insert(ids.key(of: row, section, arena).hash) ?? false
                round.add(row, isNew ? fates.unmet : fates.met)
            }
        }
    }

    /// Whether new rows wait for the end, since their objects were promised objectIDs in another order than the
    /// rows come in: each would go to another page of the table. From then on, all new rows are.
    func scatters(_ new: [Int], _ state: EntityState, _ work: RowScratch) -> Bool {
        if scattered != nil { return true }
        // A store that has no index before the end keeps rows as they come.
        guard state.store.lateIndexStore?.indexesLate == false, isScattered(new, state, work) else { return false }
        scattered = ScatteredRows(state.entity, upTo: state.ids.highest)
        return true
    }

    private func isScattered(_ new: [Int], _ state: EntityState, _ work: RowScratch) -> Bool {
        switch state.indexing.order {
        case .sorted: return false
        case .random: return !new.isEmpty
        case .observed:
            guard state.indexing.isMany(state.ids.highest) else { return false }
            let objectIDs = work.objectIDs
            return Indexing.areFarApart(new.count) { Int(objectIDs[new[$0]]) }
        }
    }

    /// Takes in the rows of a round that are written in the end.
    func spool(
        _ round: borrowing Round, _ state: EntityState, _ work: RowScratch, _ section: EntityRecords,
        _ batch: RecordBatch
    ) throws(Failure) {
        if !round[.awaitingIndex].isEmpty, awaitingIndex == nil { awaitingIndex = RowSpool(state.entity, whole: true) }
        for row in round[.awaitingIndex] { try awaitingIndex?.append(row, section, batch, work: work) }
        for row in round[.scattered] { try scattered?.append(row, section, batch, work: work) }
    }

    /// Records what becomes of the rows of a round that are written in the end, for the fingerprints of the run. Where
    /// the cache recognises identifiers, rows that await the index are no new objects.
    func recordOutcomes(_ round: borrowing Round, _ outcomes: ItemOutcomes, _ section: EntityRecords) {
        outcomes.recordReserved(round[.scattered], section)
        if filter != nil { outcomes.recordReserved(round[.awaitingIndex], section) }
    }

    /// The scattered rows, which are saved now.
    func removeScattered() -> ScatteredRows? {
        defer { scattered = nil }
        return scattered
    }
}
