import CSluiceSQLite
import Glibc
import SluicePosix
import SluiceRecords
import SluiceSchema

/// Reads a store, and leaves it and its folder as they are.
///
/// A user that may read the files can do so at any time. In WAL mode, as Sluice keeps its stores, a reader keeps no
/// writer waiting, and no writer a reader; but SQLite's readers need the files beside the store, and make those that
/// are missing. A user that cannot make them, or could not remove them afterwards, reads the store alone: without a log
/// it is whole.
package struct StoreReader {
    private let path: String
    private let connection: Connection
    private let access: Connection.Access
    /// What the file was like when reading began, where no lock keeps it so.
    private let state: FileState?

    /// Whether locks keep what it reads as it is.
    var isLocked: Bool { state == nil }

    /// - Parameter patience: how long another program's lock is waited for, in milliseconds.
    package init(_ path: String, patience: Int32) throws(Failure) {
        self.path = path
        let logs = StoreLogs(path)
        let hadLog = logs.hasLog
        access = try StoreReader.access(path, logs)
        state = if case .readUnlocked = access { FileState(following: path) } else { nil }
        connection = try Connection(path: path, access: access)
        connection.isForeign = true
        _ = unsafe sqlite3_busy_timeout(connection.handle, patience)
        // The last connection that is closed would move what a writer left in the log into the store.
        if hadLog { _ = unsafe sluice_sqlite_db_config(connection.handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1) }
        try connection.execute("PRAGMA query_only = ON")
        _ = try read { connection throws(Failure) in try connection.integer("SELECT count(*) FROM sqlite_schema") }
    }

    /// Reads.
    package func read<Result>(_ body: (Connection) throws(Failure) -> Result) throws(Failure) -> Result {
        do throws(Failure) {
            let result = try body(connection)
            try checkUnchanged()
            return result
        } catch {
            try checkUnchanged()
            throw error
        }
    }

    /// Reads by another connection, which has the store under a name meanwhile, and must not write to it.
    func read<Result>(
        attachedTo other: Connection, as name: String, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let attach = try other.prepare("ATTACH ? AS \(quoted(name))")
        attach.bind(1, access.attachedName(path))
        try attach.run()
        // As of this reader's own connection.
        _ = unsafe sluice_sqlite_db_config(other.handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        let result = try read { _ throws(Failure) in try body() }
        try other.execute("DETACH \(quoted(name))")
        _ = unsafe sluice_sqlite_db_config(other.handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0)
        return result
    }

    /// Has its own connection read the store by another name as well.
    func attachToItself(as name: String) throws(Failure) {
        let attach = try connection.prepare("ATTACH ? AS \(quoted(name))")
        attach.bind(1, access.attachedName(path))
        try attach.run()
    }

    package func close() { connection.close() }

    /// How a program that only reads a store opens it.
    package static func access(_ path: String) throws(Failure) -> Connection.Access {
        try access(path, StoreLogs(path))
    }

    private static func access(_ path: String, _ logs: StoreLogs) throws(Failure) -> Connection.Access {
        // The order matters: closing the file after `isWAL` would give up the locks of a run of this process.
        if logs.areThere || !isWAL(path) { return .read }
        let folder = FilePath.folder(logs.log)
        if unsafe Glibc.access(path, W_OK) == 0, unsafe Glibc.access(folder, W_OK | X_OK) == 0 { return .write }
        guard !logs.hasLog || StoreLogs.isEmpty(logs.log) else {
            throw Failure(
                .refused,
                "the store \(path) can only be read by who may write it: \(logs.log) holds what is not in it yet")
        }
        return .readUnlocked
    }

    /// A writer that has come meanwhile may have changed what was read.
    private func checkUnchanged() throws(Failure) {
        guard let state, FileState(following: path) != state else { return }
        throw Failure(.busy, "the store \(path) was changed while it was read; try again")
    }

    /// Whether the header of a database says that it is in WAL mode.
    private static func isWAL(_ path: String) -> Bool {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return false }
        defer { Glibc.close(descriptor) }
        // The versions of the format for writing and for reading, after the 16 bytes of the signature and the page
        // size.
        var versions: (UInt8, UInt8) = (0, 0)
        let count = unsafe withUnsafeMutableBytes(of: &versions) { unsafe pread(descriptor, $0.baseAddress, 2, 18) }
        return count == 2 && versions == (2, 2)
    }
}
