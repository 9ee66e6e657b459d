import SluiceRecords

extension RunReport {
    /// What happened between the run and the service of a source.
    public struct WireFacts: Sendable {
        /// As the definition calls the source.
        public var name: String
        /// Requests that were made; redirects, retries and those for tokens among them.
        public var requests = 0
        /// Bytes of answers as they were sent, compressed or not.
        public var bytes: UInt64 = 0
        /// Answers that say that what is kept still holds (304).
        public var notModified = 0
        /// Answers that were taken from what is kept, without a request.
        public var kept = 0
        /// Why requests were made again, and how often.
        public var retries: [(reason: String, count: Int)] = []
        /// Seconds that were waited before requests were made again, of all requests together.
        public var retrySeconds = 0.0
        /// Seconds that were waited as `rate` wants it.
        public var rateSeconds = 0.0
        /// Seconds that were waited as the service wants it (`Retry-After`).
        public var serviceSeconds = 0.0

        package init(name: String) { self.name = name }

        /// A line for people; nil: all went by itself.
        var line: String? {
            let again = retries.reduce(0) { $0 + $1.count }
            let waited = retrySeconds + rateSeconds + serviceSeconds
            guard again > 0 || kept > 0 || notModified > 0 || waited >= 1 else { return nil }
            var parts = ["\(grouped(requests)) \(requests == 1 ? "request" : "requests")"]
            if notModified > 0 { parts.append("\(grouped(notModified)) not modified") }
            if kept > 0 { parts.append("\(grouped(kept)) kept \(kept == 1 ? "answer" : "answers")") }
            if again > 0 { parts.append("\(grouped(again)) \(again == 1 ? "retry" : "retries")") }
            if waited >= 1 { parts.append("waited \(Int(bounded: waited.rounded())) s") }
            return "\(name.printable): \(parts.joined(separator: ", "))"
        }

        var json: String {
            JSONText.object([
                ("requests", String(requests)), ("bytes", String(bytes)), ("notModified", String(notModified)),
                ("kept", String(kept)),
                ("retries", JSONText.object(retries.map { ($0.reason, String($0.count)) })),
                (
                    "waited",
                    JSONText.object([
                        ("retries", rounded(retrySeconds)), ("rate", rounded(rateSeconds)),
                        ("service", rounded(serviceSeconds)),
                    ])
                ),
            ])
        }

        private func rounded(_ seconds: Double) -> String { String((seconds * 1000).rounded() / 1000) }
    }
}
