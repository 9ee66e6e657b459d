import SluiceRecords

/// Finds the objects of the rows of one entity, gives objectIDs to the new ones, and gives each row its fate.
final class RowIdentifier {
    let state: EntityState
    let facts: EntityFacts
    let objects: ObjectStates
    let ids: ObjectIDs
    let work: RowWork
    let rules: RowFate.Rules
    private let store: any ObjectStore
    /// Whether objects may be found by guessing them from the order of the records.
    private let usesSequence: Bool
    /// The last object of an earlier run that was found.
    private var lastFound: Int64 = 0
    private var order = OrderWatch()
    /// The identifiers of objects that were never there, and of which a record says that they are gone.
    var goneIdentifiers: (any GoneIdentifiers)?

    init(_ state: EntityState, _ work: RowWork, _ shortcuts: Shortcuts) {
        self.state = state
        facts = state.facts
        objects = state.objects
        ids = state.ids
        self.work = work
        store = state.store
        rules = RowFate.Rules(state.facts)
        usesSequence = shortcuts.contains(.sequence)
    }

    /// Gives rows of a batch their fates; the round is begun with them.
    func identify(
        _ rows: [Int], _ section: EntityRecords, _ arena: Arena, _ round: inout Round
    ) throws(Failure) {
        start(&round, section)
        try leaveWatching(rows, section, arena, &round)
        switch state.phase {
        case .comparing(let kept): try keep(rows, kept, section, arena, &round)
        case .creating: for row in rows { create(row, section, arena, &round) }
        case .indexingLate(let late) where facts.isTarget: identifyByCache(rows, late, section, arena, &round)
        case .indexingLate(let late): late.presumeNew(rows, state, work, section, arena, &round)
        case .watching, .streaming, .loadingAside, .deferring, .candidates:
            try identifyNow(rows, section, arena, &round)
        }
    }

    /// Gives the rows of the next round their fates: their objects exist.
    func identifyNext(_ section: EntityRecords, _ arena: Arena, _ round: inout Round) throws(Failure) {
        let rows = round.nextRound
        start(&round, section)
        try find(rows, section, arena, inSequence: false, &round)
    }

    /// Begins a round with rows that are new and have their objectIDs.
    func takeNew(_ rows: [Int], _ section: EntityRecords, _ round: inout Round) {
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
        if facts.startsEmpty {
            if facts.isTarget, !ids.cacheIsWhole { return }
            try PhaseDecision(state).decideIndex(rows, section, arena, &round)
        } else {
            PhaseDecision(state).decideComparison(order)
        }
    }

    /// Identifies rows of records that are saved as they come.
    private func identifyNow(
        _ rows: [Int], _ section: EntityRecords, _ arena: Arena, _ round: inout Round
    ) throws(Failure) {
        if !facts.isAllNew {
            try find(rows, section, arena, inSequence: !facts.startsEmpty, &round)
            order.note(lookedUp: round.keys.count, of: rows.count)
        } else if facts.entity.mode == .update {
            // There is nothing to update.
            state.tally.add(rows.count, to: \.skipped)
        } else if !facts.isTarget {
            // The unique index refuses those that are not.
            if !state.phase.hasReserved { for row in rows { assignObjectID(row) } }
            round.add(rows, .new)
        } else if ids.cacheIsWhole {
            identifyByCache(rows, nil, section, arena, &round)
        } else {
            try find(rows, section, arena, inSequence: false, &round)
        }
    }

    // MARK: By the cache

    private func identifyByCache(
        _ rows: [Int], _ late: LateIndexing?, _ section: EntityRecords, _ arena: Arena, _ round: inout Round
    ) {
        let fateOfKnown: RowFate = late == nil ? .nextRound : .aside
        ids.forEach(rows, section, arena) { row in
            let key = ids.key(of: row, section, arena)
            if ids.cache.find(key) == 0 {
                assignObjectID(row, promised: ids.cache.promised(key))
                ids.insert(key, work.objectIDs[row])
                round.add(row, .new)
            } else {
                round.add(row, fateOfKnown)
            }
        }
        if let late, late.scatters(round.new, state, work) { round.scatterNew() }
    }

    /// Keeps rows for later, except for those that are certainly new and to which others may refer.
    private func keep(
        _ rows: [Int], _ kept: KeptRecords, _ section: EntityRecords, _ arena: Arena, _ round: inout Round
    ) throws(Failure) {
        guard facts.isTarget, ids.cacheIsWhole else { return round.add(rows, .kept) }
        ids.forEach(rows, section, arena) { row in
            if ids.cache.find(ids.key(of: row, section, arena)) == 0 {
                create(row, section, arena, &round)
            } else {
                round.add(row, .kept)
            }
        }
        try kept.noteCreated(round.new.count, state)
    }

    /// Creates the object of a row that is certainly new.
    private func create(_ row: Int, _ section: EntityRecords, _ arena: Arena, _ round: inout Round) {
        assignObjectID(row)
        if facts.isTarget { ids.insert(ids.key(of: row, section, arena), work.objectIDs[row]) }
        round.add(row, .new)
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
            for row in rows { round.appendKey(row, facts, section, arena) }
        }
        round.sortKeys(arena)
        if round.keys.count > 0 {
            try store.find(round.keys, section, arena, work)
            round.addFoundKeys(work.objectIDs)
        }
        if let last = round.found.last {
            let objectID = work.objectIDs[last]
            // After the last object, the feed may begin again with the first.
            lastFound = objectID < facts.highestAtStart ? objectID : 0
        }
        if rules.rejectsContradictions, !objects.edited.isEmpty {
            try setContradictingAside(section, arena, &round)
        }
        if facts.hasDeletions || facts.entity.mode != .upsert {
            for row in round.found { try settle(row, section, arena, &round) }
        } else {
            settleFound(section, arena, &round)
        }
        for row in missedRows(round.keys) { try settle(row, section, arena, &round) }
    }

    private func findInSequence(
        _ rows: [Int], _ section: EntityRecords, _ arena: Arena, _ round: inout Round
    ) throws(Failure) {
        try store.findInSequence(
            rows, section, arena, work, behind: lastFound, upTo: facts.highestAtStart,
            found: { round.addFound($0) }, missed: { round.appendKey($0, facts, section, arena) })
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
