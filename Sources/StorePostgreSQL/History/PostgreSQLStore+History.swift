import SluiceLoad
import SluicePostgreSQL
import SluiceRecords
import SluiceSchema

// The past of a store's objects, over the life of a run.
extension PostgreSQLStore: HistoryStore {
    package var historyStore: (any HistoryStore)? { self }

    private var historyScope: HistoryScope { HistoryScope(schema, check, use.history) }

    private var past: HistoryKeeper { HistoryKeeper(ServerHistory(connection, location.schema)) }

    private func makePastViews() throws(Failure) { try past.makeViews(check.modelRows.descriptions) }

    /// The entities whose past is kept, or is to be.
    private func followed() throws(Failure) -> [(index: Int, entity: HistoryKeeper.Followed)] {
        try historyScope.followed(runHistory.isKept ? past.objectTables().map(\.name) : [])
    }

    // MARK: The beginning of a run

    /// What a run does to the past of tables that are there, in the transaction in which these get another shape.
    struct HistoryGrowth {
        var isForgotten = false
        /// The tables of which the past is forgotten, as they are called.
        var forgotten: [String] = []
        /// What gets another shape.
        var closing: [HistoryTable] = []
        /// What is there, and has no past yet.
        var beginning: [HistoryKeeper.Followed] = []
        /// Whether views of the past show something else.
        var changesViews = false

        var isEmpty: Bool { !isForgotten && forgotten.isEmpty && closing.isEmpty && beginning.isEmpty && !changesViews }
    }

    func historyGrowth() throws(Failure) -> HistoryGrowth {
        runHistory.isKept = ownTables.contains("sluice_history")
        if use.history == .forgotten { return HistoryGrowth(isForgotten: runHistory.isKept) }
        let scope = historyScope
        guard runHistory.isKept || scope.isWanted else { return HistoryGrowth() }
        // This tells the triggers that objects which this session inserts are not made by programs.
        try connection.write(
            "SELECT set_config('\(ServerHistoryTriggers.setting)', \(location.schema.inQuotes("'")), false)")
        var growth = HistoryGrowth()
        if runHistory.isKept {
            let kept = try past.objectTables().map(\.name)
            growth.forgotten = scope.forgotten.filter(kept.containsExactly)
            growth.closing = try past.closing(check, model)
            growth.changesViews = check.modelRows.rows.contains(where: \.isChanged)
        }
        let isNew = scope.isNew
        let open = runHistory.isKept ? try past.openTables().map(\.name) : []
        let entities = try followed().map(\.entity)
        growth.beginning = entities.filter { entity in
            ([entity.table] + entity.linkTables).contains { !isNew($0) && !open.containsExactly($0) }
        }
        return growth
    }

    /// Before tables change: drops what the definition no longer keeps of the past, and closes the tables that get
    /// another shape.
    func closeHistory(_ growth: HistoryGrowth) throws(Failure) {
        if growth.isForgotten {
            try past.forget()
            runHistory.isKept = false
            return
        }
        guard runHistory.isKept else { return }
        try past.forget(growth.forgotten)
        try past.begin(run: run, check)
        if growth.closing.isEmpty { return }
        let left = growth.forgotten.isEmpty ? [] : try past.openTables().map(\.number)
        let closing = growth.closing.filter { growth.forgotten.isEmpty || left.contains($0.number) }
        try past.close(closing, run: run)
        try past.rename(check.renaming)
    }

    /// After tables have changed.
    func resumeHistory(_ growth: HistoryGrowth) throws(Failure) {
        if growth.isEmpty || growth.isForgotten { return }
        let isNew = historyScope.isNew
        var entities = runHistory.isKept ? try followed().map(\.entity) : growth.beginning
        // Tables that the run has still to make follow when they are there.
        entities = entities.filter { !isNew($0.table) }
        for index in entities.indices { entities[index].linkTables.removeAll(where: isNew) }
        try past.number(entities, run: run) { _ in false }
        runHistory.isKept = true
        try past.follow(entities, run: run, isNew: { _ in false }, hasTriggers: true)
        try makePastViews()
    }

    /// Within the transaction of the run, when all tables are there.
    func beginHistory() throws(Failure) {
        let scope = historyScope
        guard runHistory.isKept || scope.isWanted else { return }
        if runHistory.isKept { try past.begin(run: run, check) }
        let entities = try followed()
        let made = try past.number(entities.map(\.entity), run: run, isNew: scope.isNew, hasKeys: !use.savesAtEnd)
        runHistory.newPlaces = use.savesAtEnd ? Dictionary(uniqueKeysWithValues: made.map { ($0, NewPlaces()) }) : [:]
        runHistory.isKept = true
        try past.setBounds()
        if !scope.newTables.isEmpty {
            try past.follow(entities.map(\.entity), run: run, isNew: scope.isNew, hasTriggers: !use.savesAtEnd)
        }
        let numbers = try past.objectTables()
        for (index, entity) in entities {
            guard let object = numbers.first(where: { $0.name.isIdentical(to: entity.table) }) else { continue }
            runHistory.highestEver[index] = object.highest
            if !model.entities[index].isOfPrograms { runHistory.placeNumbers[index] = object.number }
        }
    }

    // MARK: Questions

    /// Makes the views of the past of tables that the run makes, which others are to see at its end.
    func makeNewPastViews() throws(Failure) {
        if !isDry, runHistory.isKept, !historyScope.newTables.isEmpty { try makePastViews() }
    }

    /// Makes the views of a past that is to begin with the next run, for a dry run: its copies are the first of it.
    ///
    /// - Parameter schema: that of the copies.
    func makeFirstPast(in schema: String) throws(Failure) {
        guard historyScope.isWanted, !ownTables.contains("sluice_history"), use.history != .forgotten else { return }
        let first = HistoryKeeper(ServerHistory(connection, schema, namespace: namespace))
        let entities = try followed().map(\.entity)
        try first.number(entities, run: run) { _ in true }
        try first.follow(entities, run: run, isNew: { _ in true }, hasTriggers: false)
        try first.makeViews(check.modelRows.descriptions)
    }

    // MARK: The end of a run

    /// Ends a run whose data are about to be saved.
    ///
    /// - Returns: the condition for runs that the ledger may forget, as SQL; nil: there is no history.
    func settleHistory() throws(Failure) -> String? {
        guard runHistory.isKept else { return nil }
        let store = ServerHistory(connection, location.schema)
        for (object, places) in runHistory.newPlaces { try store.keyPlace(object, mayRepeat: places.mayRepeat) }
        try past.settle(run: run)
        if case .kept(let keep?) = use.history { try past.trim(keep, run: run, now: started) }
        if !historyScope.newTables.isEmpty { try makePastViews() }
        return forgettable
    }

    /// Ends a run, within a transaction, after which nothing more of the run is saved.
    ///
    /// - Returns: the condition for runs that the ledger may forget, as SQL; nil: there is no history.
    func settleHistory(ofEnded run: Int) throws(Failure) -> String? {
        guard runHistory.isKept || ownTables.contains("sluice_history"), try past.store.keepsPast() else { return nil }
        try past.settle(run: run)
        return forgettable
    }

    private var forgettable: String { "run < (SELECT floor FROM \(past.store.dialect.own("sluice_history")))" }
}
