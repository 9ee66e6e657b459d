import SluiceLoad
import SluicePostgreSQL
import SluiceRecords
import SluiceSchema

/// A run of a store on a server, from its beginning to its end.
@safe
package final class ServerRun {
    let store: PostgreSQLStore
    package let number: Int
    /// When the run started: RFC 3339, UTC.
    let started: String
    let tables: [ServerTable]
    let indexes: ServerIndexing
    let history: ServerRunHistory
    private let questions: ServerRunQuestions
    let waitingList: ServerWaitingList
    /// What was read when the run began.
    var beginning: BeginningReads
    /// The reads that the server was asked for ahead, and whose answers are wanted next.
    var sentReads: [ObjectRead: ServerAnswer] = [:]
    var rows = CopyBuffer()
    var parameters = Parameters()

    /// Begins a run of which the ledger knows: the store gets the shape that the definition asks for.
    init(_ store: PostgreSQLStore, number: Int, started: String) throws(Failure) {
        (self.store, self.number, self.started) = (store, number, started)
        history = ServerRunHistory(store, run: number)
        indexes = ServerIndexing(store)
        waitingList = ServerWaitingList(store, run: number)
        questions = try ServerBeginning(store, history, run: number).perform()
        tables = ServerTable.all(store)
        beginning = try BeginningReads(store, history)
    }

    deinit {
        rows.deallocate()
        parameters.deallocate()
    }

    // MARK: What it is a run of

    var model: Model { store.model }
    var schema: Schema { store.schema }
    var connection: ServerConnection { store.connection }
    var location: ServerLocation { store.location }
    var check: SchemaCheck { store.check }
    var isDry: Bool { store.isDry }

    package var hasObjectsOfOthers: Bool { check.modelRows.hasObjectsOfOthers }

    func named(_ table: String) -> String { store.named(table) }
    func stored(_ table: String) -> String { store.stored(table) }
}

extension ServerRun: StoreRun {
    package var fit: (any RecordFit)? {
        get throws(Failure) {
            try ServerFit(model, connection, keepsPast: Set(history.followed().map(\.index)).contains)
        }
    }

    package func saveBatch() throws(Failure) {
        try connection.execute("COMMIT")
        try connection.execute("BEGIN")
        indexes.statistics.hasSavedBatches = true
    }

    package func commit(_ outcome: RunOutcome) throws(Failure) {
        if isDry { return try connection.execute("ROLLBACK") }
        try indexes.statistics.renewOutdated()
        try ServerModelTable(connection, named("sluice_model"))
            .write(check.modelRows.settled, dropping: [], run: number)
        try store.save(outcome, history.settle(started: started))
    }

    package var convertedAttributes: [(entity: Int, attribute: Int)] { check.convertedAttributes }

    package func finishIndexes() throws(Failure) { try indexes.finish() }

    package var questionStore: (any QuestionStore)? { questions }
    package var lateIndexStore: (any LateIndexStore)? { indexes }

    package func replaceFetchMarks(_ marks: [FetchMark], pipeline: String) throws(Failure) {
        try connection.write("DELETE FROM \(named("sluice_fetch")) WHERE pipeline = $1", .text(pipeline))
        if marks.isEmpty { return }
        try connection.write(
            """
            INSERT INTO \(named("sluice_fetch")) (pipeline, source, request, etag, last_modified)
            SELECT $1, k.* FROM unnest($2, $3, $4, $5) k
            """, .text(pipeline), .texts(marks.map(\.source)), .texts(marks.map(\.request)), .texts(marks.map(\.etag)),
            .texts(marks.map(\.lastModified)))
    }
}

// What waits for its target, and of what only the identifier is known.
extension ServerRun {
    package func waitingObjects(entity: Int, relationship: Int) throws(Failure) -> ObjectIDSet {
        let definition = model.entities[entity]
        if let waiting = beginning.waiting?.take(definition.name, definition.relationships[relationship].name) {
            return waiting
        }
        return try waitingList.objects(entity, relationship)
    }

    package func waits(
        of objectIDs: [Int64], entity: Int, relationship: Int,
        each: (_ objectID: Int64, _ waiting: WaitingReference) -> Void
    ) throws(Failure) {
        if objectIDs.isEmpty { return }
        let found = try rows(of: .waits(entity: entity, relationship: relationship, objectIDs: objectIDs))
        waitingList.read(found, each)
    }

    package func appendWaiting(
        _ range: WaitingRange, _ section: EntityRecords, _ batch: RecordBatch, _ work: RowScratch
    ) throws(Failure) -> [Int64] {
        try waitingList.append(range, section, batch, work)
    }

    package func wait(_ entries: [NewWaitingReference], entity: Int, relationship: Int) throws(Failure) {
        try waitingList.add(entries, entity, relationship)
    }

    package func positionWaiting(
        _ positions: [(objectID: Int64, at: FeedPosition)], entity: Int, relationship: Int
    ) throws(Failure) {
        try waitingList.setPositions(positions, entity, relationship)
    }

    package func stopWaiting(_ entries: [SettledWaitingReference], entity: Int, relationship: Int) throws(Failure) {
        try waitingList.remove(entries, entity, relationship)
    }

    package func stubs(entity: Int) throws(Failure) -> ObjectIDSet {
        if let stubs = beginning.stubs?.take(model.entities[entity].name) { return stubs }
        return try connection.objectIDSet(
            "SELECT \"objectID\" FROM \(named("sluice_stub")) WHERE entity = $1 AND \"objectID\" > $2",
            [.text(model.entities[entity].name)])
    }

    package func markStubs(_ objectIDs: [Int64], entity: Int, _ areStubs: Bool) throws(Failure) {
        if objectIDs.isEmpty { return }
        let table = named("sluice_stub")
        try connection.write(
            areStubs
                ? "INSERT INTO \(table) (entity, \"objectID\") SELECT DISTINCT $1, o FROM unnest($2) k(o)"
                    + " WHERE NOT EXISTS (SELECT 1 FROM \(table) s WHERE s.entity = $1 AND s.\"objectID\" = o)"
                : "DELETE FROM \(table) WHERE entity = $1 AND \"objectID\" = ANY($2)",
            .text(model.entities[entity].name), .integers(objectIDs))
    }
}
