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
