import SluiceRecords

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
