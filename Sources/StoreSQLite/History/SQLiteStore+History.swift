import SluiceLoad
import SluiceRecords
import SluiceSchema

// The past of a store's objects, over the life of a run.
extension SQLiteStore: HistoryStore {
    package var historyStore: (any HistoryStore)? { self }

    var historyScope: HistoryScope { HistoryScope(schema, check, use.history) }

    /// What keeps the past; nil: the store keeps none, and is not to.
    func history(isWanted: Bool = false) throws(Failure) -> HistoryKeeper? {
        let store = SQLiteHistory(connection)
        if !isWanted, try !store.keepsPast() { return nil }
        return HistoryKeeper(store)
    }

    /// Before anything of the store changes: forgets the past that is not to be kept any more, and keeps the rows of
    /// tables that get another shape.
    func beginHistory() throws(Failure) {
        if use.history == .forgotten { try history()?.forget() }
        guard let history = try history() else { return }
        try history.forget(historyScope.forgotten)
        try history.begin(run: ledger.run, check)
        for table in try history.openTables() {
            try history.store.write(SQLiteHistoryTriggers(table: table).dropOfNew)
        }
        try history.close(history.closing(check, model), run: ledger.run)
        try history.rename(check.renaming)
    }

    /// Numbers the tables whose past is kept, when they are there: so that it can be noted where records stand.
    func numberHistory() throws(Failure) {
        runHistory = SQLiteRunHistory()
        let scope = historyScope
        guard let history = try history(isWanted: scope.isWanted) else { return }
        let entities = try followed(history, scope)
        try history.number(entities.map(\.entity), run: ledger.run, isNew: scope.isNew)
        let tables = try history.objectTables()
        for (index, entity) in entities {
            guard let table = tables.first(where: { $0.name.isSameName(as: entity.table) }) else { continue }
            runHistory.highestEver[index] = table.highest
            if model.entities[index].isOfPrograms { continue }
            runHistory.placeLogs[index] = PlaceLog(connection, object: table.number, run: ledger.run)
        }
    }

    private func followed(
        _ history: HistoryKeeper, _ scope: HistoryScope
    ) throws(Failure) -> [(index: Int, entity: HistoryKeeper.Followed)] {
        try scope.followed(history.store.keepsPast() ? history.objectTables().map(\.name) : [])
    }

    /// Whether the past is kept from the beginning of the run on. A new store is filled faster without, but a question
    /// may name a view of the past.
    var followsHistoryEarly: Bool {
        if !file.isBuilt { return true }
        if use.questions.isEmpty || !historyScope.isWanted { return false }
        return mayAsk(for: model.entities.map { Entity.pastView(of: $0.table) } + ["sluice_history"])
    }

    /// Lets triggers keep the past of the model's objects: where the definition wants that, or the store has begun it.
    func followHistory() throws(Failure) {
        let scope = historyScope
        guard let history = try history(isWanted: scope.isWanted) else { return }
        let entities = try followed(history, scope).map(\.entity)
        try history.follow(entities, run: ledger.run, isNew: scope.isNew, hasTriggers: false)
        try history.setBounds()
        runHistory.written = WrittenObjects(try untouchedTables(history), connection)
        if followsHistoryEarly { try keepPastRows(history) }
        try history.makeViews(check.modelRows.descriptions)
    }

    /// The tables of objects in which nothing was changed since the last run.
    private func untouchedTables(_ history: HistoryKeeper) throws(Failure) -> [String] {
        var names: [String] = []
        for table in try history.openTables() where !table.hasLinks {
            let isTouched =
                try connection.integer("SELECT 1 FROM \(table.past) WHERE r = \(ledger.run) LIMIT 1") != nil
            if !isTouched { names.append(table.name) }
        }
        return names
    }

    /// Ends a run whose data are saved.
    func settleHistory() throws(Failure) {
        if !followsHistoryEarly { try followHistory() }
        let store = SQLiteHistory(connection)
        store.written = runHistory.written
        runHistory.forgetWritten()
        guard try store.keepsPast() else { return }
        let history = HistoryKeeper(store)
        try history.settle(run: ledger.run)
        guard case .kept(let keep?) = use.history else { return }
        try history.trim(keep, run: ledger.run, now: started)
        try history.makeViews(check.modelRows.descriptions)
    }

    /// Ends a run that has failed: the batches that it has saved belong to it.
    func settleFailedHistory() throws(Failure) {
        guard let history = try history() else { return }
        try connection.execute("BEGIN IMMEDIATE")
        try history.settle(run: ledger.run)
        try connection.execute("COMMIT")
    }

    // MARK: Where records stood

    package func notesPlaces(of entity: Int) -> Bool { runHistory.placeLogs[entity] != nil }

    package func notePlaces(_ rows: [Int], _ section: EntityRecords, _ work: RowWork) throws(Failure) {
        guard let log = runHistory.placeLogs[section.entity], let batchTable else { return }
        try log.note(rows, section, work, batchTable)
    }
}

/// Notes where the records stood that created or changed objects of one entity.
final class PlaceLog {
    private let connection: Connection
    private let object: Int64
    private let run: Int
    private var insertion = PreparedStatement()

    init(_ connection: Connection, object: Int64, run: Int) {
        self.connection = connection
        self.object = object
        self.run = run
    }

    /// Notes the places for the objects of rows; of each object, the last record counts.
    func note(
        _ rows: [Int], _ section: EntityRecords, _ work: RowWork, _ batchTable: BatchTable
    ) throws(Failure) {
        if rows.isEmpty { return }
        let statement = try insertion.get(
            connection,
            """
            INSERT OR REPLACE INTO \(HistoryTable.place(object)) (r, o, at, line, "column", "offset")
            SELECT \(run), \(BatchTable.columnList(BatchTable.placeColumns.count)) FROM \(BatchTable.name)
            """)
        try batchTable.run(statement, rows[...], placesOf: section, work)
    }
}
