import CSluicePostgreSQL
import SluiceRecords

// A run's lock, settings and prepared statements are those of one session. A pooler that gives each transaction another
// one scatters them among the sessions of others.
extension ServerConnection {
    /// How long a second session is waited for, in seconds: where each client has one, there may be none left.
    private static let secondPatience = 2.0

    /// The process of the server that has this connection's session, even behind a pooler.
    func ownProcess() throws(Failure) -> Int64 {
        Int64(try runUnprepared("SELECT pg_catalog.pg_backend_pid()").text(0, 0)) ?? 0
    }

    /// Throws `definition` where sessions are given to transactions.
    ///
    /// A server tells who connects which process the session is of, and poolers tell something else. Only then a second
    /// connection is made to look at them.
    func refusePooling(_ parameters: [(String, String)]) throws(Failure) {
        if process == Int64(unsafe PQbackendPID(handle)) { return }
        let isGivenAway: Bool
        do throws(Failure) {
            isGivenAway = try givesSessionAway(parameters)
        } catch {
            // No session is left for a second one: as far as can be seen, each has its own.
            isGivenAway = false
        }
        guard isGivenAway else { return }
        throw Failure(
            .definition,
            "the store \(name) is reached through a pooler that gives each transaction another session of the server, and a"
                + " run needs one of its own: connect directly, or by a pool by session (in PgBouncer, pool_mode = session)"
        )
    }

    /// Whether the session of this connection, which is idle, is given to a second one, or is another after that.
    private func givesSessionAway(_ parameters: [(String, String)]) throws(Failure) -> Bool {
        let second = try ServerConnection(
            parameters, name: name, patience: ServerConnection.secondPatience, isCancelled: isCancelled)
        if try second.ownProcess() == process { return true }
        try second.execute("BEGIN")
        // A pool may hand them out in turns: of those that are left, another one comes soon.
        for _ in 0..<2 where try ownProcess() != process { return true }
        try second.execute("ROLLBACK")
        return false
    }
}
