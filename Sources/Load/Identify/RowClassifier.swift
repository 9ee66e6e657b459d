import SluiceRecords

/// Finds the objects of the rows of one entity, gives objectIDs to the new ones, and gives each row its fate.
final class RowClassifier {
    let state: EntityState
    let traits: EntityTraits
    let objects: ObjectStates
    let ids: ObjectIDs
    let work: RowScratch
    let rules: RowFate.Rules
    private let store: any ObjectStore
    /// Whether objects may be found by guessing them from the order of the records.
    private let usesSequence: Bool
    /// The last object of an earlier run that was found.
    private var lastFound: Int64 = 0
    private var order = OrderWatch()
    /// The identifiers of objects that were never there, and of which a record says that they are gone.
    var goneIdentifiers: (any GoneIdentifiers)?

    init(_ state: EntityState, _ work: RowScratch, _ shortcuts: Shortcuts) {
        self.state = state
        traits = state.traits
        objects = state.objects
        ids = state.ids
        self.work = work
        store = state.store
        rules = RowFate.Rules(state.traits)
        usesSequence = shortcuts.contains(.sequence)
    }

    /// Gives rows of a batch their fates; the round is begun with them.
    func classify(
        _ rows: [Int], _ section: EntityRecords, _ arena: Arena, _ round: inout Round
    ) throws(Failure) {
        start(&round, section)
        try leaveWatching(rows, section, arena, &round)
        switch RowFate.decide(in: state.phase, rules, cacheIsWhole: ids.cacheIsWhole) {
        case .all(let fate): classify(rows, as: fate, section, arena, &round)
        case .byIdentifier(let fates): try classify(rows, by: fates, section, arena, &round)
        case .byObject:
            try find(rows, section, arena, inSequence: !traits.startsEmpty, &round)
            order.count(lookedUp: round.keys.count, of: rows.count)
        }
    }

    /// Gives the rows of the next round their fates: their objects exist.
    func classifyNext(_ section: EntityRecords, _ arena: Arena, _ round: inout Round) throws(Failure) {
        let rows = round[.nextRound]
        start(&round, section)
        try find(rows, section, arena, inSequence: false, &round)
    }

    /// Begins a round with rows that are new and have their objectIDs.
    func startWithNew(_ rows: [Int], _ section: EntityRecords, _ round: inout Round) {
        start(&round, section)
        round.add(rows, .new)
    }

    private func start(_ round: inout Round, _ section: EntityRecords) {
        round.start()
        work.ensure(section.count)
    }

    /// Decides by these rows, unless that is decided, whether their entity is to be loaded in another way.
    private func leaveWatching(
        _ rows: [Int], _ section: EntityRecords, _ arena: Arena, _ round: inout Round
    ) throws(Failure) {
        guard case .watching = state.phase else { return }
        if traits.startsEmpty {
            if traits.isTarget, !ids.cacheIsWhole { return }
            try PhaseDecision(state).decideIndex(rows, section, arena, &round)
        } else {
            PhaseDecision(state).decideComparison(order)
        }
    }

    /// Gives rows the same fate.
    private func classify(
        _ rows: [Int], as fate: RowFate, _ section: EntityRecords, _ arena: Arena, _ round: inout Round
    ) {
        if fate == .skipped { state.tally.add(rows.count, to: \.skipped) }
        if fate == .new {
            if !state.phase.hasReserved { for row in rows { assignObjectID(row) } }
            if traits.isTarget {
                for row in rows { ids.insert(ids.key(of: row, section, arena), work.objectIDs[row]) }
            }
        }
        round.add(rows, fate)
    }

    /// Gives rows their fates by their identifiers, which the cache recognises, or the filter where nothing refers to
    /// the objects.
    private func classify(
        _ rows: [Int], by fates: RowFate.ByIdentifier, _ section: EntityRecords, _ arena: Arena, _ round: inout Round
    ) throws(Failure) {
        let late = state.phase.lateIndexing
        guard traits.isTarget else {
            late?.recognise(rows, fates, state, work, section, arena, &round)
            return
        }
        ids.forEach(rows, section, arena) { row in
            let key = ids.key(of: row, section, arena)
            if ids.cache.find(key) == 0 {
                assignObjectID(row, promised: ids.cache.promised(key))
                ids.insert(key, work.objectIDs[row])
                round.add(row, fates.unmet)
            } else {
                round.add(row, fates.met)
            }
        }
        if let late, late.scatters(round.new, state, work) { round.scatterNew() }
        try state.phase.compared?.countCreated(round.new.count, state)
    }

    func assignObjectID(_ row: Int, promised: Int64 = 0) { work.objectIDs[row] = ids.assign(promised: promised) }

    // MARK: By the store

    /// Finds the objects of rows: `inSequence`, where the store may guess them from the order of the records; those
    /// that are left by their sorted identifiers.
    private func find(
        _ rows: [Int], _ section: EntityRecords, _ arena: Arena, inSequence: Bool, _ round: inout Round
    ) throws(Failure) {
        if inSequence, usesSequence {
            try findInSequence(rows, section, arena, &round)
        } else {
            for row in rows { round.appendKey(row, traits, section, arena) }
        }
        round.sortKeys(arena)
        if round.keys.count > 0 {
            try store.find(round.keys, section, arena, work)
            round.addFoundKeys(work.objectIDs)
        }
        if let last = round.found.last {
            let objectID = work.objectIDs[last]
            // After the last object, the feed may begin again with the first.
            lastFound = objectID < traits.highestAtStart ? objectID : 0
        }
        if traits.hasDeletions || !traits.entity.mode.loadsAllRecords || mayContradict {
            for row in round.found { try decideFate(row, section, arena, &round) }
        } else {
            decideFatesOfFound(section, arena, &round)
        }
        for row in missedRows(round.keys) { try decideFate(row, section, arena, &round) }
    }

    private func findInSequence(
        _ rows: [Int], _ section: EntityRecords, _ arena: Arena, _ round: inout Round
    ) throws(Failure) {
        try store.findInSequence(
            rows, section, arena, work, behind: lastFound, upTo: traits.highestAtStart,
            found: { round.addFound($0) }, missed: { round.appendKey($0, traits, section, arena) })
    }

    /// The rows whose object is not in the store, in the order of the feed: new objectIDs follow that order, in which
    /// the next run mostly meets the objects.
    private func missedRows(_ keys: SortedKeys) -> [Int] {
        var missed: [Int] = []
        for place in 0..<keys.count where work.objectIDs[keys.number(place)] == 0 { missed.append(keys.number(place)) }
        missed.sort()
        return missed
    }
}
