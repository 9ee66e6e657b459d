import SluiceRecords

extension Limits {
    /// The limits that a run's counts go beyond.
    func exceeded(_ entities: [RunReport.EntityFacts]) -> [ExceededLimit] {
        exceeded("rejects", rejects, \.rejects, entities) { ($0.counts.rejected, $0.counts.records) }
            + exceeded("unresolved", unresolved, \.unresolved, entities) { Limits.references($0.counts) }
            + exceeded("duplicates", duplicates, \.duplicates, entities) { ($0.counts.conflicting, $0.counts.records) }
            + exceeded("deletes", deletes, \.deletes, entities) { ($0.counts.deleted, $0.existing) }
            + exceededMissing(entities)
    }

    /// Fields that no record has any more. Where nothing is said, those count that were common in the last run.
    private func exceededMissing(_ entities: [RunReport.EntityFacts]) -> [ExceededLimit] {
        let owned = entities.flatMap { entity -> [ExceededLimit] in
            guard let own = self.entities[ExactText(entity.name)]?.missing else { return [] }
            return Limits.exceeded(own, [entity]).map { exceeded in
                var exceeded = exceeded
                exceeded.entity = entity.name
                return exceeded
            }
        }
        return Limits.exceeded(missing, entities.filter { self.entities[ExactText($0.name)]?.missing == nil }) + owned
    }

    private static func exceeded(_ limit: MissingLimit, _ entities: [RunReport.EntityFacts]) -> [ExceededLimit] {
        switch limit {
        case .expected:
            return entities.filter { $0.missing.expected > 0 }.map {
                ExceededLimit(limit: "missing", entity: $0.name, allowed: 0, found: $0.missing.expected)
            }
        case .unlimited: return []
        case .count(let allowed):
            let found = entities.reduce(0) { $0 + $1.missing.all }
            return found > allowed ? [ExceededLimit(limit: "missing", entity: nil, allowed: allowed, found: found)] : []
        }
    }

    private typealias Count = (RunReport.EntityFacts) -> (found: Int, of: Int)

    /// - Parameters:
    ///   - limit: that of the pipeline.
    ///   - own: where an entity has one of its own.
    private func exceeded(
        _ name: String, _ limit: Limit, _ own: KeyPath<EntityLimits, Limit?>, _ entities: [RunReport.EntityFacts],
        _ count: Count
    ) -> [ExceededLimit] {
        let owned = entities.filter { self.own(own, $0) != nil }
        let rest = entities.filter { self.own(own, $0) == nil }
        return Limits.exceeded(name, limit, rest, count)
            + owned.flatMap { entity in
                Limits.exceeded(name, self.own(own, entity) ?? limit, [entity], count).map { exceeded in
                    var exceeded = exceeded
                    exceeded.entity = entity.name
                    return exceeded
                }
            }
    }

    private func own(_ limit: KeyPath<EntityLimits, Limit?>, _ entity: RunReport.EntityFacts) -> Limit? {
        entities[ExactText(entity.name)]?[keyPath: limit]
    }

    private static func exceeded(
        _ name: String, _ limit: Limit, _ entities: [RunReport.EntityFacts], _ count: Count
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

extension Limits {
    /// Entities that had as many records as this may be expected to have some.
    static let someRecords = 20

    /// The entities that have too few records.
    ///
    /// - Parameters:
    ///   - last: the records of the last run that succeeded, by entity.
    ///   - partial: the entities of which a source gives only what is new.
    func short(
        _ entities: [RunReport.EntityFacts], last: [ExactText: Int], partial: Set<ExactText>
    ) -> [ExceededLimit] {
        entities.compactMap { entity in
            let name = ExactText(entity.name)
            let before = last[name]
            let fewest =
                switch records(of: entity.name) {
                case .none: 0
                case .count(let count): count
                case .share(let percent): Int((Double(before ?? 0) * percent / 100).rounded(.up))
                case .standard: (before ?? 0) >= Limits.someRecords && !partial.contains(name) ? 1 : 0
                }
            guard entity.counts.records < fewest else { return nil }
            return ExceededLimit(
                limit: ExceededLimit.records, entity: entity.name, allowed: fewest, found: entity.counts.records,
                before: before)
        }
    }
}
