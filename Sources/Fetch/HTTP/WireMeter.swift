import SluiceRecords
import Synchronization

/// What happened on the wire for a source.
package struct WireCounts: Sendable {
    /// Requests that were made; redirects, retries and those for tokens among them.
    package var requests = 0
    /// Bytes of bodies as they were sent to us.
    package var bytes: UInt64 = 0
    /// Answers that say that nothing has changed (304).
    package var unchanged = 0
    /// Answers that were taken from what an earlier run has left, without a request.
    package var kept = 0
    /// What went wrong, and how many requests were made again for it, in the order in which it was met first.
    package private(set) var retries: [(reason: String, count: Int)] = []
    /// Seconds waited before requests were made again.
    package var retrySeconds = 0.0
    /// Seconds waited because of `rate`.
    package var rateSeconds = 0.0
    /// Seconds waited because the service wanted it (`Retry-After`).
    package var serviceSeconds = 0.0

    package init() {}

    /// More reasons than these are others: a message may hold any number.
    private static let mostReasons = 20

    mutating func add(retry reason: String) {
        let isOther = retries.count >= WireCounts.mostReasons && !retries.contains { $0.reason.isIdentical(to: reason) }
        let name = isOther ? "another reason" : reason
        guard let index = retries.firstIndex(where: { $0.reason.isIdentical(to: name) }) else {
            return retries.append((name, 1))
        }
        retries[index].count += 1
    }
}

/// What a request waits for.
package struct WireWait: Sendable, Hashable {
    package enum Reason: String, Sendable {
        case rate
        /// The service wants to be left alone.
        case service = "Retry-After"
        case retry
    }

    package var reason: Reason
    /// The moment of the request, as `Monitor.now` tells it.
    package var end: Double

    package init(reason: Reason, end: Double) {
        self.reason = reason
        self.end = end
    }
}

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
