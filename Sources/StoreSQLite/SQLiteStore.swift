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
    private(set) var check: SchemaCheck
    let use: StoreUse
    let ledger: Ledger
    /// The rows to write; declared behind `connection`, which is closed first.
    let batchTable: BatchTable
    private var hasSavedBatches = false
    /// Whether another connection has saved something between two batches.
    private var othersHaveWritten = false
    /// The state of other programs' writes when the run first looked at the store; nil: no other program can write to
    /// it.
    var watched: Int64?
    /// The run under way; who began it holds it.
    private weak var run: SQLiteRun?

    /// Opens a store without changing anything yet, or starts a new one: beside its name, where all is saved at the
    /// end, or under it, where batches are to be saved as they come. For a dry run it is a private copy that is never
    /// kept: the store itself is only read, at one moment.
    package init(_ path: String, _ use: StoreUse) throws(Failure) {
        self.use = use
        model = use.model
        schema = Schema(model: use.model, dialect: SQLiteDialect())
        file =
            try use.isDry
            ? StoreFile(copyOf: path, buildsBeside: use.savesAtEnd) : StoreFile(path, buildsBeside: use.savesAtEnd)
        do {
            connection = try SQLiteStore.open(file, use.isCancelled)
            check = try SchemaCheck(connection, use.model, pipeline: use.pipeline)
            batchTable = try BatchTable(connection, schema)
        } catch {
            file.abandon()
            throw error
        }
        ledger = Ledger(connection, pipeline: use.pipeline, keep: use.keptRuns)
        try refuseContradictions()
    }

    var pipeline: String { use.pipeline }

    private func refuseContradictions() throws(Failure) { try check.contradictions.refuse(use.place) }

    /// How long another program's lock is waited for before the store counts as busy.
    package func setLockPatience(milliseconds: Int32) {
        connection.interruption?.patience = milliseconds
    }

    /// Whether the store was there before the run.
    package var exists: Bool { file.exists }

    /// Whether the ledger will know of this run even if it fails.
    package var keepsLedger: Bool { !file.isLost && (exists || hasSavedBatches) }

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

    /// Starts a run of which the ledger is to know no more than this.
    package func begin(started: String) throws(Failure) -> any StoreRun { try begin(RunStart(started: started)) }

    /// Starts a run: records it in the ledger of an existing store for good, and opens the transaction of its data.
    package func begin(_ start: RunStart) throws(Failure) -> any StoreRun {
        let isUnseen = file.isBuilt || file.isCopy
        try SQLiteRunQuestions(self).attachPrevious()
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
        let run = try SQLiteRun(self, started: start.started)
        self.run = run
        return run
    }

    private func useWAL() throws(Failure) {
        guard try connection.text("PRAGMA journal_mode = WAL") == "wal" else {
            throw Failure(.io, "the store \(file.path) cannot be put into WAL mode")
        }
    }

    /// Saves a batch, and goes on.
    func saveBatch() throws(Failure) {
        let version = try connection.integer("PRAGMA data_version")
        try commitTransaction()
        try connection.execute("BEGIN IMMEDIATE")
        hasSavedBatches = true
        // The version is that of the commits of other connections.
        guard try connection.integer("PRAGMA data_version") != version, !othersHaveWritten else { return }
        othersHaveWritten = true
        try enforceReferences()
    }

    /// Lets no batch be saved any more that refers to what another program has deleted: the run knows it by its
    /// objectID. As long as nobody else writes, this would cost a look-up for each reference and find nothing.
    private func enforceReferences() throws(Failure) {
        // The pragma does nothing within a transaction.
        try connection.execute("ROLLBACK")
        try connection.execute("PRAGMA foreign_keys = ON")
        try connection.execute("BEGIN IMMEDIATE")
    }

    /// Throws where a reference leads to an object that another program has deleted between two batches.
    private func checkReferences() throws(Failure) {
        guard othersHaveWritten else { return }
        for entity in model.entities {
            let links = entity.relationships.filter(\.isMany).map { entity.linkTable(of: $0) }
            for table in [entity.table] + links {
                let query = "SELECT \"table\" FROM pragma_foreign_key_check(\(quotedText(table))) LIMIT 1"
                if try connection.text(query) != nil { throw connection.lostObjects }
            }
        }
    }

    /// Saves all that was written, and gives a store that was built its name.
    func save() throws(Failure) {
        try checkReferences()
        try commitTransaction()
        guard file.isBuilt else { return emptyLog() }
        // The mode is kept in the file, and the next run finds it so; readers need nothing to be changed.
        try useWAL()
        try connection.execute("PRAGMA locking_mode = NORMAL")
        _ = try connection.integer("SELECT count(*) FROM sqlite_schema")
        connection.close()
        try file.finishBuilding()
    }

    /// Saves what was written, in the file that has the store's name.
    func commitTransaction() throws(Failure) {
        if !file.isCopy { try file.checkPlace() }
        try connection.execute("COMMIT")
        if !file.isCopy { try file.checkPlaceOfSaved() }
    }

    package func rollback(_ outcome: () -> RunOutcome) throws(Failure) {
        guard try undo(keepsFile: file.exists || hasSavedBatches) else { return }
        if file.isLost { return file.removeLogs() }
        var isUnchanged = false
        if ledger.run > 0 {
            try settleHistory()
            let ended = outcome()
            isUnchanged = ended.status == "unchanged"
            try ledger.finish(ended)
        }
        if isUnchanged { connection.keepLogs() }
        // Of a store that has nothing in its log, the next run knows that it is as this one leaves it.
        if hasSavedBatches || isUnchanged { emptyLog() }
    }

    package func retract() throws(Failure) {
        guard try undo(keepsFile: file.exists) else { return }
        try connection.execute("DELETE FROM sluice_run WHERE run = \(ledger.run)")
        connection.close()
    }

    /// Undoes what is not saved. Returns whether the file is still there, and open.
    private func undo(keepsFile: Bool) throws(Failure) -> Bool {
        connection.interruption?.disarm()
        run?.release()
        guard !file.isCopy, keepsFile else {
            abandon()
            return false
        }
        if !connection.isAutocommit { try connection.execute("ROLLBACK") }
        return true
    }

    /// Closes a store that is not to stay.
    func abandon() {
        connection.close()
        file.abandon()
    }

    /// The batches that a failed run has saved belong to it.
    private func settleHistory() throws(Failure) {
        guard let history = try SQLiteHistory.keeper(connection) else { return }
        try connection.execute("BEGIN IMMEDIATE")
        try history.settle(run: ledger.run)
        try connection.execute("COMMIT")
    }
}
