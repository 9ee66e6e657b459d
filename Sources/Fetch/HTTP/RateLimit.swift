import Glibc

/// What services say of how much may be asked of them. No standard is followed by many: the names are those of GitHub
/// and many others, of the draft of the IETF (draft-ietf-httpapi-ratelimit-headers, until version 6), and of X.
extension ResponseHead {
    private static let rateLimits = ["x-ratelimit", "ratelimit", "x-rate-limit"]

    /// Whether the service wants to be left alone for a while: it may say so with the status of a refusal.
    var isRateLimit: Bool {
        status == 429 || status == 403 && (self["retry-after"] != nil || rateLimitEnd != nil)
    }

    /// The seconds until more may be asked, of a service that says that nothing is left; nil: none says so.
    var rateLimitEnd: Double? {
        ResponseHead.rateLimits.lazy.compactMap { name in
            let left = number("\(name)-remaining")
            guard left == 0 || left == nil && status == 429 else { return nil }
            return number("\(name)-reset").map(seconds(until:))
        }.first
    }

    private func number(_ name: String) -> Double? {
        let number = self[name].flatMap { Double($0.trimmed) }
        return number.flatMap { $0 >= 0 && $0.isFinite ? $0 : nil }
    }

    /// - Parameter reset: seconds since 1970, by the clock of the service, or seconds.
    private func seconds(until reset: Double) -> Double {
        // So many seconds are thirty years.
        guard reset > 1e9 else { return reset }
        let now = self["date"].flatMap(httpDate) ?? time(nil)
        return max(0, reset - Double(now))
    }
}
