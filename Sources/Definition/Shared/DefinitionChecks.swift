import SluiceRecords

/// What only those can tell who convert values, or read feeds. Each check answers with what is wrong, a sentence
/// without a full stop, or with nil.
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
    /// The members that are scalars in every record of a definition's only entity, with forms that take their values,
    /// in the order of its feed. It throws why the feed cannot be looked at.
    package var members: @Sendable (PipelineDefinition) throws(Failure) -> [Member]

    /// A member of records, with a form that takes all its values.
    package typealias Member = (name: String, form: StoredForm)

    /// Without the checks that are not given.
    package init(
        pattern: @escaping @Sendable (String) -> String? = { _ in nil },
        timeZone: @escaping @Sendable (String) -> String? = { _ in nil },
        format: @escaping @Sendable (Conversion) -> String? = { _ in nil },
        literal: @escaping @Sendable (Literal, Conversion) -> String? = { _, _ in nil },
        bounds: @escaping @Sendable (Attribute.Bounds, Conversion) -> String? = { _, _ in nil },
        members: @escaping @Sendable (PipelineDefinition) throws(Failure) -> [Member] = DefinitionChecks.noFeed
    ) {
        self.members = members
        self.bounds = bounds
        self.pattern = pattern
        self.timeZone = timeZone
        self.format = format
        self.literal = literal
    }

    private static func noFeed(_ definition: PipelineDefinition) throws(Failure) -> [Member] {
        throw Failure(.definition, "nobody is there to read the feed of \(definition.name)")
    }
}
