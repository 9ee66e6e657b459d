import SluiceRecords

/// A request that is made again, and why.
package struct Retry: Sendable, Hashable {
    /// The address without what may be secret.
    package var name: String
    /// The number of the page, where it is one behind the first.
    package var page: Int?
    /// What went wrong: the rest of a sentence that begins with the name.
    package var reason: String
    /// What the service has answered with, if that was a refusal, and has words.
    package var words: String?
    /// What is waited before.
    package var seconds: Double
    /// How many failures in a row there were, without any progress between them.
    package var failures: Int
    /// How many of them are tried again.
    package var most: Int

    /// As a sentence.
    package var message: String {
        let words = words.map { ": \($0)" } ?? ""
        return "\(PageName(name, page)) \(reason)\(words); it is asked again in \(wait) (\(failures) of \(most))"
    }

    /// The seconds, with one digit behind the point at the most.
    private var wait: String {
        if seconds < 1 { return "\(Int((seconds * 1000).rounded())) ms" }
        let tenths = (seconds * 10).rounded() / 10
        return "\(tenths == tenths.rounded() ? String(Int(tenths)) : String(tenths)) s"
    }
}
