import SluiceLoad
import SluicePostgreSQL
import SluiceRecords
import SluiceSchema

// The past of a store's objects, over the life of a run.
extension PostgreSQLStore: HistoryStore {
    package var historyStore: (any HistoryStore)? { self }

    /// Whether the store keeps the past of some of the model's objects; of other entities, it goes on with what it has
    /// begun.
    private var keepsHistory: Bool { model.entities.contains { keepsHistory(of: $0) } }

    private func keepsHistory(of entity: Entity) -> Bool {
        if let keepsPast = entity.keepsPast { return keepsPast }
        return if case .kept = use.history { true } else { false }
    }

    private var past: ServerHistory {
        ServerHistory(connection: connection, schema: location.schema, namespace: quoted(location.schema))
    }

    private var pastViews: ServerPastViews {
        ServerPastViews(history: past, descriptions: check.modelRows.descriptions)
    }

    /// The tables that this run makes.
    private var newTables: Set<ExactText> {
        let made = check.missing.tables.map { model.entities[$0] }
        let links = made.flatMap { schema.linkTables(of: $0) } + check.missing.linkTables
        return Set((made.map(\.table) + links.map(\.name)).map { ExactText($0) })
    }

    /// The entities whose past is kept, or is to be.
    private func followed() throws(Failure) -> [(index: Int, entity: ServerHistory.Followed)] {
        let known = pastOfRun.isKept ? try past.objectTables().map(\.name) : []
        return model.entities.enumerated().compactMap { index, entity in
            let isBegun = entity.keepsPast != false && known.containsExactly(entity.table)
            if !keepsHistory(of: entity), !isBegun { return nil }
            return (
                index,
                .init(
                    table: entity.table, identifier: schema.identifier(of: entity),
                    linkTables: schema.linkTables(of: entity).map(\.name))
            )
        }
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
        var beginning: [ServerHistory.Followed] = []
        /// Whether views of the past show something else.
        var changesViews = false

        var isEmpty: Bool { !isForgotten && forgotten.isEmpty && closing.isEmpty && beginning.isEmpty && !changesViews }
    }

    func historyGrowth() throws(Failure) -> HistoryGrowth {
        pastOfRun.isKept = ownTables.contains("sluice_history")
        if use.history == .forgotten { return HistoryGrowth(isForgotten: pastOfRun.isKept) }
        guard pastOfRun.isKept || keepsHistory else { return HistoryGrowth() }
        // This tells the triggers that objects which this session inserts are not made by programs.
        try connection.write(
            "SELECT set_config('\(ServerHistoryTriggers.setting)', \(location.schema.inQuotes("'")), false)")
        var growth = HistoryGrowth()
        if pastOfRun.isKept {
            let kept = try past.objectTables().map(\.name)
            growth.forgotten = model.entities.filter { $0.keepsPast == false }
                .map { check.renaming.nameBefore(table: $0.table) }.filter(kept.containsExactly)
            growth.closing = try past.closing(check, model)
            growth.changesViews = check.modelRows.rows.contains(where: \.isChanged)
        }
        let new = newTables
        let open = pastOfRun.isKept ? try past.openTables().map(\.name) : []
        let entities = try followed().map(\.entity)
        growth.beginning = entities.filter { entity in
            ([entity.table] + entity.linkTables).contains { !new.contains(ExactText($0)) && !open.containsExactly($0) }
        }
        return growth
    }

    /// Before tables change: drops what the definition no longer keeps of the past, and closes the tables that get
    /// another shape.
    func closeHistory(_ growth: HistoryGrowth) throws(Failure) {
        if growth.isForgotten {
            try pastViews.remove()
            try past.forget()
            pastOfRun.isKept = false
            return
        }
        guard pastOfRun.isKept else { return }
        if !growth.forgotten.isEmpty || !growth.closing.isEmpty { try pastViews.remove() }
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
        let new = newTables
        var entities = pastOfRun.isKept ? try followed().map(\.entity) : growth.beginning
        // Tables that the run has still to make follow when they are there.
        entities = entities.filter { !new.contains(ExactText($0.table)) }
        for index in entities.indices { entities[index].linkTables.removeAll { new.contains(ExactText($0)) } }
        try past.number(entities, run: run) { _ in false }
        pastOfRun.isKept = true
        try past.follow(entities, run: run, isNew: { _ in false }, hasTriggers: true)
        try pastViews.make()
    }

    /// Within the transaction of the run, when all tables are there.
    func beginHistory() throws(Failure) {
        guard pastOfRun.isKept || keepsHistory else { return }
        let new = newTables
        let isNew = { (name: String) in new.contains(ExactText(name)) }
        if pastOfRun.isKept { try past.begin(run: run, check) }
        let entities = try followed()
        let made = try past.number(entities.map(\.entity), run: run, isNew: isNew, hasKeys: !use.savesAtEnd)
        pastOfRun.newPlaces = use.savesAtEnd ? Dictionary(uniqueKeysWithValues: made.map { ($0, NewPlaces()) }) : [:]
        pastOfRun.isKept = true
        try past.setBounds()
        if !new.isEmpty {
            try past.follow(entities.map(\.entity), run: run, isNew: isNew, hasTriggers: !use.savesAtEnd)
        }
        let numbers = try past.objectTables()
        for (index, entity) in entities {
            guard let object = numbers.first(where: { $0.name.isIdentical(to: entity.table) }) else { continue }
            pastOfRun.highestEver[index] = object.highest
            if !model.entities[index].isOfPrograms { pastOfRun.placeNumbers[index] = object.number }
        }
    }

    // MARK: Questions

    /// Makes the views of the past of tables that the run makes, which others are to see at its end.
    func makeNewPastViews() throws(Failure) {
        if !isDry, pastOfRun.isKept, !newTables.isEmpty { try pastViews.make() }
    }

    /// Makes the views of a past that is to begin with the next run, for a dry run: its copies are the first of it.
    ///
    /// - Parameter schema: that of the copies.
    func makeFirstPast(in schema: String) throws(Failure) {
        guard keepsHistory, !ownTables.contains("sluice_history"), use.history != .forgotten else { return }
        let first = ServerHistory(connection: connection, schema: schema, namespace: namespace)
        let entities = try followed().map(\.entity)
        try first.number(entities, run: run) { _ in true }
        try first.follow(entities, run: run, isNew: { _ in true }, hasTriggers: false)
        try ServerPastViews(history: first, descriptions: check.modelRows.descriptions).make()
    }

    // MARK: The end of a run

    /// Ends a run whose data are about to be saved.
    ///
    /// - Returns: the condition for runs that the ledger may forget, as SQL; nil: there is no history.
    func settleHistory() throws(Failure) -> String? {
        guard pastOfRun.isKept else { return nil }
        for (object, places) in pastOfRun.newPlaces { try past.tables.keyPlace(object, mayRepeat: places.mayRepeat) }
        try past.settle(run: run)
        if case .kept(let keep?) = use.history { try past.trim(keep, run: run, now: started) }
        if !newTables.isEmpty { try pastViews.make() }
        return forgettable
    }

    /// Ends a run, within a transaction, after which nothing more of the run is saved.
    ///
    /// - Returns: the condition for runs that the ledger may forget, as SQL; nil: there is no history.
    func settleHistory(ofEnded run: Int) throws(Failure) -> String? {
        guard pastOfRun.isKept || ownTables.contains("sluice_history"), try past.tables.areThere() else { return nil }
        try past.settle(run: run)
        return forgettable
    }

    private var forgettable: String { "run < (SELECT floor FROM \(past.named("sluice_history")))" }
}
