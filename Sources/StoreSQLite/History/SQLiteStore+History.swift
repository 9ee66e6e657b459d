import SluiceLoad
import SluiceRecords
import SluiceSchema

// The past of a store's objects, over the life of a run.
extension SQLiteStore: HistoryStore {
    package var historyStore: (any HistoryStore)? { self }

    /// Whether the store keeps the past of some of the model's objects; of other entities, it goes on with what it has
    /// begun.
    var keepsHistory: Bool { model.entities.contains { keepsHistory(of: $0) } }

    func keepsHistory(of entity: Entity) -> Bool {
        if let keepsPast = entity.keepsPast { return keepsPast }
        return if case .kept = use.history { true } else { false }
    }

    /// Forgets the past of entities of which none is to be kept any more, before anything of the store changes.
    func forgetEntities() throws(Failure) {
        let tables = model.entities.filter { $0.keepsPast == false }
            .map { check.renaming.nameBefore(table: $0.table) }
        if tables.isEmpty { return }
        try StoreHistory(connection, isWanted: false)?.forget(tables)
    }

    /// The entities whose past is kept, or is to be.
    private func followed(_ past: StoreHistory) throws(Failure) -> [(index: Int, entity: StoreHistory.Followed)] {
        var followed: [(index: Int, entity: StoreHistory.Followed)] = []
        for (index, entity) in model.entities.enumerated() {
            if !keepsHistory(of: entity) {
                if entity.keepsPast == false { continue }
                if try !past.follows(entity.table) { continue }
            }
            followed.append(
                (
                    index,
                    .init(
                        table: entity.table, identifier: schema.identifier(of: entity),
                        linkTables: schema.linkTables(of: entity).map(\.name))
                ))
        }
        return followed
    }

    /// The tables that this run makes, as `isNew` asks for them.
    var newTables: Set<FoldedName> {
        let made = check.missing.tables.map { model.entities[$0] }
        let links = made.flatMap { schema.linkTables(of: $0) } + check.missing.linkTables
        return Set((made.map(\.table) + links.map(\.name)).map { FoldedName($0) })
    }

    /// Numbers the tables whose past is kept, when they are there: so that it can be noted where records stand.
    func numberHistory() throws(Failure) {
        past = PastOfRun()
        guard let history = try StoreHistory(connection, isWanted: keepsHistory) else { return }
        let (entities, new) = (try followed(history), newTables)
        try history.number(entities.map(\.entity), run: ledger.run) { new.contains(FoldedName($0)) }
        for (index, entity) in entities {
            past.highestEver[index] = try history.highest(of: entity.table)
            guard let number = try history.number(of: entity.table), !model.entities[index].isOfPrograms else {
                continue
            }
            past.placeLogs[index] = PlaceLog(connection, object: number, run: ledger.run)
        }
    }

    /// Whether the past is kept from the beginning of the run on. A new store is filled faster without, but a question
    /// may name a view of the past.
    var followsHistoryEarly: Bool {
        if !file.isBuilt { return true }
        if use.questions.isEmpty || !keepsHistory { return false }
        return mayAsk(for: model.entities.map { Entity.pastView(of: $0.table) } + ["sluice_history"])
    }

    /// Lets triggers keep the past of the model's objects: where the definition wants that, or the store has begun it.
    func followHistory() throws(Failure) {
        guard let history = try StoreHistory(connection, isWanted: keepsHistory) else { return }
        let (entities, new) = (try followed(history).map(\.entity), newTables)
        try history.follow(entities, run: ledger.run, check.renaming) { new.contains(FoldedName($0)) }
        past.written = WrittenObjects(try history.untouchedTables(run: ledger.run), connection)
        if followsHistoryEarly { try keepPastRows(history) }
        try makePastViews()
    }

    private func makePastViews() throws(Failure) {
        try PastViews(connection: connection).make(check.modelRows.descriptions)
    }

    /// Ends a run whose data are saved.
    func settleHistory() throws(Failure) {
        if !followsHistoryEarly { try followHistory() }
        let written = past.written
        past.forgetWritten()
        guard let kept = try StoreHistory(connection, isWanted: false) else { return }
        try kept.settle(run: ledger.run, written)
        guard case .kept(let keep?) = use.history else { return }
        try kept.trim(keep, run: ledger.run, now: started)
        try makePastViews()
    }

    /// Ends a run that has failed: the batches that it has saved belong to it.
    func settleFailedHistory() throws(Failure) {
        guard let history = try StoreHistory(connection, isWanted: false) else { return }
        try connection.execute("BEGIN IMMEDIATE")
        try history.settle(run: ledger.run)
        try connection.execute("COMMIT")
    }

    // MARK: Where records stood

    package func notesPlaces(of entity: Int) -> Bool { past.placeLogs[entity] != nil }

    package func notePlaces(_ rows: [Int], _ section: EntityRecords, _ work: RowWork) throws(Failure) {
        guard let log = past.placeLogs[section.entity], let batchTable else { return }
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
