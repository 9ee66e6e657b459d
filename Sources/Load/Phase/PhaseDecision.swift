import SluiceRecords

/// Decides, with the rows of a batch, whether an entity that watches its records (`EntityPhase.watching`) is to be
/// loaded in another way.
struct PhaseDecision {
    /// Once this share of the objects has been looked up, comparing the others late is faster.
    private static let shareBeforeComparing = 64

    private let state: EntityState
    private var traits: EntityTraits { state.traits }
    private var ids: ObjectIDs { state.ids }

    init(_ state: EntityState) { self.state = state }

    // MARK: New tables

    /// Decides with its first rows whether the entity's identifiers are indexed late: only where all is new, and
    /// records are met once, in the first pass.
    func decideIndex(
        _ rows: [Int], _ section: EntityRecords, _ arena: Arena, _ round: inout Round
    ) throws(Failure) {
        let store = state.store.lateIndexStore
        let mayBeLate = !traits.hasCandidates && store?.canIndexLate(entity: traits.index) == true
        let isLate =
            mayBeLate
            && (store?.indexesLate == true || areScattered(rows, section, arena, &round)
                || arePromisesScattered(rows, section, arena))
        if isLate {
            let filter = traits.isTarget ? nil : IdentifierFilter(state.indexing.budget)
            state.advance(to: .indexingLate(LateIndexing(filter)))
        } else {
            try store?.indexIdentifiers(of: traits.index)
            state.advance(to: .streaming)
        }
    }

    private func areScattered(
        _ rows: [Int], _ section: EntityRecords, _ arena: Arena, _ round: inout Round
    ) -> Bool {
        switch state.indexing.order {
        case .sorted: return false
        case .random: return true
        case .observed:
            defer { round.start() }
            for row in rows { round.appendKey(row, traits, section, arena) }
            round.sortKeys(arena)
            return Indexing.areFarApart(round.keys.count) { round.keys.number($0) }
        }
    }

    /// Whether the objects of rows were promised objectIDs in another order. They are then written in the order of the
    /// objectIDs, in which their identifiers come in no order.
    private func arePromisesScattered(_ rows: [Int], _ section: EntityRecords, _ arena: Arena) -> Bool {
        guard state.indexing.order == .observed, state.indexing.isMany(ids.highest) else { return false }
        let promised = rows.map { ids.promised($0, section, arena) }.filter { $0 > 0 }
        return Indexing.areFarApart(promised.count) { Int(promised[$0]) }
    }

    // MARK: Tables with objects of earlier runs

    /// Keeps records from here on until all are read, if so many have come out of order that it will pay.
    func decideComparison(_ order: OrderWatch) {
        // A record that describes stubs must be read even if it says nothing new of its own object.
        guard !traits.describesStubs, !traits.isTarget || ids.cacheIsWhole,
            state.isWorth(order.lookedUp, share: PhaseDecision.shareBeforeComparing)
        else { return }
        state.advance(to: .comparing(ComparedRecords(traits)))
    }
}
