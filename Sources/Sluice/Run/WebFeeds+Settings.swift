import SluiceDefinition
import SluiceFetch
import SluiceRecords

extension WebFeeds {
    /// How the services are queried, and what is known of them.
    struct Settings {
        /// What the runs before have left for services that are asked for what is new.
        let since: SinceMarks
        /// Whether feeds are wanted only if they are not those that the store knows.
        var isConditional = false
        /// When the run began.
        var started = Timestamp.now
        /// Those that are kept.
        var answers: RunAnswers?
        /// By source, the meters of what happens on the wire; nil: each source has its own.
        var meters: [WireMeter]?
        /// Called with each request that is made again.
        var onRetry: @Sendable (Retry) -> Void = { _ in }

        init(since: SinceMarks) { self.since = since }

        /// What the requests of each source have in common.
        func sessions(_ inputs: [FeedInput]) -> [FetchSession] {
            inputs.enumerated().map { index, input in
                FetchSession(
                    .sluice, meter: meters?[index] ?? input.distant?.meter ?? WireMeter(), answers: answers?[index],
                    onRetry: onRetry)
            }
        }
    }
}
