import Glibc
import SluiceLoad
import SluicePostgreSQL
import SluiceRecords

/// The lock of a store: one run at a time has it, as long as its session lasts.
struct ServerLock {
    /// The class of sluice's advisory locks, which others do not use: "slui".
    private static let kind = 0x736c_7569
    /// Microseconds between two attempts.
    private static let pause: UInt32 = 100_000
    /// Seconds until a server that has much to do has ended the session of a run that is over: in these, no other run
    /// need hold the store.
    private static let grace = 1.0

    private let connection: ServerConnection
    private let schema: String

    init(_ connection: ServerConnection, _ schema: String) {
        self.connection = connection
        self.schema = schema
    }

    /// Takes the lock, and waits for another run that has it as long as the run has patience. Throws `busy`.
    ///
    /// - Parameter send: sends the queries for what the run must know once it has the lock, with the first attempt.
    func take(_ use: StoreUse, send: () throws(Failure) -> Void) throws(Failure) {
        let end = Monitor.now + max(use.patience, ServerLock.grace)
        var hasTold = false
        let first = try sendAttempt()
        try send()
        if try connection.rows(of: first).boolean(0, 0) { return }
        while true {
            let other = try holder()
            guard Monitor.now < end else {
                throw Failure(.busy, "\(sentence(other)); try again later, or wait for it with --wait")
            }
            if !hasTold, use.patience > 0 { use.waiting("waiting: \(sentence(other))") }
            hasTold = true
            usleep(ServerLock.pause)
            if use.isCancelled() { throw Failure(.cancelled, "the run was ended") }
            if try attempt() { break }
        }
        // The first answers are out of date: the other run has changed the store since.
        try send()
    }

    /// Tries to take the lock until some seconds have passed. Returns whether it has it.
    func attempt(for seconds: Double) throws(Failure) -> Bool {
        let end = Monitor.now + seconds
        while try !attempt() {
            guard Monitor.now < end else { return false }
            usleep(ServerLock.pause)
        }
        return true
    }

    func attempt() throws(Failure) -> Bool { try connection.rows(of: sendAttempt()).boolean(0, 0) }

    private func sendAttempt() throws(Failure) -> ServerAnswer {
        try sendQuery("SELECT pg_try_advisory_lock(\(ServerLock.kind), hashtext($1))")
    }

    private func sendQuery(_ sql: String) throws(Failure) -> ServerAnswer {
        return try connection.sendQuery(sql, .text(schema))
    }

    /// Whether any session of the server has it.
    func isHeld() throws(Failure) -> Bool { try holder() != nil }

    /// Whether a session of the server has it.
    func isHeld(by process: Int64) throws(Failure) -> Bool { try holder()?.process == process }

    /// Ends a session that has the lock: its client is gone, and would not end it.
    func end(_ process: Int64) throws(Failure) {
        if try isHeld(by: process) { try connection.execute("SELECT pg_terminate_backend(\(process))") }
    }

    private func holder() throws(Failure) -> (process: Int64, application: String)? {
        let sent = try sendQuery(
            """
            SELECT l.pid::bigint, coalesce(a.application_name, '') FROM pg_locks l LEFT JOIN pg_stat_activity a USING (pid)
            WHERE l.locktype = 'advisory' AND l.granted AND l.classid::bigint = \(ServerLock.kind)
            AND l.objid::bigint = hashtext($1)::bigint & 4294967295
            AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
            """)
        let found = try connection.rows(of: sent)
        return found.count == 0 ? nil : (found.integer(0, 0), found.text(0, 1))
    }

    private func sentence(_ other: (process: Int64, application: String)?) -> String {
        let who = other.map { ": \($0.application), process \($0.process) of the server" } ?? ""
        return "another run holds the store \(connection.name)\(who)"
    }
}
