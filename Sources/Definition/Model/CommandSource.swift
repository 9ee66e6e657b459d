/// A command as a source: the feed is what it prints.
package struct CommandSource: Sendable, Hashable {
    /// The program and its arguments; no shell sees them.
    package var arguments: [String]
    /// Where it works: the definition's folder.
    package var folder: String
    /// How long it may print nothing, in seconds.
    package var timeout = CommandSource.defaultTimeout

    static let defaultTimeout = 3600.0

    /// For messages and reports: without the arguments, which may hold secrets.
    package var name: String { "the output of \(arguments[0])" }
}
