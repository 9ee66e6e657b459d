/// What a run did to one entity. Each record counts once: `records` is the sum of `created`, `updated`, `unchanged`,
/// `rejected`, `skipped`, `identical` and `conflicting`.
public struct EntityCounts: Sendable, Hashable {
    /// Records that count: those that `where` leaves out are not among them.
    public var records = 0
    /// Objects that were not there before.
    public var created = 0
    /// Objects that hold something else than before.
    public var updated = 0
    /// Objects that hold what they held.
    public var unchanged = 0
    /// Records that could not become objects.
    public var rejected = 0
    /// Left alone because of the entity's mode.
    public var skipped = 0
    /// Objects, not records.
    public var deleted = 0
    /// Objects that no record names, and that stay all the same, since nobody knows whether the feed holds them: a
    /// reject has no identifier that can be read, a service was not asked for them, or its pages are of different
    /// times.
    public var keptAbsent = 0
    /// Objects, not records.
    public var stubs = 0
    /// Stubs of earlier runs of which references say something else than before, or that were marked as deleted, and
    /// are referred to again: objects, not records.
    public var changedStubs = 0
    /// Duplicates that say what the copies before them in the feed say.
    public var identical = 0
    /// Duplicates that say something else.
    public var conflicting = 0
    /// Objects that a program has changed, of which the feed says something else than before, or which it deletes: they
    /// stay as the program has them.
    public var conflicts = 0
    /// In the order of the entity's relationships.
    public var relationships: [RelationshipCounts]

    package init(relationships: Int) {
        self.relationships = Array(repeating: RelationshipCounts(), count: relationships)
    }
}

/// What became of the references of one relationship, as the objects that had a record in the run hold them at its end.
public struct RelationshipCounts: Sendable, Hashable {
    /// References whose target is there.
    public var resolved = 0
    /// References that wait for their target.
    public var unresolved = 0
    /// References that are null, or absent.
    public var null = 0
    /// Waiting references of objects without a record in this run, which this run linked.
    public var late = 0

    package init() {}
}
