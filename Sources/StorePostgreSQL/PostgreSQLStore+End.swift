import Glibc
import SluiceLoad
import SluicePostgreSQL
import SluiceRecords
import SluiceSchema

// How a run ends, also where the server cannot be reached any more.
extension PostgreSQLStore {
    /// How long the server may take to end what a lost connection has asked for, in seconds.
    private static let patience = 300.0
    /// How long a lost server is looked for just to record a failure, in seconds: the next run would find it out, too.
    private static let notePatience = 5.0
    /// Microseconds between two looks.
    private static let pause: UInt32 = 100_000

    /// Saves a run, with its outcome in the ledger.
    ///
    /// - Parameter forgettable: the condition for runs that the ledger may forget; nil: there is no history.
    func save(_ outcome: RunOutcome, _ forgettable: String?) throws(Failure) {
        try ledger.finish(entry.number, outcome, keep: use.keptRuns, waiting: waitingTable, forgettable)
        do throws(Failure) {
            try connection.execute("COMMIT")
        } catch {
            if connection.isAlive { throw error }
            entry.isUncertain = true
            let isSaved = try isSaved(outcome)
            entry.isUncertain = false
            if !isSaved { throw error }
        }
    }

    /// Whether a COMMIT whose answer was lost has arrived. The server may still be working on it.
    private func isSaved(_ outcome: RunOutcome) throws(Failure) -> Bool {
        do throws(Failure) {
            let lost = connection.process
            connection = try reconnected(within: use.reconnects, isCancelled: use.isCancelled)
            let lock = ServerLock(connection, location.schema)
            let end = Monitor.now + PostgreSQLStore.patience
            while true {
                let isOpen = try lock.isHeld(by: lost)
                if try status() == outcome.status { return true }
                if !isOpen { return false }
                guard Monitor.now < end else { throw Failure(.unavailable, "the server is not done with it") }
                usleep(PostgreSQLStore.pause)
                if use.isCancelled() { throw Failure(.cancelled, "the run was ended") }
            }
        } catch {
            throw Failure(
                error.kind,
                "the connection to the store \(location) was lost while the run was saved, and whether it is saved is not"
                    + " known; sluice runs will tell: \(error.message)")
        }
    }

    /// What the ledger says of the run.
    private func status() throws(Failure) -> String? {
        let found = try connection.query(
            "SELECT status FROM \(stored("sluice_run")) WHERE run = $1", .integer(Int64(entry.number)))
        return found.count > 0 ? found.text(0, 0) : nil
    }

    /// A new connection; a server may be starting again.
    private func reconnected(
        within seconds: Double, patience: Double? = nil, isCancelled: @escaping @Sendable () -> Bool
    ) throws(Failure) -> ServerConnection {
        let end = Monitor.now + seconds
        while true {
            do throws(Failure) {
                return try location.connect(pipeline, patience: patience, isCancelled: isCancelled)
            } catch {
                guard error.kind == .unavailable, Monitor.now < end else { throw error }
            }
            usleep(PostgreSQLStore.pause)
        }
    }

    package func rollback(_ outcome: () -> RunOutcome) throws(Failure) {
        connection.disarm()
        if isDry { return try connection.execute("ROLLBACK") }
        if connection.isAlive, connection.isInTransaction { try connection.execute("ROLLBACK") }
        guard entry.isForGood else { return }
        if !connection.isAlive, try !takeOver() { return }
        try connection.execute("BEGIN")
        try ledger.finish(
            entry.number, outcome(), keep: use.keptRuns, waiting: waitingTable, settleHistory(ofEnded: entry.number))
        try connection.execute("COMMIT")
    }

    /// Takes the place of a connection that was lost. The server itself rolls back what that connection has not
    /// committed, once it notices the loss. Returns false where another run has begun.
    private func takeOver() throws(Failure) -> Bool {
        let lost = connection.process
        let patience = min(use.reconnects, PostgreSQLStore.notePatience)
        connection = try reconnected(within: patience, patience: patience, isCancelled: { false })
        let lock = ServerLock(connection, location.schema)
        if !entry.isUncertain { try lock.end(lost) }
        guard try lock.attempt(for: patience) else { return false }
        // No other run can write to the store now.
        if try status() == "running" { entry.isUncertain = false }
        return true
    }

    /// Ends a run in the history, within a transaction, after which nothing more of the run is saved.
    ///
    /// - Returns: the condition for runs that the ledger may forget, as SQL; nil: there is no history.
    func settleHistory(ofEnded run: Int) throws(Failure) -> String? {
        let store = ServerHistory(connection, location.schema)
        guard keepsPast || found.ownTables.contains("sluice_history"), try store.keepsPast() else { return nil }
        try HistoryKeeper(store).settle(run: run)
        return store.forgettable
    }
}
