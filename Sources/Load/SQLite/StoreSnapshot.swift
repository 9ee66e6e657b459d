import CSQLite
import Glibc
import Records

/// Copies what a store holds at one moment, and leaves its folder as it was.
///
/// In WAL mode, as Sluice keeps its stores, a reader keeps no writer waiting, and none it. A reader that may write the
/// shared memory of the WAL is needed even so: one that may not would leave a `-wal` and a `-shm` behind. What it must not
/// do is to move what a writer left in the `-wal` into the store, as the last connection does when it is closed.
struct StoreSnapshot {
    /// How long another program's lock is waited for, in milliseconds: in other modes than WAL, a writer locks the store
    /// for the moments of its commits.
    private static let patience: Int32 = 30_000

    private let path: String
    private let source: Connection

    /// Begins to read the store.
    init(_ path: String) throws(Failure) {
        self.path = path
        let isWAL = StoreSnapshot.isWAL(path)
        let hasWAL = StoreFile.isThere(StoreSnapshot.resolved(path) + "-wal")
        source = try Connection(path: path, access: isWAL ? .write : .read)
        _ = unsafe sqlite3_busy_timeout(source.handle, StoreSnapshot.patience)
        if hasWAL { _ = unsafe sluice_sqlite_db_config(source.handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1) }
        try source.execute("PRAGMA query_only = ON")
        try source.execute("BEGIN")
        _ = try source.integer("SELECT count(*) FROM sqlite_schema")
    }

    /// Makes an empty database the same.
    func copy(to target: Connection) throws(Failure) {
        guard let backup = unsafe sqlite3_backup_init(target.handle, "main", source.handle, "main") else {
            throw target.failure(unsafe sqlite3_errcode(target.handle), doing: "copied")
        }
        let code = unsafe sqlite3_backup_step(backup, -1)
        _ = unsafe sqlite3_backup_finish(backup)
        if code != SQLITE_DONE { throw target.failure(code, doing: "copied") }
        source.close()
    }

    /// The name under which SQLite looks for the files beside a store.
    private static func resolved(_ path: String) -> String {
        guard let name = unsafe realpath(path, nil) else { return path }
        defer { unsafe free(name) }
        return unsafe String(cString: name)
    }

    /// Whether the header of a database says that it is in WAL mode.
    private static func isWAL(_ path: String) -> Bool {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        // The versions of the format for writing and for reading, after the 16 bytes of the signature and the page size.
        var versions: (UInt8, UInt8) = (0, 0)
        let count = unsafe withUnsafeMutableBytes(of: &versions) { unsafe pread(descriptor, $0.baseAddress, 2, 18) }
        return count == 2 && versions == (2, 2)
    }
}
