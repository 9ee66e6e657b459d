import SluiceFetch
import SluiceRecords
import SluiceStoreSQLite

/// The wish of somebody that it end.
struct Stop: Sendable {
    let isWanted: @Sendable () -> Bool

    /// Nobody's.
    init() { isWanted = { false } }

    /// The wish that also ends the requests of a session.
    init(of session: FetchSession) { isWanted = session.isStopped ?? { false } }

    func check() throws(Failure) {
        if isWanted() { throw Failure(.cancelled, "it was ended") }
    }

    /// Long statements end, too; what other programs lock is waited for a moment.
    func attach(to connection: Connection) { connection.listen(patience: 5000, isCancelled: isWanted) }
}
