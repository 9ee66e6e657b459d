import SluiceLoad
import SluicePostgreSQL
import SluiceRecords
import SluiceSchema

/// A store in a schema of a PostgreSQL database: a table for each entity, and the tool's own tables.
///
/// A run is one transaction, so that readers see the old data until its end. New rows are copied into their tables a
/// batch at a time; new tables get their keys, indexes and foreign keys when all rows are there.
package final class PostgreSQLStore {
    let model: Model
    let schema: Schema
    let location: ServerLocation
    /// It is replaced where it was lost while a run ends.
    var connection: ServerConnection
    let use: StoreUse
    let found: Found
    /// Of the views that the run has removed.
    let viewGrants: ViewGrants
    /// Where the tables are, as SQL has it: a dry run has copies of its own.
    let namespace: ServerNamespace
    var entry = LedgerEntry()
    var watched = WatchedWrites()
    /// The answers of the ledger whose queries were sent when a run began.
    var sent = SentLedger()
    /// Whether the past of the objects is kept.
    var keepsPast: Bool

    /// What the store was like when it was opened.
    struct Found {
        var hasSchema: Bool
        /// Whether sluice has written to the schema before.
        var hasLedger: Bool
        /// The tables of the tool's own.
        var ownTables: Set<String>
        var check: SchemaCheck
        var strangers: StrangersConstraints
    }

    /// What the ledger knows of a run.
    struct LedgerEntry {
        /// 0 before it has started.
        var number = 0
        /// Whether the ledger has a row of it for good.
        var isForGood = false
        /// Whether it is not known if the run is saved.
        var isUncertain = false
        /// Whether the tables have taken the shape of the definition for good.
        var isReshaped = false
    }

    /// Opens a store without changing anything yet. Waits for another run that has the store, as long as `use` says.
    package init(_ location: ServerLocation, _ use: StoreUse) throws(Failure) {
        self.location = location
        model = use.model
        self.use = use
        schema = Schema(model: use.model, dialect: ServerDialect(namespace: ServerNamespace(location.schema)))
        namespace = use.isDry ? .temporary : ServerNamespace(location.schema)
        let connection = try location.connect(use.pipeline, isCancelled: use.isCancelled)
        self.connection = connection
        connection.isReading = use.isDry
        let catalog = ServerCatalog(connection, location.schema)
        if use.isDry {
            // A dry run reads all as it is at one moment: this must be the first statement of the transaction.
            try connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
        } else {
            try ServerLock(connection, location.schema).take(use) { () throws(Failure) in try catalog.sendQueries() }
        }
        let (hasSchema, hasLedger) = (try catalog.hasSchema(), try catalog.hasLedger)
        let ownTables = try catalog.ownTables()
        try catalog.checkForeignKeys(schema)
        let check = try SchemaCheck(catalog, use.model, pipeline: use.pipeline)
        let strangers = try StrangersConstraints(connection, catalog, schema, check.renaming, in: location.schema)
        connection.strangersKeys = strangers.keys
        found = Found(
            hasSchema: hasSchema, hasLedger: hasLedger, ownTables: ownTables, check: check, strangers: strangers)
        viewGrants = ViewGrants(check.renaming)
        keepsPast = ownTables.contains("sluice_history")
        let needs = try ServerSearchNeeds(connection).contradictions(model)
        try (ServerLimits(model).contradictions + check.contradictions + needs).refuse(use.place)
    }

    deinit {
        // Without this, the server would release the lock only once it has noticed that the connection is gone: the
        // next run may come sooner.
        connection.disarm()
        if connection.isAlive { try? connection.execute("SELECT pg_advisory_unlock_all()") }
    }

    var check: SchemaCheck { found.check }
    var isDry: Bool { use.isDry }
    var pipeline: String { use.pipeline }
    /// Whether the store keeps which objects a run has changed.
    var keepsChanges: Bool { use.keptChanges > 0 && !isDry }

    /// Whether the store has a table of the tool's own that a run makes.
    func has(_ table: String) -> Bool { found.ownTables.contains(table) || entry.number > 0 }

    /// A table of the tool's own, or of an entity, as SQL has it.
    func named(_ table: String) -> String { namespace.named(table) }

    /// Likewise, in the store itself.
    func stored(_ table: String) -> String { ServerNamespace(location.schema).named(table) }

    var views: ServerViews {
        ServerViews(
            connection: connection, schema: location.schema, namespace: namespace,
            descriptions: check.modelRows.descriptions, grants: viewGrants)
    }

    // MARK: The run

    package func begin(_ start: RunStart) throws(Failure) -> any StoreRun {
        if !isDry { try insertEntry(start) }
        return try ServerRun(self, number: isDry ? nextNumber() : entry.number, started: start.started)
    }

    /// Records in the ledger for good that the run has started.
    private func insertEntry(_ start: RunStart) throws(Failure) {
        try connection.write("BEGIN")
        if !found.hasSchema { try connection.write("CREATE SCHEMA \(quoted(location.schema))") }
        if !found.hasLedger { try ledger.create() }
        let number = try ledger.sendStart(start)
        try connection.write("COMMIT") { [unowned self] _ in entry.isForGood = true }
        entry.number = Int(try connection.rows(of: number).integer(0, 0))
    }

    /// The number that a run would have.
    func nextNumber() throws(Failure) -> Int {
        guard found.hasLedger else { return 1 }
        return Int(try connection.query("SELECT coalesce(max(run), 0) + 1 FROM \(stored("sluice_run"))").integer(0, 0))
    }
}
