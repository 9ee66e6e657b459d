import SluiceLoad
import SluicePostgreSQL
import SluiceRecords
import SluiceSchema

/// A store in a schema of a PostgreSQL database: a table for each entity, and the tool's own tables.
///
/// A run is one transaction, so that readers see the old data until its end. New rows are copied into their tables a
/// batch at a time; new tables get their keys, indexes and foreign keys when all rows are there.
@safe
package final class PostgreSQLStore {
    let model: Model
    let schema: Schema
    let location: ServerLocation
    var connection: ServerConnection
    let check: SchemaCheck
    let strangers: StrangersConstraints
    private(set) var tables: [ServerTable] = []
    package let use: StoreUse
    /// Whether sluice has written to the schema before.
    let existed: Bool
    /// The tables of the tool's own that the store had before the run.
    let ownTables: Set<String>
    private let hasSchema: Bool
    /// The number of this run; 0 before it has started.
    var run = 0
    /// When it started: RFC 3339, UTC.
    private(set) var started = ""
    /// Whether the ledger has a row of this run for good.
    private(set) var isNoted = false
    /// The watch over writes of others to the store while the run goes on; nil: it has not begun.
    var others: ServerWatch?
    package internal(set) var stamp: StoreStamp?
    var hasSavedBatches = false
    /// Whether it is not known if the run is saved.
    package internal(set) var isUncertain = false
    /// What the run under way must hold to keep the past of the objects.
    var runHistory = ServerRunHistory()
    /// The entities whose identifiers are not indexed yet.
    var unindexed: Set<Int> = []
    var indexedEarly = EarlyIndexes()
    /// Of a dry run that asks questions: the temporary copies that stand for parts of the store.
    var copies: TemporaryCopies?
    /// The answer that lists the tables of which the planner knows too little.
    var outdated: ServerAnswer?
    /// By entity: the attributes by which references look for its objects, its identifier first.
    private(set) lazy var keyAttributes: [[Int]] = model.keyAttributes
    /// By entity: its highest objectID when the run began.
    var highest: [Int64] = []
    /// What was read when it began.
    var beginning = BeginningReads()
    /// The reads that the server was asked for ahead, and whose answers are wanted next.
    var announced: [ObjectRead: ServerAnswer] = [:]
    var rows = CopyBuffer()
    var parameters = Parameters()

    /// Opens a store without changing anything yet. Waits for another run that has the store, as long as `use` says.
    package init(_ location: ServerLocation, _ use: StoreUse) throws(Failure) {
        self.location = location
        model = use.model
        self.use = use
        schema = Schema(model: use.model, dialect: ServerDialect(namespace: quoted(location.schema)))
        connection = try location.connect(use.pipeline, isCancelled: use.isCancelled)
        connection.isReading = use.isDry
        let catalog = ServerCatalog(connection, location.schema)
        if use.isDry {
            // A dry run reads all as it is at one moment: this must be the first statement of the transaction.
            try connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
        } else {
            try ServerLock(connection, location.schema).take(use) { () throws(Failure) in try catalog.ask() }
        }
        hasSchema = try catalog.hasSchema()
        existed = try catalog.hasLedger
        ownTables = try catalog.ownTables()
        check = try SchemaCheck(catalog, use.model, pipeline: use.pipeline)
        strangers = try StrangersConstraints(connection, catalog, schema, check.renaming, in: location.schema)
        connection.strangersKeys = strangers.keys
        try refuseContradictions()
    }

    deinit {
        // Without this, the server would release the lock only once it has noticed that the connection is gone: the
        // next run may come sooner.
        connection.disarm()
        if connection.isAlive { try? connection.execute("SELECT pg_advisory_unlock_all()") }
        rows.deallocate()
        parameters.deallocate()
    }

    /// Compares the model of a pipeline with a store: what a run would do to it first.
    package static func plan(_ location: ServerLocation, _ model: Model, pipeline: String) throws(Failure)
        -> SchemaPreview
    {
        let limits = ServerLimits(model).contradictions
        if !limits.isEmpty { return SchemaPreview(refused: limits) }
        let connection = try location.connectForReading(pipeline)
        let needs = try ServerSearchNeeds(connection).contradictions(model)
        if !needs.isEmpty { return SchemaPreview(refused: needs) }
        let catalog = ServerCatalog(connection, location.schema)
        guard try catalog.hasLedger else {
            let check = try SchemaCheck(catalog, model, pipeline: pipeline)
            var plan = SchemaPreview(refused: check.contradictions)
            plan.isNew = true
            return plan
        }
        return try SchemaPreview(SchemaCheck(catalog, model, pipeline: pipeline), model)
    }

    private func refuseContradictions() throws(Failure) {
        let needs = try ServerSearchNeeds(connection).contradictions(model)
        try (ServerLimits(model).contradictions + check.contradictions + needs).refuse(use.place)
    }

    /// Whether the store had a ledger before the run, and whether it has one by now.
    var hadLedger: Bool { existed }
    var hasLedger: Bool { isNoted || existed }
    var isDry: Bool { use.isDry }
    var pipeline: String { use.pipeline }

    /// Whether the store has a table of the tool's own that a run makes.
    func has(_ table: String) -> Bool { ownTables.contains(table) || run > 0 && !isDry }

    package var hasObjectsOfOthers: Bool { check.modelRows.hasObjectsOfOthers }

    /// Where the tables are: a dry run has copies of its own.
    lazy var namespace = quoted(location.schema)

    /// A table of the tool's own, or of an entity, as SQL has it.
    func named(_ table: String) -> String { namespace + "." + quoted(table) }

    /// Likewise, in the store itself.
    func stored(_ table: String) -> String { quoted(location.schema) + "." + quoted(table) }

    // MARK: The run

    package func begin(_ start: RunStart) throws(Failure) -> any StoreRun {
        started = start.started
        if isDry {
            try beginDry()
        } else {
            try noteStart(start)
            try grow()
            try connection.write("BEGIN")
            try createTables()
            try beginHistory()
            try keepPrevious()
        }
        try checkQuestions()
        tables = model.entities.indices.map { ServerTable(schema, $0, in: namespace) }
        try readBeginning()
        return self
    }

    /// Notes in the ledger for good that the run has started.
    private func noteStart(_ start: RunStart) throws(Failure) {
        try connection.write("BEGIN")
        if !hasSchema { try connection.write("CREATE SCHEMA \(quoted(location.schema))") }
        let ledger = ServerLedgerTable(connection, stored("sluice_run"), pipeline)
        if !existed { try ledger.create() }
        let number = try ledger.askToStart(start)
        try connection.write("COMMIT") { [unowned self] _ in isNoted = true }
        run = Int(try connection.rows(of: number).integer(0, 0))
    }
}
