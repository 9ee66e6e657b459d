import SluiceLoad
import SluiceRecords
import SluiceSchema

/// The past of a store's objects, over the life of a run.
final class SQLiteRunHistory {
    private let store: SQLiteStore
    /// By entity: the log of where records stood, where the store keeps that.
    private var placeLogs: [Int: PlaceLog] = [:]
    /// By entity: the highest objectID that any object has had, where the past is kept.
    private(set) var highestEver: [Int: Int64] = [:]
    /// By entity: the keeper of the objects that the run changes or deletes; none where triggers keep them.
    private var rows: [Int: ChangedRowKeeper] = [:]
    /// Which objects the run has written; nil: that is not known, or not any more.
    private var written: WrittenObjects?

    init(_ store: SQLiteStore) { self.store = store }

    private var model: Model { store.model }
    private var connection: Connection { store.connection }
    private var use: StoreUse { store.use }
    private var ledger: Ledger { store.ledger }

    private var life: HistorySteps { HistorySteps(store.schema, store.check, use.history, run: ledger.run) }
    var scope: HistoryScope { life.scope }

    /// What keeps the past; nil: the store keeps none, and is not to.
    private func history(isWanted: Bool = false) throws(Failure) -> HistoryKeeper? {
        try SQLiteHistory.keeper(connection, isWanted: isWanted)
    }

    /// Before anything of the store changes: forgets the past that is not to be kept any more, and keeps the rows of
    /// tables that get another shape.
    func begin() throws(Failure) {
        if use.history == .forgotten { _ = try history()?.forget(ofPipeline: scope.own) }
        guard let history = try history() else { return }
        // What views of others read is there while tables and columns get other names.
        try life.change(history, removesViews: store.check.renaming.isEmpty)
    }

    /// Numbers the tables whose past is kept, when they are there: so that it can be kept where records stand.
    func number() throws(Failure) {
        guard let history = try history(isWanted: scope.isWanted) else { return }
        let numbered = try life.number(history)
        highestEver = numbered.highestEver
        placeLogs = numbered.places.mapValues { PlaceLog(connection, object: $0, run: ledger.run) }
    }

    /// Whether the past is kept from the beginning of the run on. A new store is filled faster without, but a question
    /// may name a view of the past.
    var followsEarly: Bool {
        if !store.file.isBuilt { return true }
        if use.questions.isEmpty || !scope.isWanted { return false }
        return SQLiteRunQuestions(store).mayAsk(
            for: model.entities.map { Entity.pastView(of: $0.table) } + ["sluice_history"])
    }

    /// Lets triggers keep the past of the model's objects: where the definition wants that, or the store has begun it.
    func follow() throws(Failure) {
        guard let history = try history(isWanted: scope.isWanted) else { return }
        try life.follow(history, life.followed(history).map(\.entity), hasTriggers: false)
        try history.setBounds()
        written = WrittenObjects(try untouchedTables(history), connection)
        if followsEarly { try keepRows(history) }
        try life.makeViews(history)
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
    func settle(started: String) throws(Failure) {
        if !followsEarly { try follow() }
        let past = SQLiteHistory(connection)
        past.written = written
        forgetWritten()
        if try past.keepsPast() { try life.settle(HistoryKeeper(past), started: started) }
    }

    // MARK: What the connection holds

    /// To be called before the connection is put to another use.
    func forgetStatements() {
        placeLogs = [:]
        rows = [:]
    }

    /// From here on, triggers keep what is changed or deleted: must be called before other programs may write.
    func leaveToTriggers() throws(Failure) {
        let ended = rows
        rows = [:]
        for (_, rows) in ended.sorted(by: { $0.key < $1.key }) { try rows.end() }
    }

    /// Must be called where other programs may have written since the run began, or before the connection is put to
    /// another use.
    func forgetWritten() {
        written?.end()
        written = nil
    }
}

extension SQLiteRunHistory: HistoryStore {
    package func recordsPlaces(of entity: Int) -> Bool { placeLogs[entity] != nil }

    package func recordPlaces(_ rows: [Int], _ section: EntityRecords, _ work: RowScratch) throws(Failure) {
        try placeLogs[section.entity]?.record(rows, section, work, store.batchTable)
    }
}

// What the run changes and deletes is kept before that: each of these is called first.
extension SQLiteRunHistory {
    /// Whether the run itself keeps what it changes of the objects of an entity.
    func keepsRows(of entity: Int) -> Bool { rows[entity] != nil }

    /// Lets the run itself keep what it changes of the objects of its entities, instead of triggers, until other
    /// programs may write.
    ///
    /// Where there are triggers of other programs, sluice's own stay: the run does not see what those change. Tables
    /// that the run makes have no triggers yet.
    private func keepRows(_ history: HistoryKeeper) throws(Failure) {
        if try connection.hasForeignTriggers() { return }
        let followed = try history.openTables().filter { !$0.hasLinks }
        let isNew = scope.isNew
        for (index, entity) in model.entities.enumerated() where !isNew(entity.table) {
            guard let table = followed.first(where: { $0.name.isSameName(as: entity.table) }) else { continue }
            rows[index] = try ChangedRowKeeper(connection, table, run: ledger.run)
        }
    }

    /// Keeps the objects of rows of which something is written to their table.
    func keep(
        _ changing: [Int], _ section: EntityRecords, _ work: RowScratch, _ table: SQLiteTable, _ edits: EditLayer?
    ) throws(Failure) {
        guard let past = rows[section.entity] else { return }
        var changed: [Int] = []
        for row in changing {
            // What of an edited object is written is known only when it is written: it is kept then.
            if edits?.contains(work.objectIDs[row]) ?? false { continue }
            if try table.update(work.columnSet(row)).statement != nil { changed.append(row) }
        }
        try past.keep(changed, section, work, store.batchTable)
    }

    /// Keeps an object that a program has edited, of whose row something is written to its table.
    func keep(edited row: Int, _ section: EntityRecords, _ work: RowScratch) throws(Failure) {
        try rows[section.entity]?.keep([row], section, work, store.batchTable)
    }

    /// Keeps objects of an entity, a list of them as JSON, that are changed or deleted.
    func keep(_ list: String, entity: Int, areGoing: Bool) throws(Failure) {
        try rows[entity]?.keep("SELECT value AS o FROM json_each(?1)", list, areGoing: areGoing)
    }

    /// Keeps the objects of any table for which a condition holds; its first parameter is a list.
    func keep(of table: String, _ condition: String, _ list: String, areGoing: Bool) throws(Failure) {
        for (entity, past) in rows where model.entities[entity].table.isSameName(as: table) {
            try past.keep("SELECT \"objectID\" AS o FROM \(quoted(table)) \(condition)", list, areGoing: areGoing)
        }
    }
}
