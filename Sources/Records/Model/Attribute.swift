/// A typed column.
public struct Attribute: Sendable {
    /// What an absent value does to an existing object.
    public enum OnAbsent: String, CaseIterable, Sendable { case keep, null }

    /// Which values it may have; null is none of them, and always may be. Each is written as the feed writes values.
    public struct Bounds: Hashable, Sendable {
        /// The least.
        public var min: Literal?
        /// The greatest.
        public var max: Literal?
        /// All that there are; nil: any.
        public var oneOf: [Literal]?

        /// Any value.
        public init() {}

        /// Whether any value will do.
        public var isEmpty: Bool { self == Bounds() }
    }

    /// What it is called; the name of the column.
    public var name: String
    /// What the definition calls it, where that is something else.
    package var written: String?
    /// Earlier names.
    public var was: [String] = []
    /// How its value is made.
    public var value: ValueRule
    /// What the value is converted to.
    public var conversion: Conversion
    /// Which values it may have: a record with another one is rejected.
    public var bounds = Bounds()
    /// Whether a record without it is rejected.
    public var required = false
    /// Whether its column has an index.
    public var isIndexed = false
    /// What an absent value does to an existing object.
    public var onAbsent = OnAbsent.keep

    /// What the definition calls it.
    package var writtenName: String { written ?? name }

    /// An attribute that may be null.
    public init(name: String, value: ValueRule, conversion: Conversion) {
        self.name = name
        self.value = value
        self.conversion = conversion
    }
}
