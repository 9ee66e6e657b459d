import SluiceDefinition
import SluiceRecords

/// Relates what is in a record to that record.
struct OwnerRelationships {
    let entities: [DraftEntity]
    let measures: [RecordMeasure]

    func relate() throws(Failure) {
        // From above, as nothing in what is dropped can refer to it.
        for entity in entities.sorted(by: { $0.place.steps.count < $1.place.steps.count }) {
            if let place = place(of: entity) { try relate(entity, to: place.owner, from: place.path) }
            if entity.isTree, !entity.isDropped { addParent(entity) }
        }
    }

    /// The object in which the records of an entity are, and the members that lead there from it.
    private func place(of entity: DraftEntity) -> (owner: DraftEntity, path: [String])? {
        guard var around = entity.owner else { return nil }
        // What is embedded in an object that is no entity is in the record around that.
        while around.isEmbedded, around.isDropped, around.same == nil, let next = around.owner { around = next }
        return (around.same ?? around, path(to: entity, in: around))
    }

    private func relate(_ entity: DraftEntity, to owner: DraftEntity, from path: [String]) throws(Failure) {
        if let same = entity.same ?? entity.whole?.entity { return try refer(entity, in: owner, path, to: same) }
        if !entity.isEmbedded, !entity.isDropped, owner.isDropped || isRefused(entity, owner) {
            entity.drop()
        }
        guard !entity.isDropped else {
            if !entity.isEmbedded { keepWhole(path, in: owner) }
            return
        }
        guard entity.repeats else {
            entity.relationships.insert(DraftRelationship(.owner, to: owner), at: 0)
            relateToObject(entity, in: owner)
            return
        }
        try refer(entity, in: owner, path, to: entity)
    }

    /// Relates what is in the list of an object in a record to that object, too, where it is one of its own.
    private func relateToObject(_ entity: DraftEntity, in owner: DraftEntity) {
        guard !entity.isEmbedded, !entity.isTree, !owner.isInTree else { return }
        let around = entities.filter { other in
            other.isEmbedded && other.place.feed == entity.place.feed
                && other.place.steps.count > owner.place.steps.count
                && entity.place.steps.starts(with: other.place.steps)
        }.max { $0.place.steps.count < $1.place.steps.count }
        guard let around, !(around.same ?? around).isDropped,
            let path = (around.same ?? around).identifier?.columns.first?.path
        else { return }
        let place = DraftPaths.text(around.place.steps + path.map { .member($0) })
        entity.relationships.append(DraftRelationship(.listed(place), to: around.same ?? around))
    }

    /// Relates a record to what is in it, and in others.
    private func refer(
        _ entity: DraftEntity, in owner: DraftEntity, _ path: [String], to target: DraftEntity
    ) throws(Failure) {
        guard !owner.isDropped, let column = entity.whole?.key ?? target.identifier?.columns.first else { return }
        if entity.isEmbedded, owner.relationships.contains(where: { $0.isEmbedded(at: path) }) { return }
        if owner.objects.excerpts.contains(where: { path.starts(with: $0) }) { return }
        let inner = Array(entity.place.steps(from: owner.place))
        let remark =
            entity.whole == nil
            ? "objects with the same \(quoted(column.ownName)) are \(areEqual(entity, target)), wherever they stand:"
                + " what they say is in \(target.name)"
            : "what else is in it, the records of \(target.name) say"
        let basis: DraftRelationship.Basis =
            entity.isEmbedded
            ? .embedded(path)
            : .listed(
                listed(entity, inner, path, column),
                alone: entity.place.isOneOrMany ? DraftPaths.member(path + (column.path ?? [column.ownName])) : nil)
        if entity.isEmbedded { forget(target, of: entity, knownBy: column) }
        var relationship = DraftRelationship(basis, to: target, remark: remark)
        let names = entity.place.meaningfulNames(of: path)
        let way = names.isEmpty ? path : names
        if entity !== target { relationship.name = way.last { !Names.isGeneric($0) } ?? way.last ?? "" }
        relationship.way = way
        relationship.isMany = !entity.isEmbedded
        relationship.isSet = try measures[entity.index].areOnceInOwners(by: column.ownName)
        owner.relationships.append(relationship)
    }

    /// What objects with one identifier are, which are one in the store.
    private func areEqual(_ entity: DraftEntity, _ target: DraftEntity) -> String {
        let differ = measures.contains { measure in
            (measure.entity === entity || measure.entity === target) && measure.contradictions > 0
        }
        return differ ? "one, though some differ" : "equal"
    }

    /// What the values of an embedded object lead to by themselves, in whatever is around it, is known from here on:
    /// the same, or, by what the object is known by, what is told of again and again elsewhere.
    private func forget(_ target: DraftEntity, of entity: DraftEntity, knownBy key: DraftColumn) {
        for owner in sequence(first: entity, next: \.owner).dropFirst() {
            let path = path(to: entity, in: owner)
            owner.relationships.removeAll { relationship in
                guard let column = relationship.column, column.isIn(path) else { return false }
                let isOfKey = column.origin == .member(path + (key.path ?? []))
                return relationship.leads(to: target)
                    || isOfKey && target.repeats && relationship.targets.allSatisfy(\.repeats)
            }
        }
    }

    /// The members that lead from a record to what is in it.
    private func path(to entity: DraftEntity, in owner: DraftEntity) -> [String] {
        ShapeStep.members(entity.place.steps(from: owner.place).prefix { $0 != .element && $0 != .anyMember })
    }

    /// Values around records must not be there twice.
    private func isRefused(_ entity: DraftEntity, _ owner: DraftEntity) -> Bool {
        guard !entity.repeats else { return false }
        return EntityMembers.parts(of: owner).contains { ($0?.repeated ?? 0) > 0 }
    }

    /// The way from a record to what identifies the objects of a list in it.
    private func listed(
        _ entity: DraftEntity, _ inner: [ShapeStep], _ path: [String], _ column: DraftColumn
    ) -> String {
        let names = column.path ?? [column.ownName]
        if entity.isTree {
            let top = entity.place.nodes.count > 1 ? Array(path.dropLast()) : path
            let below = [.descendantName(names[0])] + names.dropFirst().map { Path.Step.name($0) }
            return DraftPaths.member(top) + Path(root: .feed, steps: below).description.dropFirst()
        }
        let steps = DraftPaths.text(inner + names.map { .member($0) }).dropFirst()
        return String(steps.first == "." ? steps.dropFirst() : steps)
    }

    /// What is no entity of its own stays whole in the record.
    private func keepWhole(_ path: [String], in owner: DraftEntity) {
        guard !path.isEmpty, !owner.isDropped else { return }
        let isThere = owner.columns.contains { $0.origin == .member(path) }
        if isThere { return }
        let column = DraftColumn(
            owner, .member(path), .json, node: 0, facts: nil, place: ShapeNode(parent: -1, step: .member),
            present: owner.records)
        column.index = owner.columns.count
        owner.columns.append(column)
    }

    /// The object whose list is the highest level of a tree, if it is known by what the levels are known by.
    private func top(of entity: DraftEntity, by column: DraftColumn) -> DraftEntity? {
        guard let owner = entity.owner, !owner.isDropped, owner.identifier?.only?.origin == column.origin,
            entity.place.steps(from: owner.place).count == 2
        else { return nil }
        return owner
    }

    /// What is one level higher in a tree.
    private func addParent(_ entity: DraftEntity) {
        guard let identifier = entity.identifier, identifier.columns.count == 1, !identifier.hasOwner else { return }
        // Above the highest level, a reference would find an object or a list.
        if let first = identifier.columns[0].path?.first, entity.place.membersAbove.contains(ExactText(first)) {
            entity.remarks.append(
                "which level is above is in no relationship: there is no \(quoted(first)) to refer by above the highest"
            )
            return
        }
        var parent = DraftRelationship(.owner, to: entity, remark: "the level above")
        if let top = top(of: entity, by: identifier.columns[0]) { parent.targets.append(top) }
        parent.name = "parent"
        entity.relationships.insert(parent, at: 0)
    }
}
