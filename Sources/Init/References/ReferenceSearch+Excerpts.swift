/// Objects in records that are records themselves, in short: what is above one, or what it answers, or a list of
/// what is below it.
struct Excerpt {
    /// What the objects would be, were they others.
    var entity: DraftEntity
    /// Their identifier: of embedded ones, as the records around them have it.
    var source: DraftColumn
    /// That of the records which they are.
    var target: DraftColumn
}

extension ReferenceSearch {
    /// Finds the excerpts: they have members of records, and what they say is what records say. Each value by which the
    /// records may be known is one, as nobody knows yet which of them identifies these.
    func findExcerpts() -> [Excerpt] {
        var found: [Excerpt] = []
        for (entity, source) in embedded + listed + byOtherNames {
            if found.contains(where: { $0.entity === entity && $0.source === source }) { continue }
            let match = (matches[ObjectIdentifier(source)] ?? []).first { match in
                match.share == 1 && match.target.cut == nil && match.target.entity.owner == nil
                    && source.isMember(match.target.ownName)
                    && (isLink(entity, source, match) || saysTheSame(entity, match.target))
            }
            if let match { found.append(Excerpt(entity: entity, source: source, target: match.target)) }
        }
        return found
    }

    /// Entities in lists of records, with their identifiers.
    private var listed: [(entity: DraftEntity, source: DraftColumn)] {
        measures.compactMap { measure in
            guard isListed(measure.entity), let own = measure.objectKey.map({ measure.entity.columns[$0] }),
                sources.contains(where: { $0 === own })
            else { return nil }
            return (measure.entity, own)
        }
    }

    private func isListed(_ entity: DraftEntity) -> Bool {
        !entity.isEmbedded && entity.owner != nil && !entity.isTree && entity.place.kind == nil
            && !measures.contains { $0.entity.owner === entity && !$0.entity.isEmbedded }
    }

    /// Objects in records, and in lists of these, with texts by which records may be known, whatever they are called.
    private var byOtherNames: [(entity: DraftEntity, source: DraftColumn)] {
        measures.filter { $0.entity.isEmbedded || isListed($0.entity) }.flatMap { measure in
            measure.entity.columns.filter { column in
                column.content == .scalar && !column.isKey && column.cut == nil && !column.isWhole
                    && column.isAlwaysThere
            }.compactMap { column in source(of: column).map { (measure.entity, $0) } }
        }
    }

    /// Whether objects have nothing but the identifier of a record, and what is the same in all of them: `{ "type":
    /// "page", "id": … }`.
    private func isLink(_ entity: DraftEntity, _ source: DraftColumn, _ match: Match) -> Bool {
        // The list that objects are in may be called after the records.
        let isMany = source.facts.sketch.distinct >= 3 && isTelling(source, match)
        let isNamed = source.meaning.ofList != nil && fit(source, match.target) >= 3
        guard isOfKind(source, match.target) || isMany && (isNoChance(source, match.target) || isNamed) else {
            return false
        }
        return entity.columns.allSatisfy { column in
            column.node == source.node || column.cut != nil
                || column.content == .scalar && column.facts.sketch.distinct < 1.5
        }
    }

    private func saysTheSame(_ entity: DraftEntity, _ target: DraftColumn) -> Bool {
        var isSaid = false
        for column in entity.columns {
            guard let path = column.path else { return false }
            let inner = target.entity.columns.filter { $0.isIn(path) }
            if inner.isEmpty { return false }
            if path == [target.ownName] || column.content == .json || column.cut != nil { continue }
            guard let same = inner.first(where: { $0.origin == column.origin && $0.cut == nil }) else { continue }
            let (values, found) = column.facts.sketch.comparison(with: same.facts.sketch)
            guard Double(found) >= ReferenceSearch.enough * Double(values) else { return false }
            // Of an object that the feed has once, there is one value of each.
            isSaid = isSaid || values > 2 || target.entity.isSingle && same.facts.longest > 2
        }
        return isSaid
    }

    /// Those of the excerpts whose records are found by what identifies these.
    var excerptEntities: Set<ObjectIdentifier> {
        Set(excerpts.filter { isIdentifier($0.target) }.map { ObjectIdentifier($0.entity) })
    }

    /// Lets the records around excerpts refer to the records that these are, and have nothing else of them.
    func settleExcerpts() {
        for excerpt in excerpts where isIdentifier(excerpt.target) && !excerpt.target.entity.isDropped {
            if !excerpt.entity.isEmbedded {
                let match = match(excerpt.source, excerpt.target).map { meant($0, excerpt.source) }
                excerpt.entity.standing = .excerpt(match?.target.entity ?? excerpt.target.entity, key: excerpt.source)
            } else if excerpt.entity.isDropped, let path = excerpt.source.path {
                excerpt.source.entity.objects.excerpts.append(path.dropLast())
            }
        }
    }

    /// Other records that are known by the same values, if those refer to them.
    private func meant(_ match: Match, _ source: DraftColumn) -> Match {
        let others = (matches[ObjectIdentifier(source)] ?? []).filter { other in
            other.share == 1 && isIdentifier(other.target) && isTelling(source, other) && !other.target.entity.isDropped
        }
        return meant([match] + others.filter { $0.target !== match.target }, source) ?? match
    }

    /// Relates a column to the records of which it has the identifiers. Returns whether it is settled.
    func relateExcerpt(_ source: DraftColumn) -> Bool {
        guard source.isOfExcerpt else { return false }
        guard let excerpt = excerpts.first(where: { $0.source === source && isIdentifier($0.target) }),
            let match = match(source, excerpt.target)
        else { return true }
        let meant = meant(match, source)
        let target = meant.target.fullName
        add(source, [meant.target.entity], meant.figures(target))
        return true
    }
}
