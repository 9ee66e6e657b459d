import CSQLite
import Glibc
import Records

/// One connection to a database, used by one thread at a time; closed when it goes away.
@safe
final class Connection {
    /// The store's name, for messages.
    let path: String
    /// What messages say besides.
    private let note: String
    let handle: OpaquePointer
    private var isClosed = false
    private var runs = 0
    /// Whether the database holds what was there before the run.
    var isForeign = false
    /// What ends its statements early.
    private(set) var interruption: Interruption?

    /// Statistics of memory cost a lock at each allocation, and nobody reads them. To be set before the first connection.
    private static let withoutStatistics = sluice_sqlite_config(SQLITE_CONFIG_MEMSTATUS, 0)

    enum Access {
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
            case .read: SQLITE_OPEN_READONLY
            case .readUnlocked: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
            }
        }

        /// The file as SQLite takes it: it gives names such as `:memory:` and `file:x` a meaning of their own.
        func name(_ path: String) -> String {
            if case .memory = self { return ":memory:" }
            if case .temporary = self { return "" }
            let path = path.hasPrefix("/") ? path : "./" + path
            guard case .readUnlocked = self else { return path }
            let escaped = path.utf8.map { byte in
                let isPlain = byte < 0x80 && (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7a || byte == 0x2f)
                return isPlain ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
            return "file:" + (path.hasPrefix("/") ? "//" : "") + escaped.joined() + "?immutable=1"
        }
    }

    /// - Parameters:
    ///   - file: the file to open, where it is not yet, or not, the store itself.
    ///   - note: what messages say besides.
    init(path: String, access: Access, file: String? = nil, note: String = "") throws(Failure) {
        self.path = path
        self.note = note
        _ = Connection.withoutStatistics
        var handle: OpaquePointer?
        // No mutex: a connection belongs to one thread at a time, and Debian's SQLite would lock at each call.
        let code = unsafe sqlite3_open_v2(access.name(file ?? path), &handle, access.flags | SQLITE_OPEN_NOMUTEX, nil)
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

    deinit { close() }

    /// Makes an interruption end statements, and the waiting for other programs.
    func listen(to interruption: Interruption) {
        self.interruption = interruption
        unsafe interruption.attach(to: handle)
    }

    /// Closes the connection early; it must not be used again.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        _ = unsafe sqlite3_close_v2(handle)
    }

    /// Runs statements that return nothing.
    func execute(_ sql: String) throws(Failure) {
        let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
        if code != SQLITE_OK { throw failure(code, doing: "written to") }
    }

    func prepare(_ sql: String) throws(Failure) -> Statement { try Statement(self, sql) }

    /// The first column of the first row, or nil where there is no row.
    func integer(_ sql: String, _ texts: String...) throws(Failure) -> Int64? {
        let statement = try prepare(sql)
        for (index, text) in texts.enumerated() { statement.bind(index + 1, text) }
        return try statement.step() ? statement.integer(0) : nil
    }

    /// The first column of the first row, or nil where there is no row.
    func text(_ sql: String, _ texts: String...) throws(Failure) -> String? {
        let statement = try prepare(sql)
        for (index, text) in texts.enumerated() { statement.bind(index + 1, text) }
        return try statement.step() ? statement.text(0) : nil
    }

    /// To be called for each statement that is too short for SQLite to ask whether it is to end: there may be millions.
    @inline(__always)
    func countRun() throws(Failure) {
        runs &+= 1
        if runs & 0xfff == 0, let interruption, interruption.isRequested { throw Connection.ended }
    }

    private static let ended = Failure(.cancelled, "the run was ended")

    /// Rows that the last statement changed.
    var changes: Int { Int(unsafe sqlite3_changes64(handle)) }

    /// Whether the name by which the file was opened does not lead to it any more.
    var hasMoved: Bool {
        var answer: Int32 = 0
        _ = unsafe sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &answer)
        return answer != 0
    }

    /// Lets the files beside a store in WAL mode stay when the last connection is closed.
    func keepLogs() {
        var answer: Int32 = 1
        _ = unsafe sqlite3_file_control(handle, "main", SQLITE_FCNTL_PERSIST_WAL, &answer)
    }

    /// Whether no transaction is open.
    var isAutocommit: Bool { unsafe sqlite3_get_autocommit(handle) != 0 }

    /// SQLITE_CONSTRAINT_PRIMARYKEY and SQLITE_CONSTRAINT_ROWID, macros that Swift does not import.
    private static let keyConstraints: [Int32] = [SQLITE_CONSTRAINT | 6 << 8, SQLITE_CONSTRAINT | 10 << 8]

    /// What an SQLite error means to the user.
    func failure(_ code: Int32, doing: String) -> Failure {
        var message = unsafe String(cString: sqlite3_errmsg(handle))
        // What the system said, where it was asked: a file that may not grow is just an I/O error to SQLite.
        let systemError = unsafe sqlite3_system_errno(handle)
        if code & 0xff == SQLITE_IOERR, systemError != 0 {
            message += " (\(Failure.reason(errno: systemError)))"
        }
        message += note
        switch code & 0xff {
        case SQLITE_BUSY, SQLITE_LOCKED:
            return Failure(.busy, "the store \(path) is locked by another program; try again later")
        case SQLITE_INTERRUPT:
            return Connection.ended
        case SQLITE_NOTADB:
            return Failure(.definition, "the store \(path) is not an SQLite database")
        case SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH:
            return Failure(.uncreatable, "the store \(path) cannot be \(doing): \(message)")
        case SQLITE_FULL:
            return Failure(.io, "the store \(path) cannot grow: \(message)")
        case SQLITE_CORRUPT:
            return Failure(.io, "the store \(path) is damaged: \(message)")
        case SQLITE_IOERR, SQLITE_NOMEM, SQLITE_PROTOCOL:
            return Failure(.io, "the store \(path) cannot be read or written: \(message)")
        case SQLITE_CONSTRAINT where !Connection.keyConstraints.contains(code):
            return Failure(
                .definition, "a trigger or a constraint of the store \(path) refuses what is written: \(message)")
        default: return unexpected(code, message)
        }
    }

    /// An error that no statement of sluice makes by itself: the schema of a store that was there before is whatever
    /// others have made of it.
    private func unexpected(_ code: Int32, _ message: String) -> Failure {
        guard isForeign else {
            return Failure(.defect, "SQLite refused a statement on \(path): \(message) (code \(code))")
        }
        if hasTriggers {
            return Failure(
                .definition,
                "SQLite refused a statement on the store \(path), which has triggers or views of its own: \(message)")
        }
        return damage("SQLite says: \(message)")
    }

    /// What a store that was there before holds cannot be what sluice has written.
    func damage(_ what: String) -> Failure { Failure(.io, "the store \(path) is damaged: \(what)") }

    private var hasTriggers: Bool {
        // Not by `prepare`: what it cannot prepare, because the schema is damaged, would be asked for here again.
        var statement: OpaquePointer?
        let query = "SELECT 1 FROM sqlite_schema WHERE type IN ('trigger', 'view') LIMIT 1"
        defer { _ = unsafe sqlite3_finalize(statement) }
        return unsafe sqlite3_prepare_v2(handle, query, -1, &statement, nil) == SQLITE_OK
            && sqlite3_step(statement) == SQLITE_ROW
    }
}

/// A name as SQL wants it: quoted, so that any name works. A quote is doubled whatever follows it: with an accent that
/// combines with it, Swift would take both for one character.
func quoted(_ name: String) -> String {
    "\"" + name.unicodeScalars.map { $0 == "\"" ? "\"\"" : String($0) }.joined() + "\""
}
