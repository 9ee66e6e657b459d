import SluiceRecords

/// How many findings a run may have and still succeed, and how many records it must have.
public struct Limits: Sendable, Hashable {
    /// Records that could not become objects.
    public var rejects = Limit.count(0)
    /// References whose target does not exist.
    public var unresolved = Limit.none
    /// Of the conflicting ones.
    public var duplicates = Limit.none
    /// Objects that are deleted.
    public var deletes = Limit.share(percent: 10)
    /// Of the fields that the definition uses and no record has.
    public var missing = MissingLimit.expected
    /// Records that each entity must have.
    public var records = RecordLimit.standard
    /// Of entities that have limits of their own.
    public var entities: [ExactText: EntityLimits] = [:]

    /// What holds where nothing is said.
    public init() {}
}

/// What counts for one entity alone, instead of what the pipeline says; nil: what the pipeline says.
public struct EntityLimits: Sendable, Hashable {
    /// Of an entity: instead of the pipeline's.
    public var rejects: Limit?
    /// Instead of the pipeline's.
    public var unresolved: Limit?
    /// Instead of the pipeline's.
    public var duplicates: Limit?
    /// Instead of the pipeline's.
    public var deletes: Limit?
    /// Instead of the pipeline's.
    public var records: RecordLimit?
    /// Instead of the pipeline's.
    public var missing: MissingLimit?

    /// What holds where nothing is said.
    public init() {}
}

/// How many fields that a definition uses may be missing from all records.
public enum MissingLimit: Sendable, Hashable {
    /// None of those that a tenth of the records of the last succeeded run had, or more, where those were enough to
    /// tell.
    case expected
    case unlimited
    /// Of all.
    case count(Int)
}

/// A limit of one kind of finding.
public enum Limit: Sendable, Hashable {
    case none
    /// For the run, or for the one entity.
    case count(Int)
    /// For each entity, of its records, its references, or its objects before the run.
    case share(percent: Double)
}

/// The fewest records that an entity may have.
public enum RecordLimit: Sendable, Hashable {
    /// One, if the last run that succeeded had some more.
    case standard
    case none
    case count(Int)
    /// Of what the last run that succeeded had.
    case share(percent: Double)

    /// Whether the definition says that there may be none.
    var allowsNone: Bool {
        switch self {
        case .standard: false
        case .none: true
        case .count(let fewest): fewest == 0
        case .share(let percent): percent == 0
        }
    }
}

extension Limits {
    /// The fewest records that an entity may have.
    func records(of entity: String) -> RecordLimit { entities[ExactText(entity)]?.records ?? records }
}
