/// What a run did to one entity. Each record counts once: `records` is the sum of `created`, `updated`, `unchanged`,
/// `rejected`, `skipped`, `identical` and `conflicting`.
public struct EntityCounts: Sendable, Hashable {
    public var records = 0
    public var created = 0
    public var updated = 0
    public var unchanged = 0
    public var rejected = 0
    /// Left alone because of the entity's mode.
    public var skipped = 0
    /// Objects, not records.
    public var deleted = 0
    /// Objects, not records.
    public var stubs = 0
    /// Duplicates that say what the copies before them in the feed say.
    public var identical = 0
    /// Duplicates that say something else.
    public var conflicting = 0
    /// In the order of the entity's relationships.
    public var relationships: [RelationshipCounts]

    public init(relationships: Int) {
        self.relationships = Array(repeating: RelationshipCounts(), count: relationships)
    }
}

/// What became of the references of one relationship, as the objects that had a record in the run hold them at its end.
public struct RelationshipCounts: Sendable, Hashable {
    public var resolved = 0
    public var unresolved = 0
    public var null = 0
    /// Waiting references of objects without a record in this run, which this run linked.
    public var late = 0

    public init() {}
}
