import Records

extension Limits {
    /// The limits that a run's counts go beyond.
    func exceeded(_ entities: [RunReport.EntityFacts]) -> [ExceededLimit] {
        let kinds: [(String, Limit, (RunReport.EntityFacts) -> (found: Int, of: Int))] = [
            ("rejects", rejects, { ($0.counts.rejected, $0.counts.records) }),
            ("unresolved", unresolved, { Limits.references($0.counts) }),
            ("duplicates", duplicates, { ($0.counts.conflicting, $0.counts.records) }),
            ("deletes", deletes, { ($0.counts.deleted, $0.existing) }),
        ]
        return kinds.flatMap { name, limit, count in Limits.exceeded(name, limit, entities, count) }
    }

    private static func exceeded(
        _ name: String, _ limit: Limit, _ entities: [RunReport.EntityFacts],
        _ count: (RunReport.EntityFacts) -> (found: Int, of: Int)
    ) -> [ExceededLimit] {
        switch limit {
        case .none: return []
        case .count(let allowed):
            let found = entities.reduce(0) { $0 + count($1).found }
            return found > allowed ? [ExceededLimit(limit: name, entity: nil, allowed: allowed, found: found)] : []
        case .share(let percent):
            return entities.compactMap { entity in
                let (found, of) = count(entity)
                let allowed = Int((Double(of) * percent / 100).rounded(.down))
                guard found > allowed else { return nil }
                return ExceededLimit(limit: name, entity: entity.name, allowed: allowed, found: found)
            }
        }
    }

    private static func references(_ counts: EntityCounts) -> (found: Int, of: Int) {
        counts.relationships.reduce((0, 0)) { ($0.0 + $1.unresolved, $0.1 + $1.unresolved + $1.resolved) }
    }
}
