import CSluicePostgreSQL
import Glibc
import SluiceRecords
import Synchronization

// What is done about a server that is to end a statement, or says nothing.
extension ServerConnection {
    /// How long a server that was asked to end a statement is waited for, in seconds.
    static let endPatience = 3.0
    /// How long an answer is waited for that takes a server no time, in seconds.
    static let undoPatience = 10.0

    func silent() -> Failure { Failure(.unavailable, "the store \(name) does not answer") }
}

/// Asks a server to end what a connection does.
///
/// That takes a connection of its own, which libpq makes and waits for; where the network is silent, for minutes. So a
/// thread does it, and nobody has to wait for it.
final class EndRequest: Sendable {
    private let isDone = Mutex(false)
    /// Seconds that a request is given, and microseconds between two looks at it.
    private static let (patience, pause): (Double, UInt32) = (2, 10_000)

    init(_ connection: OpaquePointer) {
        guard let request = unsafe PQgetCancel(connection) else {
            end()
            return
        }
        let address = UInt(bitPattern: request)
        do throws(Failure) {
            try WorkerThread.start("asks a server to end a statement") { [self] in
                var text = [CChar](repeating: 0, count: 256)
                let request = unsafe OpaquePointer(bitPattern: address)
                _ = unsafe PQcancel(request, &text, Int32(text.count))
                unsafe PQfreeCancel(request)
                end()
            }
        } catch {
            unsafe PQfreeCancel(request)
            end()
        }
    }

    private func end() { isDone.withLock { $0 = true } }

    /// Waits until the server has got it: later, it would end another statement.
    func finish() {
        let end = Monitor.now + EndRequest.patience
        while !isDone.withLock({ $0 }), Monitor.now < end { usleep(EndRequest.pause) }
    }
}
