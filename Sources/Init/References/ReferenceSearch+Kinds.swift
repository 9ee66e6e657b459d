import SluiceDefinition
import SluiceRecords

// References that say of which kind of objects the one is that they lead to: `{ "type": "people", "id": "7" }`.
extension ReferenceSearch {
    /// Whether the object that has a value says of itself which kind it is of, and it is that of the target. Where
    /// nothing but a member that is always the same says of which kind the target's records are, or the object is in a
    /// list, it must have nothing else.
    func isOfKind(_ source: DraftColumn, _ target: DraftColumn) -> Bool {
        guard source.meaning.rank == .own, source.cut == nil, let path = source.path,
            target.entity !== source.entity || path.count > 1
        else { return false }
        if let kind = target.entity.place.kind {
            guard kind.member.count == 1, path.count > 1 || isLinkage(source) else { return false }
            return kinds(beside: source, called: kind.member).contains { column in
                column.facts.sketch.count == 1
                    && column.facts.sketch.contains(ValueFingerprint.of(text: kind.value))
            }
        }
        guard isLinkage(source), target.meaning.rank == .own, target.isOwnMember,
            let own = ReferenceSearch.onlyKind(of: target.entity)
        else { return false }
        return kinds(beside: source, called: [own.ownName]).contains { column in
            column.facts.sketch.count == 1 && column.facts.sketch.comparison(with: own.facts.sketch).found == 1
        }
    }

    /// The columns of a name in the object that has a value.
    private func kinds(beside source: DraftColumn, called name: [String]) -> [DraftColumn] {
        let place = DraftColumn.Origin.member(source.parent + name)
        return source.entity.columns.filter { $0.origin == place && $0.cut == nil }
    }

    /// Whether an object in a record has nothing but a kind and an identifier.
    private func isLinkage(_ source: DraftColumn) -> Bool {
        guard source.entity.owner != nil || !source.parent.isEmpty else { return false }
        let all = source.entity.columns.filter { $0.cut == nil && !$0.isKey && $0.parent == source.parent }
        return all.count == 2 && all.contains { KindLog.names.contains($0.ownName) }
    }

    /// What says of all records of an entity that they are of one kind; nil: nothing does.
    private static func onlyKind(of entity: DraftEntity) -> DraftColumn? {
        guard entity.owner == nil, !entity.isEmbedded else { return nil }
        return entity.columns.first { column in
            column.isOwnMember && column.cut == nil && KindLog.names.contains(column.ownName) && column.isAlwaysThere
                && column.facts.sketch.count == 1 && column.facts.numbers == 0 && column.facts.empties == 0
        }
    }

    /// Lets a value lead to the entities of several kinds, the one of which the object that has it names. Returns
    /// whether it does.
    func relateByKinds(_ source: DraftColumn) -> Bool {
        guard source.meaning.rank == .own, source.cut == nil, source.content == .scalar, isLinkage(source),
            let column = source.entity.columns.first(where: { column in
                column.parent == source.parent && column !== source && column.cut == nil && column.isOwnKind
            }), let own = countsOf(source)
        else { return false }
        let kinds = column.facts.sample.texts.map { String(decoding: $0, as: UTF8.self) }.sorted()
        guard kinds.count > 1, column.facts.sketch.isExact, column.facts.sketch.count == kinds.count else {
            return false
        }
        let targets = kinds.compactMap { kind in entities.first { isOfKind($0, kind, called: column.ownName) } }
        let counts = targets.compactMap { $0.identifier?.only.flatMap(countsOf) }
        let (values, found) = own.overlap(with: counts)
        guard counts.count == kinds.count, values > 0, Double(found) >= ReferenceSearch.enough * Double(values) else {
            return false
        }
        let all = found == values ? "all \(grouped(values))" : "\(grouped(found)) of \(grouped(values))"
        let remark = "\(all) found in these entities, of which \(quoted(column.ownName)) names one"
        var relationship = DraftRelationship(source, to: targets, remark: remark)
        relationship.kinds = (column, kinds)
        source.entity.relationships.append(relationship)
        return true
    }

    /// Whether the records of an entity are known by one value, and say that they are of a kind.
    private func isOfKind(_ entity: DraftEntity, _ kind: String, called name: String) -> Bool {
        guard !entity.isDropped, entity.identifier?.only != nil else { return false }
        if let own = entity.place.kind {
            return own.member.map { ExactText($0) } == [ExactText(name)] && own.value.isIdentical(to: kind)
        }
        guard let own = ReferenceSearch.onlyKind(of: entity), own.ownName.isIdentical(to: name) else { return false }
        return own.facts.sketch.contains(ValueFingerprint.of(text: kind))
    }
}

extension DraftColumn {
    /// Whether it says, in each object that has it, of which kind something is.
    fileprivate var isOwnKind: Bool {
        KindLog.names.contains(ownName) && content == .scalar && facts.numbers == 0 && facts.empties == 0
            && counts.booleans == 0
    }
}
