import SluiceRecords

/// How many findings a run may have and still succeed, and how many records it must have.
package struct Limits: Sendable, Hashable {
    /// Records that could not become objects.
    package var rejects = Limit.count(0)
    /// References whose target does not exist.
    package var unresolved = Limit.none
    /// Of the conflicting ones.
    package var duplicates = Limit.none
    /// Objects that are updated.
    package var updates = Limit.none
    /// Objects that are deleted.
    package var deletes = Limit.share(Share(percent: 10))
    /// Of the fields that the definition uses and no record has.
    package var missing = FieldLimit.expected(0)
    /// Of the fields that hold something else than the objects and lists in which the definition looks for values.
    package var shape = FieldLimit.unlimited
    /// Of the fields whose values have types of JSON that they did not have in the last succeeded run.
    package var type = FieldLimit.unlimited
    /// Records that each entity must have.
    package var records = RecordLimit.standard
    /// Of entities that have limits of their own.
    package var entities: [ExactText: EntityLimits] = [:]
    /// The limits of the pipeline that are those of this run alone: an entity that exceeds its own one counts among
    /// those that have none.
    package internal(set) var allowedOfAll: Set<Allowance.Kind> = []

    /// What holds where nothing is said.
    package init() {}

    /// Whether a run may have rejects, of any entity.
    package var allowRejects: Bool {
        rejects != .count(0) || entities.values.contains { $0.rejects.map { $0 != .count(0) } ?? false }
    }
}

/// Who says a limit.
package enum LimitOrigin: String, Sendable, Hashable {
    /// Nobody.
    case standard = "default"
    /// `limits` of the pipeline.
    case definition
    /// `limits` of the entity.
    case entity
    /// `--allow`.
    case option
}

/// What counts for one entity alone, instead of what the pipeline says; nil: what the pipeline says.
package struct EntityLimits: Sendable, Hashable {
    /// Of an entity: instead of the pipeline's.
    package var rejects: Limit?
    /// Instead of the pipeline's.
    package var unresolved: Limit?
    /// Instead of the pipeline's.
    package var duplicates: Limit?
    /// Instead of the pipeline's.
    package var updates: Limit?
    /// Instead of the pipeline's.
    package var deletes: Limit?
    /// Instead of the pipeline's.
    package var records: RecordLimit?
    /// Instead of the pipeline's.
    package var missing: FieldLimit?
    /// Instead of the pipeline's.
    package var shape: FieldLimit?
    /// Instead of the pipeline's.
    package var type: FieldLimit?

    /// What holds where nothing is said.
    package init() {}
}

/// In how many fields a feed may have drifted in one way.
package enum FieldLimit: Sendable, Hashable {
    /// Of fields that no record has: so many of those that a tenth of the records of the last succeeded run had, or
    /// more, where those were enough to tell.
    case expected(Int)
    case unlimited
    /// Of all.
    case count(Int)
}

/// The limits on fields, each with where the pipeline and its entities have it.
package struct FieldLimitPlace {
    package let kind: Allowance.Kind
    package let whole: WritableKeyPath<Limits, FieldLimit>
    package let own: WritableKeyPath<EntityLimits, FieldLimit?>

    package static var all: [FieldLimitPlace] {
        [
            FieldLimitPlace(kind: .missing, whole: \.missing, own: \.missing),
            FieldLimitPlace(kind: .shape, whole: \.shape, own: \.shape),
            FieldLimitPlace(kind: .type, whole: \.type, own: \.type),
        ]
    }
}

/// A limit of one kind of finding.
package enum Limit: Sendable, Hashable {
    case none
    /// For the run, or for the one entity.
    case count(Int)
    /// For each entity, of its records, its references, or its objects before the run.
    case share(Share)
}

/// The fewest records that an entity may have.
package enum RecordLimit: Sendable, Hashable {
    /// One, if the last run that succeeded had some more.
    case standard
    case none
    case count(Int)
    /// Of what the last run that succeeded had.
    case share(Share)

    /// Whether the definition says that there may be none.
    package var allowsNone: Bool {
        switch self {
        case .standard: false
        case .none: true
        case .count(let fewest): fewest == 0
        case .share(let share): share.numerator == 0
        }
    }
}

/// A limit that an entity may have of its own.
private struct OwnLimit {
    let isSaid: (EntityLimits) -> Bool
    let remove: (inout EntityLimits) -> Void

    init<Amount>(_ path: WritableKeyPath<EntityLimits, Amount?>) {
        isSaid = { $0[keyPath: path] != nil }
        remove = { $0[keyPath: path] = nil }
    }
}

extension Allowance.Kind {
    /// Where an entity has its own limit of the kind.
    fileprivate var own: OwnLimit {
        switch self {
        case .rejects: OwnLimit(\.rejects)
        case .unresolved: OwnLimit(\.unresolved)
        case .duplicates: OwnLimit(\.duplicates)
        case .updates: OwnLimit(\.updates)
        case .deletes: OwnLimit(\.deletes)
        case .records: OwnLimit(\.records)
        case .missing: OwnLimit(\.missing)
        case .shape: OwnLimit(\.shape)
        case .type: OwnLimit(\.type)
        }
    }
}

extension PipelineDefinition {
    /// Who says a limit of an entity, or of all.
    package func origin(of kind: Allowance.Kind, in entity: String?) -> LimitOrigin {
        if limits.allowedOfAll.contains(kind) { return .option }
        if let entity {
            if allowances.contains(.entity(entity, kind)) { return .option }
            if limits.areOwn(kind, of: entity) { return .entity }
        }
        return node("limits", kind.rawValue) == nil ? .standard : .definition
    }

    /// Sets a limit for one run, in place of what the file says of it.
    package mutating func allow(_ allowance: Allowance) {
        limits = allowance.applied(to: limits)
        questions = questions.map(allowance.applied)
        allowances.insert(allowance.place)
    }
}

extension Limits {
    /// Entities that had as many records as this may be expected to have some.
    package static let someRecords = 20

    /// The fewest records that an entity may have.
    package func records(of entity: String) -> RecordLimit { entities[ExactText(entity)]?.records ?? records }

    /// Whether an entity may have no record.
    package func allowNone(of entity: String) -> Bool {
        records(of: entity).allowsNone || allowedOfAll.contains(.records) && records.allowsNone
    }

    /// These limits, where an entity has none of its own of a kind.
    package func withoutOwn(_ kind: Allowance.Kind, of entity: String) -> Limits {
        var limits = self
        if var own = entities[ExactText(entity)] {
            kind.own.remove(&own)
            limits.entities[ExactText(entity)] = own
        }
        return limits
    }

    /// Whether an entity has a limit of its own.
    package func areOwn(_ kind: Allowance.Kind, of entity: String) -> Bool {
        entities[ExactText(entity)].map(kind.own.isSaid) ?? false
    }
}
