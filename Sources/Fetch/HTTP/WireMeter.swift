import SluiceRecords
import Synchronization

/// What happened on the wire for a source.
package struct WireCounts: Sendable, Hashable {
    /// Requests that were made; redirects, retries and those for tokens among them.
    package var requests = 0
    /// Bytes of bodies as they were sent to us.
    package var bytes: UInt64 = 0
    /// Answers that say that nothing has changed (304).
    package var unchanged = 0
    /// Answers that were taken from what an earlier run has left, without a request.
    package var kept = 0
    /// By what went wrong: how many requests were made again for it.
    package var retries: [ExactText: Int] = [:]
    /// Seconds waited before requests were made again.
    package var retrySeconds = 0.0
    /// Seconds waited because of `rate`.
    package var rateSeconds = 0.0
    /// Seconds waited because the service wanted it (`Retry-After`).
    package var serviceSeconds = 0.0

    package init() {}
}

/// Counts what happens on the wire, from several threads.
package final class WireMeter: Sendable {
    /// Why a request was not made at once.
    enum Wait { case rate, service, retry }

    private let state = Mutex(WireCounts())

    package init() {}

    package var counts: WireCounts { state.withLock { $0 } }

    func noteRequest() { state.withLock { $0.requests += 1 } }
    func note(bytes: Int) { state.withLock { $0.bytes += UInt64(bytes) } }
    func noteUnchanged() { state.withLock { $0.unchanged += 1 } }
    func noteKept() { state.withLock { $0.kept += 1 } }
    func noteRetry(_ reason: String) { state.withLock { $0.retries[ExactText(reason), default: 0] += 1 } }

    func noteWait(_ seconds: Double, _ wait: Wait) {
        state.withLock { counts in
            switch wait {
            case .rate: counts.rateSeconds += seconds
            case .service: counts.serviceSeconds += seconds
            case .retry: counts.retrySeconds += seconds
            }
        }
    }
}
