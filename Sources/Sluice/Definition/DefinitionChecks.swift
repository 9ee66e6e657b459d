import Records

/// What only those can check who convert values. Each answers with what is wrong, or nil.
public struct DefinitionChecks {
    /// Of a regular expression.
    public var pattern: (String) -> String?
    /// Of the name of a time zone.
    public var timeZone: (String) -> String?
    /// Of the format of dates.
    public var format: (Conversion) -> String?
    /// Of a value that a definition gives for what converts so.
    public var literal: (Literal, Conversion) -> String?

    /// Without the checks that are not given.
    public init(
        pattern: @escaping (String) -> String? = { _ in nil },
        timeZone: @escaping (String) -> String? = { _ in nil },
        format: @escaping (Conversion) -> String? = { _ in nil },
        literal: @escaping (Literal, Conversion) -> String? = { _, _ in nil }
    ) {
        self.pattern = pattern
        self.timeZone = timeZone
        self.format = format
        self.literal = literal
    }
}
