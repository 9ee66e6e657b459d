import CSluiceSQLite
import SluiceRecords

/// The write-ahead log of an existing store.
extension SQLiteStore {
    /// What the log may keep of the disk once its content is in the store, in bytes.
    static let logBytes = 16 << 20
    /// The pages in the log at which a run that saves batches moves them into the store: 64 MiB. Where identifiers come
    /// in no order, each batch changes other pages of their index; one that several batches have changed is moved once.
    private static let logPages = 1 << 14
    /// How long readers are waited for when the log is to be emptied, in milliseconds.
    private static let checkpointPatience: Int32 = 1000

    /// Says when what is in the log is moved, and lets it shrink when it begins anew: a reader that kept it long must
    /// not leave it long.
    static func limitLog(_ connection: Connection) throws(Failure) {
        try connection.execute("PRAGMA wal_autocheckpoint = \(logPages)")
        try connection.execute("PRAGMA journal_size_limit = \(logBytes)")
    }

    /// Moves what the run wrote from the log into the store, and empties the log.
    ///
    /// It is no failure where a reader still needs the earlier state: the log stays, and the next run, or the next
    /// program that writes, empties it.
    func emptyLog() {
        connection.interruption?.patience = SQLiteStore.checkpointPatience
        _ = unsafe sqlite3_wal_checkpoint_v2(connection.handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
    }
}
