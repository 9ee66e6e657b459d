import SluiceRecords

/// What only those can check who convert values. Each answers with what is wrong, a sentence without a full stop, or
/// with nil.
package struct DefinitionChecks: Sendable {
    /// Of a regular expression.
    package var pattern: @Sendable (String) -> String?
    /// Of the name of a time zone.
    package var timeZone: @Sendable (String) -> String?
    /// Of the format of dates.
    package var format: @Sendable (Conversion) -> String?
    /// Of a value that a definition gives for what converts so.
    package var literal: @Sendable (Literal, Conversion) -> String?
    /// Of bounds, each of which is one that converts so.
    package var bounds: @Sendable (Attribute.Bounds, Conversion) -> String?

    /// Without the checks that are not given.
    package init(
        pattern: @escaping @Sendable (String) -> String? = { _ in nil },
        timeZone: @escaping @Sendable (String) -> String? = { _ in nil },
        format: @escaping @Sendable (Conversion) -> String? = { _ in nil },
        literal: @escaping @Sendable (Literal, Conversion) -> String? = { _, _ in nil },
        bounds: @escaping @Sendable (Attribute.Bounds, Conversion) -> String? = { _, _ in nil }
    ) {
        self.bounds = bounds
        self.pattern = pattern
        self.timeZone = timeZone
        self.format = format
        self.literal = literal
    }
}
