import SluiceRecords

/// How long to wait after failures in a row: twice as long each time, and never the same for all who failed together.
struct Backoff {
    let settings: FetchSettings
    private(set) var failures = 0

    init(_ settings: FetchSettings) { self.settings = settings }

    /// Notes a failure; with progress before it, it is the first one again.
    mutating func fail(hasProgress: Bool) { failures = hasProgress ? 1 : failures + 1 }

    /// Seconds to wait now.
    func delay(retryAfter: Double) -> Double {
        var whole = settings.backoff
        for _ in 1..<max(failures, 1) where whole < settings.longestBackoff { whole *= 2 }
        let jittered = min(whole, settings.longestBackoff) * Double.random(in: 0.5...1)
        return max(jittered, retryAfter)
    }
}
