import SluiceLoad
import SluiceRecords
import SluiceSchema

/// A run of a store in an SQLite database, from its beginning to its end.
@safe
package final class SQLiteRun {
    let store: SQLiteStore
    /// When the run started: RFC 3339, UTC.
    let started: String
    var tables: [SQLiteTable]
    let indexes: SQLiteIndexing
    let edits: SQLiteEdits
    let history: SQLiteRunHistory
    private let waitingList: WaitingList
    private let stubList: StubList
    /// What the indexes of words do not know yet; nil: there are none.
    let words: LateWords?

    /// Begins a run whose transaction is open, and of which the ledger knows: the store gets the shape that the
    /// definition asks for.
    init(_ store: SQLiteStore, started: String) throws(Failure) {
        self.store = store
        self.started = started
        let beginning = SQLiteBeginning(store)
        indexes = SQLiteIndexing(store)
        history = SQLiteRunHistory(store)
        try history.begin()
        words = try beginning.perform(indexes)
        try history.number()
        if history.followsEarly { try history.follow() }
        waitingList = try WaitingList(store.connection, store.model, run: store.ledger.run)
        stubList = try StubList(store.connection)
        try beginning.forgetGoneObjects()
        tables = SQLiteTable.all(store, words)
        edits = try SQLiteEdits(store, tables)
        try SQLiteRunQuestions(store).begin()
        if store.use.keptChanges > 0 { try ChangeTable(connection: store.connection).make() }
    }

    deinit { release() }

    /// Lets go of all statements: they must be gone before the schema changes much, or the connection is closed.
    private func forgetStatements() {
        tables = []
        history.forgetStatements()
        waitingList.forgetStatements()
        stubList.forgetStatements()
        edits.forgetStatements()
    }

    /// Lets go of all that the connection holds for the run. It must not be used again.
    func release() {
        forgetStatements()
        history.forgetWritten()
    }

    // MARK: What it is a run of

    var model: Model { store.model }
    var schema: Schema { store.schema }
    var connection: Connection { store.connection }
    var use: StoreUse { store.use }
    var check: SchemaCheck { store.check }

    package var number: Int { store.ledger.run }
    package var hasObjectsOfOthers: Bool { check.modelRows.hasObjectsOfOthers }

    // MARK: Statements

    /// Makes the prepared statements of all tables anew.
    func renewTables() { tables = SQLiteTable.all(store, words) }

    /// Writes the changes so far to the indexes of words.
    func writeWords() throws(Failure) {
        // Statements that were prepared before would not record the next changes: they are made anew.
        if try words?.write() == true { renewTables() }
    }
}

extension SQLiteRun: StoreRun {
    package func saveBatch() throws(Failure) {
        try writeWords()
        try history.leaveToTriggers()
        try store.saveBatch()
        // From here on others may have written, too.
        history.forgetWritten()
    }

    package func commit(_ outcome: RunOutcome) throws(Failure) {
        let isCopy = store.file.isCopy
        // Nobody will ever look into a copy.
        if !isCopy { try writeWords() }
        forgetStatements()
        if store.file.isBuilt { try WantedSideIndexes(store).make() }
        try history.settle(started: started)
        if isCopy { return connection.close() }
        try ModelTable(connection: connection).write(check.modelRows.settled, dropping: [], run: store.ledger.run)
        try store.ledger.finish(outcome)
        try store.save()
    }

    package var convertedAttributes: [(entity: Int, attribute: Int)] { check.convertedAttributes }

    package func replaceFetchMarks(_ marks: [FetchMark], pipeline: String) throws(Failure) {
        try FetchTable(connection: connection).replace(marks, pipeline: pipeline)
    }

    package func finishIndexes() throws(Failure) { try indexes.finish { renewTables() } }

    package var questionStore: (any QuestionStore)? { self }

    package var indexDroppingStore: (any IndexDroppingStore)? { indexes }
    package var lateIndexStore: (any LateIndexStore)? { indexes }
    package var editStore: (any EditStore)? { edits }
    package var historyStore: (any HistoryStore)? { history }
}

extension SQLiteRun: QuestionStore {
    package func ask(_ question: Question, each: (Answer) throws(Failure) -> Void) throws(Failure) -> Bool {
        // They may ask for words, too.
        try writeWords()
        return try SQLiteRunQuestions(store).asked.ask(question, each: each)
    }
}

// What waits for its target, and of what only the identifier is known.
extension SQLiteRun {
    package func waitingObjects(entity: Int, relationship: Int) throws(Failure) -> ObjectIDSet {
        try waitingList.objects(entity, relationship)
    }

    package func waits(
        of objectIDs: [Int64], entity: Int, relationship: Int,
        each: (_ objectID: Int64, _ waiting: WaitingReference) -> Void
    ) throws(Failure) {
        for objectID in objectIDs {
            let owner = ReferenceOwner(entity: entity, relationship: relationship, objectID: objectID)
            try waitingList.visit(owner) { each(objectID, $0) }
        }
    }

    package func appendWaiting(
        _ range: WaitingRange, _ section: EntityRecords, _ batch: RecordBatch, _ work: RowScratch
    ) throws(Failure) -> [Int64] {
        try waitingList.append(range, section, batch, work)
    }

    package func wait(_ entries: [NewWaitingReference], entity: Int, relationship: Int) throws(Failure) {
        for entry in entries { try waitingList.add(entry, entity, relationship) }
    }

    package func positionWaiting(
        _ positions: [(objectID: Int64, at: FeedPosition)], entity: Int, relationship: Int
    ) throws(Failure) {
        for (objectID, at) in positions {
            try waitingList.setPosition(
                ReferenceOwner(entity: entity, relationship: relationship, objectID: objectID), at)
        }
    }

    package func stopWaiting(_ entries: [SettledWaitingReference], entity: Int, relationship: Int) throws(Failure) {
        for entry in entries {
            let owner = ReferenceOwner(entity: entity, relationship: relationship, objectID: entry.objectID)
            try waitingList.remove(owner, entry.position)
        }
    }

    package func stubs(entity: Int) throws(Failure) -> ObjectIDSet {
        try stubList.objects(model.entities[entity].name)
    }

    package func markStubs(_ objectIDs: [Int64], entity: Int, _ areStubs: Bool) throws(Failure) {
        for objectID in objectIDs { try stubList.mark(objectID, model.entities[entity].name, areStubs) }
    }
}
