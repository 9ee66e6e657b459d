import SluiceRecords

/// What all requests of a source have in common, whichever way they are made: how patient they are, what is counted and
/// kept of them, who is told, and who ends them.
///
///     let session = FetchSession(settings, onRetry: { print($0.message) })
///     let feed = WebFeed(WebRequest(url: "https://example.org/stops"), session)
package struct FetchSession: Sendable {
    package var settings: FetchSettings
    /// Counts what happens on the wire.
    package var meter: WireMeter
    /// Those that are kept; nil: none are.
    package var answers: KeptAnswers?
    /// Is told of each request that is made again, on the thread that makes it.
    package var onRetry: @Sendable (Retry) -> Void
    /// Asked while a service is waited for: whether nobody wants its answer any more; nil: who does not calls
    /// ``WebFeed/stop()``, or what is like it.
    package var isStopped: (@Sendable () -> Bool)?

    package init(
        _ settings: FetchSettings = FetchSettings(), meter: WireMeter = WireMeter(), answers: KeptAnswers? = nil,
        onRetry: @escaping @Sendable (Retry) -> Void = { _ in }, isStopped: (@Sendable () -> Bool)? = nil
    ) {
        self.settings = settings
        self.meter = meter
        self.answers = answers
        self.onRetry = onRetry
        self.isStopped = isStopped
    }

    /// Whether anybody wants the answers.
    var isWanted: Bool { isStopped?() != true }

    /// Counts a request that is made again, tells of it, and waits before it.
    ///
    /// - Parameter pause: waits some seconds; false: nobody wants the request any more.
    func wait(for retry: Retry, _ reason: WireWait.Reason, _ pause: (Double) -> Bool) {
        meter.countRetry(retry.reason)
        onRetry(retry)
        _ = meter.wait(retry.seconds, reason, pause)
    }
}
