import SluiceDefinition
import SluiceRecords

extension Limits {
    /// The limits that a run of some entities must keep, wherever the records are counted; those of missing fields
    /// aside.
    func rules(of names: [String]) -> [LimitRule] {
        rules(.rejects, rejects, \.rejects, names) + rules(.unresolved, unresolved, \.unresolved, names)
            + rules(.duplicates, duplicates, \.duplicates, names) + rules(.updates, updates, \.updates, names)
            + rules(.deletes, deletes, \.deletes, names)
            + names.compactMap { name in
                records(of: name).amount.map { LimitRule(.records, $0, [name], isOwn: true) }
            }
    }

    /// Whether an entity has a limit that is a share.
    func hasShare(of kind: LimitRule.Kind, in entity: String) -> Bool {
        rules(of: [entity]).contains { rule in
            if case .share = rule.amount { rule.kind == kind && !rule.entities.isEmpty } else { false }
        }
    }

    /// - Parameters:
    ///   - limit: that of the pipeline.
    ///   - own: where an entity has one of its own.
    private func rules(
        _ kind: LimitRule.Kind, _ limit: Limit, _ own: KeyPath<EntityLimits, Limit?>, _ names: [String]
    ) -> [LimitRule] {
        let owned = names.map { name in (name, entities[ExactText(name)]?[keyPath: own]) }
        let rest = owned.filter { $0.1 == nil }.map(\.0)
        return (limit.amount.map { [LimitRule(kind, $0, rest, isOwn: false)] } ?? [])
            + owned.compactMap { name, limit in
                limit?.amount.map { LimitRule(kind, $0, [name], isOwn: true) }
            }
    }
}

extension Limit {
    /// nil: any.
    fileprivate var amount: LimitRule.Amount? {
        switch self {
        case .none: nil
        case .count(let count): .count(count)
        case .share(let share): .share(share)
        }
    }
}

extension RecordLimit {
    /// nil: any.
    fileprivate var amount: LimitRule.Amount? {
        switch self {
        case .none: nil
        case .count(let count): .count(count)
        case .share(let share): .share(share)
        case .standard: .some(after: Limits.someRecords)
        }
    }
}

extension LimitRule.Kind {
    /// As messages and `--allow` have it.
    var allowance: Allowance.Kind {
        switch self {
        case .rejects: .rejects
        case .unresolved: .unresolved
        case .duplicates: .duplicates
        case .updates: .updates
        case .deletes: .deletes
        case .records: .records
        }
    }
}
