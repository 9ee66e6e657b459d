import CSluiceSQLite
import SluiceLoad
import SluiceRecords
import SluiceSchema

/// A store in an SQLite database: one STRICT table per entity, and the tool's own tables.
///
/// An existing store is changed in one transaction in WAL mode, so that readers see the old data until its end. A
/// missing one is built in a file beside its name without a journal, and gets its name when it is whole.
@safe
package final class SQLiteStore {
    /// The page cache, in KiB. Memory is to stay the same however long the feed: see Documentation/performance.md.
    static let cacheKiB = 24 << 10
    /// The page cache while indexes are built, in KiB.
    static let sorterKiB = 6 << 10
    /// How long another program's lock is waited for, in milliseconds.
    static let lockPatience: Int32 = 5000

    let model: Model
    let schema: Schema
    let connection: Connection
    let file: StoreFile
    var check: SchemaCheck
    let use: StoreUse
    var tables: [EntityTable] = []
    var ledger: Ledger
    /// The rows to write; declared behind `connection`, which is closed first.
    private(set) var batchTable: BatchTable?
    var waitingList: WaitingList?
    var stubList: StubList?
    /// What the indexes of words do not know yet.
    var words: LateWords?
    /// By entity: what programs have changed, where there is anything and it is kept.
    var editLayers: [Int: EditLayer] = [:]
    private(set) var hasSavedBatches = false
    /// The entities whose identifiers are not indexed yet, or not at present.
    var unindexed: Set<Int> = []
    /// By entity: the indexes of its table that were dropped, until many objects are there.
    var dropped: [Int: [DroppedIndex]] = [:]
    var indexedEarly = EarlyIndexes()
    /// By entity: the attributes by which references look for its objects, its identifier first.
    private(set) lazy var keyAttributes: [[Int]] = model.keyAttributes
    /// What the past of the objects needs of the run under way.
    var runHistory = SQLiteRunHistory()
    /// The state of other programs' writes when the run first looked at the store; nil: no other program can write to
    /// it.
    var watched: Int64?
    /// When the run started: RFC 3339, UTC.
    private(set) var started = ""

    /// Opens a store without changing anything yet, or starts a new one: beside its name, where all is saved at the
    /// end, or under it, where batches are to be saved as they come. For a dry run it is a private copy that is never
    /// kept: the store itself is only read, at one moment.
    package init(_ path: String, _ use: StoreUse) throws(Failure) {
        self.use = use
        model = use.model
        schema = Schema(model: model, dialect: SQLiteDialect())
        file = try use.isDry ? StoreFile(copyOf: path) : StoreFile(path, buildsBeside: use.savesAtEnd)
        do {
            connection = try SQLiteStore.open(file, use.isCancelled)
            check = try SchemaCheck(connection, model, pipeline: use.pipeline)
        } catch {
            file.abandon()
            throw error
        }
        ledger = Ledger(connection, pipeline: use.pipeline, keep: use.keptRuns)
        try refuseContradictions()
    }

    var pipeline: String { use.pipeline }

    private func refuseContradictions() throws(Failure) { try check.contradictions.refuse(use.place) }

    /// Compares the model of a pipeline with a store: what a run would do to it first. Changes nothing. A store that
    /// does not exist needs nothing.
    package static func plan(path: String, model: Model, pipeline: String) throws(Failure) -> SchemaPreview {
        guard try StoreFile.exists(path) else { return SchemaPreview() }
        return try StoreReader(path, patience: lockPatience).read { connection throws(Failure) in
            try SchemaPreview(SchemaCheck(connection, model, pipeline: pipeline), model)
        }
    }

    /// How long another program's lock is waited for before the store counts as busy.
    package func setLockPatience(milliseconds: Int32) {
        connection.interruption?.patience = milliseconds
    }

    /// Whether a file of that name is there.
    package static func isThere(_ path: String) -> Bool { StoreFile.isThere(path) }

    package var hasObjectsOfOthers: Bool { check.modelRows.hasObjectsOfOthers }

    /// Whether the store has all tables, columns and indexes of the definition, under their names.
    var isComplete: Bool { check.isComplete }

    /// Whether the store was there before the run.
    package var exists: Bool { file.exists }

    private static func open(
        _ file: StoreFile, _ isCancelled: @escaping @Sendable () -> Bool
    ) throws(Failure) -> Connection {
        let isCopied = file.isCopy && file.exists
        let overlay = isCopied ? try StoreOverlay(file.path, patience: StoreSnapshot.patience) : nil
        let connection = try Connection(
            path: file.path, access: file.exists && !file.isCopy ? .write : .create, file: file.workingPath,
            note: file.isCopy ? "; a dry run keeps what it writes in TMPDIR or /var/tmp" : "", layer: overlay?.name)
        try file.noteOpened(connection)
        connection.isForeign = file.exists
        connection.listen(to: Interruption(patience: lockPatience, isCancelled: isCancelled))
        if isCopied {
            try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            try connection.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
            if overlay == nil { try StoreSnapshot(file.path).copy(to: connection) }
        }
        try configure(connection, isJournaled: !file.isBuilt && !file.isCopy)
        if file.exists { try SeedMark.refuse(connection) }
        file.unlinkCopy()
        return connection
    }

    private static func configure(_ connection: Connection, isJournaled: Bool) throws(Failure) {
        // The first statement that touches the file: it tells whether it is a database at all.
        _ = try connection.integer("SELECT count(*) FROM sqlite_schema")
        try connection.execute("PRAGMA secure_delete = OFF")
        try connection.execute("PRAGMA cache_size = -\(cacheKiB)")
        if isJournaled {
            // Log files that were not there before go with the connection: no new files stay beside a store that is
            // refused.
            if StoreLogs(connection.path).areThere { connection.keepLogs() }
            try connection.execute("PRAGMA synchronous = FULL")
            try limitLog(connection)
        } else {
            // A file without a name needs no journal: its bytes are synced before it gets one.
            try connection.execute("PRAGMA journal_mode = OFF")
            try connection.execute("PRAGMA synchronous = OFF")
            try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        }
    }

    // MARK: The run

    /// Starts a run: notes it in the ledger of an existing store for good, and opens the transaction of its data.
    package func begin(_ start: RunStart) throws(Failure) -> any StoreRun {
        started = start.started
        let isUnseen = file.isBuilt || file.isCopy
        try attachPrevious()
        if !isUnseen {
            try useWAL()
            try connection.execute("BEGIN IMMEDIATE")
            try ledger.start(start)
            try connection.execute("COMMIT")
            connection.keepLogs()
            file.noteLogs()
        }
        try connection.execute("BEGIN IMMEDIATE")
        if isUnseen {
            try ledger.start(start)
        } else {
            // Another pipeline may have changed the store since the last look; from here on no other program can.
            check = try SchemaCheck(connection, model, pipeline: pipeline)
            try refuseContradictions()
        }
        try beginHistory()
        let views = StoreViews(
            connection: connection, before: check.views.before, descriptions: check.modelRows.descriptions)
        if !check.renaming.isEmpty || !check.formChanges.isEmpty { try views.remove() }
        try removeSideIndexes()
        try StoreRenaming(connection: connection, renaming: check.renaming).perform()
        try renameEdits(check.renaming.columns)
        try FormMigration(
            connection: connection, model: model, changes: check.formChanges, before: check.modelRows.before,
            after: check.modelRows.descriptions
        ).perform()
        try createTables()
        let modelRows = check.modelRows
        try ModelTable(connection: connection).write(modelRows.rows, dropping: modelRows.dropped, run: ledger.run)
        try views.make()
        // A new store is filled quicker without.
        if !file.isBuilt || mayAskForWords {
            try makeSideIndexes()
            try beginWords()
        }
        try numberHistory()
        if followsHistoryEarly { try followHistory() }
        waitingList = try WaitingList(connection, model, run: ledger.run)
        stubList = try StubList(connection)
        try forgetGoneObjects()
        try readEdits()
        try beginQuestions()
        if use.keptChanges > 0 { try ChangeTable(connection: connection).make() }
        return self
    }

    private func useWAL() throws(Failure) {
        guard try connection.text("PRAGMA journal_mode = WAL") == "wal" else {
            throw Failure(.io, "the store \(file.path) cannot be put into WAL mode")
        }
    }

    private func createTables() throws(Failure) {
        for index in check.missing.tables { try connection.execute(schema.createTable(model.entities[index])) }
        for (index, column) in check.missing.columns {
            try connection.execute(schema.addColumn(column, to: model.entities[index]))
        }
        for table in check.missing.linkTables { try connection.execute(schema.createTable(table)) }
        for (table, value) in check.missing.linkColumns { try connection.execute(schema.addColumn(value, to: table)) }
        unindexed = Set(check.missing.tables)
        // Tables that others may see, or that stay when the run fails, have their indexes from the beginning.
        if !file.isBuilt, !file.isCopy { try indexAllIdentifiers() }
        let most = model.entities.map { schema.columns(of: $0).count + 1 }.max() ?? 0
        // Links need four, and those for what they have of their own.
        let own = model.entities.flatMap(\.relationships).map(\.values.count).max() ?? 0
        batchTable = try BatchTable(connection, columnCount: max(4 + own, most, BatchTable.placeColumns.count))
        tables = madeTables()
    }

    func madeTables() -> [EntityTable] {
        model.entities.indices.map { EntityTable(connection, schema, $0, words) }
    }

    /// Saves what was written so far for good, and goes on.
    package func saveBatch() throws(Failure) {
        try settleWords()
        try runHistory.leaveToTriggers()
        try commitTransaction()
        try connection.execute("BEGIN IMMEDIATE")
        hasSavedBatches = true
        // From here on others may have written, too.
        runHistory.forgetWritten()
    }

    /// Ends a run: its data and its outcome in the ledger are saved together.
    package func commit(_ outcome: RunOutcome) throws(Failure) {
        // Nobody will ever look into a copy.
        if !file.isCopy { try settleWords() }
        forgetTables()
        if file.isBuilt { try makeSideIndexes() }
        try settleHistory()
        if !file.isCopy { try ledger.finish(outcome) }
        if file.isCopy { return connection.close() }
        try commitTransaction()
        guard file.isBuilt else { return emptyLog() }
        // The mode is kept in the file, and the next run finds it so; readers need nothing to be changed.
        try useWAL()
        try connection.execute("PRAGMA locking_mode = NORMAL")
        _ = try connection.integer("SELECT count(*) FROM sqlite_schema")
        connection.close()
        try file.finishBuilding()
    }

    func forgetTables() {
        tables = []
        runHistory.forgetStatements()
        waitingList = nil
        stubList = nil
        editLayers = [:]
    }

    /// Saves what was written, in the file that has the store's name.
    func commitTransaction() throws(Failure) {
        if !file.isCopy { try file.checkPlace(connection) }
        try connection.execute("COMMIT")
        if !file.isCopy { try file.checkPlace(connection) }
    }

    /// Undoes a run (with saved batches: what came after the last one), and notes its outcome, asked for thereafter, in
    /// the ledger of an existing store.
    package func rollback(_ outcome: () -> RunOutcome) throws(Failure) {
        connection.interruption?.disarm()
        forgetTables()
        runHistory.forgetWritten()
        guard !file.isCopy, file.exists || hasSavedBatches else {
            connection.close()
            file.abandon()
            return
        }
        if !connection.isAutocommit { try connection.execute("ROLLBACK") }
        if file.isLost { return file.removeLogs() }
        if ledger.run > 0 {
            try settleFailedHistory()
            try ledger.finish(outcome())
        }
        if hasSavedBatches { emptyLog() }
    }
}
