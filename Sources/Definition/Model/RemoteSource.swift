import SluiceFetch

/// Files of a machine that is reached by SFTP, as a source.
package struct RemoteSource: Sendable, Hashable {
    /// Which of them.
    package var pattern: RemotePattern
    /// The feed is a file of this path in each of them, which are archives; nil: they are the feed themselves.
    package var member: String?

    /// As the definition names it.
    package var name: String { pattern.text + (member.map { "/" + $0 } ?? "") }
}
