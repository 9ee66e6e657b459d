import SluiceRecords

/// What only those can check who convert values. Each answers with what is wrong, a sentence without a full stop, or
/// with nil.
public struct DefinitionChecks: Sendable {
    /// Of a regular expression.
    public var pattern: @Sendable (String) -> String?
    /// Of the name of a time zone.
    public var timeZone: @Sendable (String) -> String?
    /// Of the format of dates.
    public var format: @Sendable (Conversion) -> String?
    /// Of a value that a definition gives for what converts so.
    public var literal: @Sendable (Literal, Conversion) -> String?

    /// Without the checks that are not given.
    public init(
        pattern: @escaping @Sendable (String) -> String? = { _ in nil },
        timeZone: @escaping @Sendable (String) -> String? = { _ in nil },
        format: @escaping @Sendable (Conversion) -> String? = { _ in nil },
        literal: @escaping @Sendable (Literal, Conversion) -> String? = { _, _ in nil }
    ) {
        self.pattern = pattern
        self.timeZone = timeZone
        self.format = format
        self.literal = literal
    }
}
