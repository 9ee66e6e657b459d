import SluiceDefinition
import SluiceRecords
import SluiceReport

extension Limits {
    /// The limits that a run's counts exceed.
    ///
    /// - Parameter counts: whether a limit is to be kept.
    func exceeded(
        _ entities: [RunReport.EntityFacts], where counts: (LimitRule) -> Bool = { _ in true }
    ) -> [ExceededLimit] {
        loosened { $0.strictlyExceeded(entities, where: counts) }
    }

    /// What is exceeded where the run has limits of its own for the pipeline: an entity that keeps its own limit is not
    /// held to these, which may be tighter, and one that does not counts among the others.
    private func loosened(_ exceeded: (Limits) -> [ExceededLimit]) -> [ExceededLimit] {
        var limits = self
        for over in allowedOfAll.isEmpty ? [] : exceeded(self) {
            guard let kind = over.kind, let entity = over.entity, allowedOfAll.contains(kind) else { continue }
            limits = limits.withoutOwn(kind, of: entity)
        }
        return exceeded(limits)
    }

    private func strictlyExceeded(
        _ entities: [RunReport.EntityFacts], where counts: (LimitRule) -> Bool
    ) -> [ExceededLimit] {
        let rules = rules(of: entities.map(\.name)).filter { $0.kind != .records && counts($0) }
        return rules.flatMap { $0.exceeded(entities) } + FieldLimitPlace.all.flatMap { $0.exceeded(entities, self) }
    }
}

extension FieldLimitPlace {
    fileprivate func exceeded(_ entities: [RunReport.EntityFacts], _ limits: Limits) -> [ExceededLimit] {
        func ownLimit(_ entity: RunReport.EntityFacts) -> FieldLimit? {
            limits.entities[ExactText(entity.name)].flatMap { $0[keyPath: self.own] }
        }
        let owned = entities.flatMap { entity -> [ExceededLimit] in
            ownLimit(entity).map { exceeded($0, [entity], entity.name) } ?? []
        }
        let others = entities.filter { ownLimit($0) == nil }
        let all = exceeded(limits[keyPath: whole], others, nil)
        return all.map { $0.naming(others.map(\.name), of: entities.count) } + owned
    }

    private func names(in fields: RunReport.DriftedFields) -> [String] {
        switch kind {
        case .missing: fields.missing
        case .shape: fields.shape
        case .type: fields.type
        case .rejects, .unresolved, .duplicates, .updates, .deletes, .records: []
        }
    }

    private func exceeded(
        _ limit: FieldLimit, _ entities: [RunReport.EntityFacts], _ entity: String?
    ) -> [ExceededLimit] {
        switch limit {
        // Only fields that were common in the last run count. Where none may be gone, each entity is told by itself.
        case .expected(0):
            return entities.compactMap { exceeded(0, [$0], $0.name) { $0.drifted.expected } }
        case .expected(let allowed):
            return [exceeded(allowed, entities, entity) { $0.drifted.expected }].compactMap(\.self)
        case .unlimited: return []
        case .count(let allowed):
            return [exceeded(allowed, entities, entity) { names(in: $0.drifted) }].compactMap(\.self)
        }
    }

    private func exceeded(
        _ allowed: Int, _ entities: [RunReport.EntityFacts], _ entity: String?,
        _ names: (RunReport.EntityFacts) -> [String]
    ) -> ExceededLimit? {
        let fields = entities.flatMap { facts in
            names(facts).map { ExceededLimit.NamedField(entity: facts.name, field: $0) }
        }
        if fields.count <= allowed { return nil }
        var limit = ExceededLimit(kind, entity: entity, allowed: allowed, found: fields.count)
        limit.fields = fields
        return limit
    }
}

extension LimitRule {
    /// Whether it is a share, of what a run has read.
    var isOfRecords: Bool {
        guard case .share(let share) = amount else { return false }
        return ![.updates, .deletes].contains(kind) && share.numerator > 0
    }

    /// What goes beyond it.
    fileprivate func exceeded(_ all: [RunReport.EntityFacts]) -> [ExceededLimit] {
        let names = Set(entities.map { ExactText($0) })
        let counted = all.filter { names.contains(ExactText($0.name)) }.map { ($0.name, count($0)) }
        func exceeded(_ entity: String?, _ allowed: Int, _ found: Int) -> ExceededLimit? {
            found > allowed ? ExceededLimit(kind.allowance, entity: entity, allowed: allowed, found: found) : nil
        }
        switch amount {
        case .some: return []
        case .count(let allowed):
            let found = counted.reduce(0) { $0 + $1.1.found }
            let limit = exceeded(isOfAll ? nil : entities.first, allowed, found)
            return [limit?.naming(entities, of: all.count)].compactMap(\.self)
        case .share(let share):
            return counted.compactMap { name, count in
                exceeded(name, share.of(count.of), count.found)
            }
        }
    }

    /// The count of an entity that the limit is about, and the total of which it is a part.
    fileprivate func count(_ entity: RunReport.EntityFacts) -> (found: Int, of: Int) {
        let counts = entity.counts
        switch kind {
        case .rejects: return (counts.rejected, counts.records)
        case .unresolved:
            return counts.relationships.reduce((0, 0)) {
                ($0.0 + $1.unresolved, $0.1 + $1.unresolved + $1.resolved)
            }
        case .duplicates: return (counts.conflicting, counts.records)
        case .updates: return (counts.updated, entity.existing)
        case .deletes: return (counts.deleted, entity.existing)
        case .records: return (counts.records, counts.records)
        }
    }
}

extension ExceededLimit {
    /// With the entities that it is about, if it is the pipeline's and these are not all.
    fileprivate func naming(_ names: [String], of count: Int) -> ExceededLimit {
        guard entity == nil, names.count < count else { return self }
        var limit = self
        limit.entities = names
        return limit
    }
}

extension Limits {
    /// The entities that have too few records.
    ///
    /// - Parameters:
    ///   - last: the records of the last run that succeeded, by entity.
    ///   - partial: the entities of which a source gives only what is new.
    func short(
        _ entities: [RunReport.EntityFacts], last: [ExactText: Int], partial: Set<ExactText>
    ) -> [ExceededLimit] {
        loosened { $0.strictlyShort(entities, last, partial) }
    }

    private func strictlyShort(
        _ entities: [RunReport.EntityFacts], _ last: [ExactText: Int], _ partial: Set<ExactText>
    ) -> [ExceededLimit] {
        rules(of: entities.map(\.name)).filter { $0.kind == .records }.compactMap { rule in
            guard let entity = entities.first(where: { rule.entities[0].isIdentical(to: $0.name) }) else { return nil }
            let name = ExactText(entity.name)
            let before = last[name]
            let fewest =
                switch rule.amount {
                case .count(let count): count
                // Records that are new since the last run are no share of what that run read.
                case .share where partial.contains(name): 0
                case .share(let share): share.ofRoundedUp(before ?? 0)
                case .some(let after): (before ?? 0) >= after && !partial.contains(name) ? 1 : 0
                }
            guard entity.counts.records < fewest else { return nil }
            return ExceededLimit(
                .records, entity: entity.name, allowed: fewest, found: entity.counts.records,
                before: before)
        }
    }
}

extension Limits {
    /// The limit that an entity has exceeded.
    fileprivate func rule(_ kind: Allowance.Kind, of name: String) -> LimitRule? {
        let limits = allowedOfAll.contains(kind) ? withoutOwn(kind, of: name) : self
        return limits.rules(of: [name]).first { $0.kind.allowance == kind && !$0.entities.isEmpty }
    }
}

extension PipelineDefinition {
    /// A limit that is exceeded, with who says it, and the share that it is.
    func explained(_ exceeded: ExceededLimit, _ entities: [RunReport.EntityFacts]) -> ExceededLimit {
        var told = exceeded
        if let check = exceeded.check, allowances.contains(.check(check)) { told.origin = .option }
        guard let kind = exceeded.kind else { return told }
        told.origin = origin(of: kind, in: exceeded.entity)
        if kind == .deletes { told.objects = deleted(exceeded, entities) }
        guard let name = exceeded.entity, let facts = entities.first(where: { $0.name.isIdentical(to: name) }),
            let rule = limits.rule(kind, of: name), case .share(let share) = rule.amount
        else { return told }
        told.share = share.text
        // Of the records of the last run, a sentence of its own tells.
        if kind != .records { told.total = rule.count(facts).of }
        return told
    }

    /// Some of the objects that a run would delete, and that a limit does not allow for.
    private func deleted(
        _ limit: ExceededLimit, _ entities: [RunReport.EntityFacts]
    ) -> [ExceededLimit.NamedObject] {
        let objects = entities.filter { limit.isOf($0.name) }.flatMap { entity in
            entity.firstDeleted.map { ExceededLimit.NamedObject(entity: entity.name, identifier: $0) }
        }
        return Array(objects.prefix(ExceededLimit.namedObjects))
    }
}
