import Records

/// In what a source's records are not as the definition expects them.
public struct FeedDrift: Sendable {
    /// A field that records have.
    public struct Field: Sendable {
        /// The index of the entity in the model.
        public var entity: Int
        /// From the record. A wildcard stands for elements of arrays, for members that only a wildcard of the definition
        /// names, and at the end for all names that were too many to be told apart.
        public var path: Path
        /// Whether it stands more than once in its object; else no path of the definition leads to it.
        public var isRepeated: Bool
        /// How many records have it.
        public var records: UInt64
        /// The first of them.
        public var first: FeedLocation
    }

    public var fields: [Field] = []
    /// By entity: the first record; nil: there was none.
    public var firsts: [FeedLocation?]
    /// By entity and slot: whether a record had something there.
    public var filled: [[Bool]]

    public init(_ model: Model) {
        firsts = model.entities.map { _ in nil }
        filled = model.entities.map { $0.slots.map { _ in false } }
    }
}
