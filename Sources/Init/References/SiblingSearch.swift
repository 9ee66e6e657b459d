import SluiceRecords

/// Finds references to what is in other lists of a record around, where it is known by one value in its list.
struct SiblingSearch {
    private let references: [SiblingReference]
    private static let most = 64

    /// - Parameter entities: all of them, with their identifiers and relationships.
    init(_ entities: [DraftEntity]) {
        var found: [SiblingReference] = []
        for target in entities.compactMap(SiblingTarget.init) {
            for source in entities where !source.isDropped && !source.isEmbedded && source !== target.entity {
                guard let between = SiblingSearch.way(from: source, to: target.entity),
                    !source.relationships.contains(where: { $0.leads(to: target.entity) })
                else { continue }
                found += source.columns.filter { SiblingSearch.canRefer($0) && SiblingSearch.isMeant($0, target) }
                    .map { SiblingReference($0, target, between: between) }
            }
        }
        references = Array(found.prefix(SiblingSearch.most))
    }

    /// The entities between a record and the one that has a list of the others, too; nil: there is none around it.
    private static func way(from source: DraftEntity, to target: DraftEntity) -> [DraftEntity]? {
        var between: [DraftEntity] = []
        var next = source.owner
        while let owner = next {
            if owner === target || owner.isTree || owner.isEmbedded { return nil }
            if owner === target.owner { return between }
            between.append(owner)
            next = owner.owner
        }
        return nil
    }

    private static func canRefer(_ column: DraftColumn) -> Bool {
        guard case .member = column.origin, column.content == .scalar, column.cut == nil else { return false }
        return column.values > 2 && column.facts.reals.count == 0 && column.counts.booleans == 0 && !column.isOfExcerpt
    }

    /// Whether the name of a column lets it name the target: it is the same, of texts, or that of the entity.
    private static func isMeant(_ column: DraftColumn, _ target: SiblingTarget) -> Bool {
        let none = MemberName("")
        let fit = column.meaning.names.reduce(0) { max($0, Names.fit($1, target.entity.nameParts, identifier: none)) }
        // The name of an object in a record is that object's.
        let isOwn = column.isOwnMember || fit > 0 && column.path != nil
        let isSame = isOwn && column.meaning.member.lower == target.column.meaning.member.lower
        guard column.isWhole == target.column.isWhole else { return false }
        if column.isWhole { return fit > 1 || fit == 1 && isSame }
        return fit > 1 || isSame && target.column.meaning.member.isCommon
    }

    /// Measures the feeds that hold some.
    func relate(_ entities: [DraftEntity], _ feeds: [SurveyedFeed]) throws(Failure) {
        guard !references.isEmpty else { return }
        let rows = entities.map(RowForwarder.init)
        var known: Set<ObjectIdentifier> = []
        var logs = [OwnerLog?](repeating: nil, count: rows.count)
        for reference in references {
            let target = reference.target
            if known.insert(ObjectIdentifier(target)).inserted { rows[target.entity.index].add(target) }
            rows[reference.column.entity.index].add(reference)
            for entity in reference.between where logs[entity.index] == nil {
                logs[entity.index] = OwnerLog(entity)
                logs[entity.index].map(rows[entity.index].add)
            }
        }
        try SurveyedFeed.measure(feeds, rows, references.flatMap { [$0.column, $0.target.column] })
        let owners = logs.reduce(into: [:]) { all, log in all.merge(log?.owners ?? [:]) { one, _ in one } }
        for reference in references { relate(reference, owners) }
    }

    private func relate(_ reference: SiblingReference, _ owners: [UInt64: UInt64]) {
        let (source, target) = (reference.column.entity, reference.target.entity)
        let (values, found, distinct) = reference.figures(owners)
        guard values > 2, distinct > 1, Double(found) >= ReferenceSearch.enough * Double(values) else { return }
        // Of two lists that name each other's objects, one does.
        let isRelated =
            source.relationships.contains { $0.leads(to: target) }
            || target.relationships.contains { $0.leads(to: source) }
        guard !isRelated, let owner = target.owner else { return }
        let match = ReferenceSearch.Match(target: reference.target.column, values: values, found: found, isExact: true)
        source.relationships.append(
            DraftRelationship(
                .sibling(owner, reference.column), to: target,
                remark: match.figures("\(target.name).\(reference.target.column.ownName)")
                    + " of the same \(owner.name)"))
    }
}
