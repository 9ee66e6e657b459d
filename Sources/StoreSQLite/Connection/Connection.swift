import CSluiceSQLite
import Glibc
import SluiceRecords

/// One connection to a database, used by one thread at a time; closed when it goes away.
@safe
package final class Connection {
    /// The store's name, for messages.
    package let path: String
    /// A note that messages append.
    let note: String
    package let handle: OpaquePointer
    private(set) var isClosed = false
    private var runs = 0
    /// Whether the database was there before, so that others may have written its schema.
    package var isForeign = false
    /// What ends its statements early.
    private(set) var interruption: Interruption?

    package enum Access {
        /// Reads and writes; the file is created if it is missing.
        case create
        /// Reads and writes an existing file.
        case write
        /// Reads an existing file.
        case read
        /// Reads an existing file that nobody writes to meanwhile.
        case readUnlocked
        /// A database in memory, whatever the path.
        case memory
        /// A database in a temporary file without a name, whatever the path.
        case temporary

        var flags: Int32 {
            switch self {
            case .create, .memory, .temporary: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            case .write: SQLITE_OPEN_READWRITE
            case .read, .readUnlocked: SQLITE_OPEN_READONLY
            }
        }

        /// Refuses pipes and devices: SQLite would wait for a writer of a pipe, and no signal ends that. SQLite itself
        /// refuses folders.
        ///
        /// - Parameter store: its name, for messages.
        fileprivate func refuseIrregular(_ file: String, _ store: String) throws(Failure) {
            switch self {
            case .memory, .temporary: return
            case .create, .write, .read, .readUnlocked: break
            }
            var status = stat()
            guard unsafe stat(file, &status) == 0, ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) else { return }
            throw Failure(.definition, "the store \(store) is no regular file")
        }

        /// The name by which SQLite opens the file: names such as `:memory:` and `file:x` have a meaning of their own
        /// to SQLite.
        package func name(_ path: String) -> String {
            if case .memory = self { return ":memory:" }
            if case .temporary = self { return "" }
            let path = path.hasPrefix("/") ? path : "./" + path
            guard case .readUnlocked = self else { return path }
            return address(path, "immutable=1")
        }

        /// The address by which another connection attaches the file, with its access: that connection may write to its
        /// own file.
        func attachedName(_ path: String) -> String {
            let path = path.hasPrefix("/") ? path : "./" + path
            return switch self {
            case .readUnlocked: address(path, "immutable=1")
            case .read: address(path, "mode=ro")
            case .create, .write, .memory, .temporary: address(path, "mode=rw")
            }
        }

        private func address(_ path: String, _ parameter: String) -> String {
            let escaped = path.utf8.map { byte in
                let isPlain = byte < 0x80 && (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7a || byte == 0x2f)
                return isPlain ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
            return "file:" + (path.hasPrefix("/") ? "//" : "") + escaped.joined() + "?" + parameter
        }
    }

    /// - Parameters:
    ///   - file: the file to open, where it is not yet, or not, the store itself.
    ///   - note: what messages say besides.
    ///   - layer: the name of what SQLite reads and writes the file by; nil: the usual.
    package init(
        path: String, access: Access, file: String? = nil, note: String = "", layer: String? = nil
    ) throws(Failure) {
        self.path = path
        self.note = note
        try access.refuseIrregular(file ?? path, path)
        var handle: OpaquePointer?
        // URIs are allowed for databases that are attached: no plain name is taken for one, see `Access.name`.
        // No mutex: a connection belongs to one thread at a time, and Debian's SQLite would lock at each call.
        let flags = access.flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI
        let code = unsafe sqlite3_open_v2(access.name(file ?? path), &handle, flags, layer)
        guard let opened = unsafe handle else {
            throw Failure(.io, "the store \(path) cannot be opened: out of memory")
        }
        unsafe self.handle = opened
        if code != SQLITE_OK { throw failure(code, doing: "opened") }
        _ = unsafe sqlite3_extended_result_codes(opened, 1)
        // "name" must mean a column, and never quietly a text.
        _ = unsafe sluice_sqlite_db_config(opened, SQLITE_DBCONFIG_DQS_DML, 0)
        _ = unsafe sluice_sqlite_db_config(opened, SQLITE_DBCONFIG_DQS_DDL, 0)
        // A store comes from outside: its schema may hold triggers and views that someone else wrote.
        _ = unsafe sluice_sqlite_db_config(opened, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    }

    /// Lets triggers write to tables of FTS5, which SQLite 3.40 refuses to a connection that does not trust the schema.
    /// A trigger can do no more with that: programs and files are out of its reach in any case.
    package func trustSchema() { trustsSchema = true }

    private var trustsSchema = false {
        didSet {
            _ = unsafe sluice_sqlite_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, trustsSchema ? 1 : 0)
        }
    }

    /// Trusts the schema while something is done.
    func trustingSchema(_ body: () throws(Failure) -> Void) throws(Failure) {
        let before = trustsSchema
        trustsSchema = true
        defer { trustsSchema = before }
        try body()
    }

    deinit { close() }

    /// Makes an interruption end statements, and the waiting for other programs.
    func listen(to interruption: Interruption) {
        self.interruption = interruption
        unsafe interruption.attach(to: handle)
    }

    /// Ends statements early once `isCancelled` says so, and waits for locks of other programs: `patience` is in
    /// milliseconds.
    package func listen(patience: Int32, isCancelled: @escaping @Sendable () -> Bool) {
        listen(to: Interruption(patience: patience, isCancelled: isCancelled))
    }

    /// Closes the connection early; it must not be used again.
    package func close() {
        guard !isClosed else { return }
        isClosed = true
        _ = unsafe sqlite3_close_v2(handle)
    }

    /// Runs statements that return nothing.
    package func execute(_ sql: String) throws(Failure) {
        let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
        if code != SQLITE_OK { throw failure(code, doing: "written to", sql) }
    }

    package func prepare(_ sql: String) throws(Failure) -> Statement { try Statement(self, sql) }

    /// Must be called for each short statement, in which SQLite does not ask whether to end: there may be millions of
    /// them.
    @inline(__always)
    func countRun() throws(Failure) {
        runs &+= 1
        if runs & 0xfff == 0, let interruption, interruption.isRequested { throw Connection.ended }
    }

    static let ended = Failure(.cancelled, "the run was ended")

    /// Rows that the last statement changed.
    var changes: Int { Int(unsafe sqlite3_changes64(handle)) }

    /// Whether the name by which the file was opened does not lead to it any more.
    var hasMoved: Bool {
        var answer: Int32 = 0
        _ = unsafe sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &answer)
        return answer != 0
    }

    /// Lets the files beside a store in WAL mode stay when the last connection is closed.
    package func keepLogs() {
        var answer: Int32 = 1
        _ = unsafe sqlite3_file_control(handle, "main", SQLITE_FCNTL_PERSIST_WAL, &answer)
    }

    /// Whether no transaction is open.
    var isAutocommit: Bool { unsafe sqlite3_get_autocommit(handle) != 0 }
}
