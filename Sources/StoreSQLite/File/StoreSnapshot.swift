import CSluiceSQLite
import SluiceRecords

/// Copies what a store holds at one moment, and leaves its folder as it was.
struct StoreSnapshot {
    /// How long another program's lock is waited for, in milliseconds: in other modes than WAL, a writer locks the
    /// store for the moments of its commits.
    static let patience: Int32 = 30_000

    private let reader: StoreReader

    init(_ path: String) throws(Failure) {
        reader = try StoreReader(path, patience: StoreSnapshot.patience)
    }

    /// Makes an empty database the same.
    func copy(to target: Connection) throws(Failure) {
        try reader.read { source throws(Failure) in
            try source.execute("BEGIN")
            _ = try source.integer("SELECT count(*) FROM sqlite_schema")
            guard let backup = unsafe sqlite3_backup_init(target.handle, "main", source.handle, "main") else {
                throw target.failure(unsafe sqlite3_errcode(target.handle), doing: "copied")
            }
            let code = unsafe sqlite3_backup_step(backup, -1)
            _ = unsafe sqlite3_backup_finish(backup)
            if code != SQLITE_DONE { throw target.failure(code, doing: "copied") }
        }
        reader.close()
    }
}
