/// How many findings a run may have and still succeed.
public struct Limits: Sendable, Hashable {
    public var rejects = Limit.count(0)
    public var unresolved = Limit.none
    /// Of the conflicting ones.
    public var duplicates = Limit.none
    public var deletes = Limit.share(percent: 10)

    public init() {}
}

/// A limit of one kind of finding.
public enum Limit: Sendable, Hashable {
    case none
    /// For the run.
    case count(Int)
    /// For each entity, of its records, its references, or its objects before the run.
    case share(percent: Double)
}
