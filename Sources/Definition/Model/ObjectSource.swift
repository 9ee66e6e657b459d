import SluiceFetch

/// Objects of a service that speaks S3, as a source.
package struct ObjectSource: Sendable, Hashable {
    /// Which of them.
    package var pattern: ObjectPattern
    /// The feed is a file of this path in each of them, which are archives; nil: they are the feed themselves.
    package var member: String?

    /// As the definition names it.
    package var name: String { pattern.text + (member.map { "/" + $0 } ?? "") }
}
