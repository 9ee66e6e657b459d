import CSluicePostgreSQL
import Glibc
import SluiceRecords

/// One connection to a server, used by one thread at a time; closed when it goes away.
@safe
package final class ServerConnection {
    /// The oldest version that is known to do.
    private static let oldestVersion: Int32 = 130_000
    /// How long a connection may take to be made, in seconds.
    private static let connectPatience = 30.0
    /// How long an answer is waited for, in seconds; nil: a statement may take its time.
    private var patience: Double?
    /// Milliseconds between two looks at whether the run is to end.
    private static let pause: Int32 = 100

    /// Of the store, for messages.
    package let name: String
    let handle: OpaquePointer
    private(set) var isCancelled: @Sendable () -> Bool
    /// When the server must have ended what it was asked to end.
    private var endsBy: Double?
    /// Whether the server was asked to end what it does.
    package var isEnding: Bool { request != nil }
    private var request: EndRequest?
    /// The process of the server that this connection is one with.
    package private(set) var process: Int64 = 0
    /// Whether the store is only read: what is missing then is a right to read.
    package var isReading = false
    /// The names of unique indexes that others have made: what they refuse is no key of sluice's.
    package var strangersKeys: Set<ExactText> = []
    /// What an error means to a caller that sends statements of its own. Nil, or where the function returns nil: the
    /// error means what it means to all callers.
    package var explanation: ((ServerComplaint) -> Failure?)?
    /// The names of statements that are prepared, by their SQL.
    var prepared: [ExactText: String] = [:]
    /// What was sent and is not waited for: the server works on it meanwhile.
    var pipeline = ServerPipeline()

    /// - Parameters:
    ///   - name: of the store, for messages.
    ///   - patience: how long each answer is waited for, in seconds; nil: a statement may take its time.
    ///   - isCancelled: whether statements are to end early, and throw `cancelled`.
    package convenience init(
        _ address: ServerAddress, name: String, application: String, patience: Double? = nil,
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws(Failure) {
        let parameters = try address.parameters(application: application)
        try self.init(parameters, name: name, patience: patience, isCancelled: isCancelled)
        try checkServer()
        process = try ownProcess()
        try refusePooling(parameters)
        // A run whose machine is gone must not hold its lock for hours; and rows that are hidden from it are no rows
        // that are not there.
        let settings = ServerConnection.settings.map { "set_config('\($0)', '\($1)', false)" }
        let role = "current_setting('session_replication_role')"
        let found = try runUnprepared("SELECT \((settings + [role]).joined(separator: ", "))")
        if found.text(0, settings.count) == "replica" { throw replica }
    }

    /// In such a session triggers and foreign keys do not act: the past would be lost, and so would what guards the
    /// tables of others. Only a superuser may set that for the session.
    private var replica: Failure {
        Failure(
            .definition,
            "in sessions of the store \(name), triggers and foreign keys do not act (session_replication_role is replica),"
                + " and a run needs them: ALTER ROLE … RESET session_replication_role, or ALTER DATABASE …")
    }

    private static let settings = [
        ("search_path", "pg_catalog, pg_temp"), ("client_min_messages", "error"), ("statement_timeout", "0"),
        ("idle_in_transaction_session_timeout", "0"), ("default_transaction_read_only", "off"), ("jit", "off"),
        ("standard_conforming_strings", "on"), ("lock_timeout", "5s"), ("tcp_keepalives_idle", "60"),
        ("tcp_keepalives_interval", "10"), ("tcp_keepalives_count", "6"), ("row_security", "off"),
        // Look-ups come sorted, and find most pages in memory: the server's own measure is for disks that turn, and
        // takes whole tables instead.
        ("random_page_cost", "1.1"),
        // The names that the server gives are compared.
        ("quote_all_identifiers", "off"),
        // Reals become texts from which the same reals can be read.
        ("extra_float_digits", "1"),
    ]

    /// Connects, and sets nothing.
    init(
        _ parameters: [(String, String)], name: String, patience: Double? = nil,
        isCancelled: @escaping @Sendable () -> Bool
    ) throws(Failure) {
        self.name = name
        self.patience = patience
        self.isCancelled = isCancelled
        let keywords = unsafe parameters.map { unsafe strdup($0.0) } + [nil]
        let values = unsafe parameters.map { unsafe strdup($0.1) } + [nil]
        defer {
            for index in parameters.indices {
                unsafe free(keywords[index])
                unsafe free(values[index])
            }
        }
        let handle = unsafe PQconnectStartParams(
            keywords.map { unsafe UnsafePointer($0) }, values.map { unsafe UnsafePointer($0) }, 0)
        guard let handle = unsafe handle else { throw Failure(.io, "the store \(name): out of memory") }
        unsafe self.handle = handle
        // Failures before the session is there come with their codes only so.
        _ = unsafe PQsetErrorVerbosity(handle, PQERRORS_VERBOSE)
        try connect()
        _ = unsafe PQsetErrorVerbosity(handle, PQERRORS_DEFAULT)
        _ = unsafe PQsetNoticeProcessor(handle, { _, _ in }, nil)
        // What the server does not take at once waits in memory, and the caller that sends it does not wait.
        guard unsafe PQsetnonblocking(handle, 1) == 0 else { throw lostConnection() }
    }

    deinit { unsafe PQfinish(handle) }

    /// From now on statements run to their end: those that undo the run, which take no time. What was sent before may
    /// have failed.
    package func disarm() {
        isCancelled = { false }
        endsBy = nil
        if isAlive { request?.finish() }
        patience = min(patience ?? ServerConnection.undoPatience, ServerConnection.undoPatience)
        try? awaitAnswers()
    }

    /// Whether the server can still be talked to.
    package var isAlive: Bool { !pipeline.isAbandoned && (unsafe PQstatus(handle) == CONNECTION_OK) }

    /// Whether it can still be, after a while in which nothing was asked: what has come meanwhile is taken in, be it
    /// that the server has ended the connection.
    package var isStillAlive: Bool {
        while isAlive, wait(Int16(POLLIN), atMost: 0) {
            guard unsafe PQconsumeInput(handle) == 1 else { return false }
        }
        return isAlive
    }

    /// Whether a transaction is open, failed or not.
    package var isInTransaction: Bool {
        unsafe PQtransactionStatus(handle) != PQTRANS_IDLE
    }

    private func connect() throws(Failure) {
        let end = Monitor.now + (patience ?? ServerConnection.connectPatience)
        var state = PGRES_POLLING_WRITING
        while state != PGRES_POLLING_OK {
            if state == PGRES_POLLING_FAILED { throw connectionFailure() }
            let events = state == PGRES_POLLING_READING ? POLLIN : POLLOUT
            _ = wait(Int16(events))
            if isCancelled() { throw ServerConnection.ended }
            guard Monitor.now < end else { throw silent() }
            state = unsafe PQconnectPoll(handle)
        }
    }

    private func checkServer() throws(Failure) {
        let version = unsafe PQserverVersion(handle)
        guard version >= ServerConnection.oldestVersion else {
            throw Failure(
                .definition, "the store \(name) is on PostgreSQL \(version / 10_000), and 13 is the oldest that will do"
            )
        }
        let encoding = unsafe PQparameterStatus(handle, "server_encoding").map { unsafe String(cString: $0) }
        guard encoding == "UTF8" else {
            throw Failure(
                .definition, "the store \(name) is in a database with the encoding \(encoding ?? "?"), and needs UTF8")
        }
    }

    static let ended = Failure(.cancelled, "the run was ended")

    // MARK: Waiting

    /// Waits until there is a result, or the connection is lost.
    func awaitResult() throws(Failure) {
        try awaitSending()
        let end = patience.map { Monitor.now + $0 }
        while unsafe PQisBusy(handle) == 1 { try awaitInput(Int16(POLLIN), end) }
    }

    /// Waits until all is sent. The server may wait for its answers to be taken first.
    func awaitSending() throws(Failure) {
        let end = patience.map { Monitor.now + $0 }
        while unsafe PQflush(handle) == 1 { try awaitInput(Int16(POLLIN | POLLOUT), end) }
    }

    private func awaitInput(_ events: Int16, _ end: Double?) throws(Failure) {
        if !wait(events) { try noteSilence(end) }
        guard unsafe PQconsumeInput(handle) == 1 else { throw lostConnection() }
    }

    /// Nothing has come for a moment. Once somebody wants the run to end, the server is asked to end the statement, and
    /// says so, unless it cannot be reached any more: then nobody waits for it.
    private func noteSilence(_ end: Double?) throws(Failure) {
        if request == nil, isCancelled() {
            endsBy = Monitor.now + ServerConnection.endPatience
            request = unsafe EndRequest(handle)
        }
        if let endsBy, Monitor.now > endsBy { throw ServerConnection.ended }
        if let end, Monitor.now > end { throw silent() }
    }

    /// Waits for the socket, at most so many milliseconds. Returns whether there is something.
    private func wait(_ events: Int16, atMost pause: Int32 = ServerConnection.pause) -> Bool {
        var entry = pollfd(fd: unsafe PQsocket(handle), events: events, revents: 0)
        return unsafe poll(&entry, 1, pause) > 0
    }
}
