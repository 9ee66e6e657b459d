import SluiceRecords
import Synchronization

/// Counts what happens on the wire, from several threads.
package final class WireMeter: Sendable {
    private let state = Mutex(WireCounts())
    private let onWait: @Sendable (WireWait?) -> Void

    /// Shorter waits are nothing to tell.
    private static let longWait = 2.0

    /// - Parameter onWait: told of each wait that is long, on the thread that waits; nil: it is over.
    package init(onWait: @escaping @Sendable (WireWait?) -> Void = { _ in }) { self.onWait = onWait }

    package var counts: WireCounts { state.withLock { $0 } }

    func countRequest() { state.withLock { $0.requests += 1 } }
    func count(bytes: Int) { state.withLock { $0.bytes += UInt64(bytes) } }
    func countUnchanged() { state.withLock { $0.unchanged += 1 } }
    func countKept() { state.withLock { $0.kept += 1 } }
    func countRetry(_ reason: String) { state.withLock { $0.add(retry: reason) } }

    /// Waits some seconds, and counts them; false: nobody wants the request any more.
    ///
    /// - Parameter pause: waits; false likewise.
    func wait(_ seconds: Double, _ reason: WireWait.Reason, _ pause: (Double) -> Bool) -> Bool {
        let start = now
        let isLong = seconds >= WireMeter.longWait
        if isLong { onWait(WireWait(reason: reason, end: start + seconds)) }
        let isWanted = pause(seconds)
        if isLong { onWait(nil) }
        state.withLock { counts in
            switch reason {
            case .rate: counts.rateSeconds += now - start
            case .service: counts.serviceSeconds += now - start
            case .retry: counts.retrySeconds += now - start
            }
        }
        return isWanted
    }
}
