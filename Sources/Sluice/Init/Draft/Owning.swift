import SluiceRecords

/// Relates what is in a record to that record.
struct Owning {
    let entities: [DraftEntity]

    func relate() {
        // From above, as nothing in what is dropped can refer to it.
        for entity in entities.sorted(by: { $0.steps.count < $1.steps.count }) {
            if let owner = entity.owner { relate(entity, to: owner) }
            if entity.isTree, !entity.isDropped { addParent(entity) }
        }
    }

    private func relate(_ entity: DraftEntity, to owner: DraftEntity) {
        if let same = entity.same { return refer(entity, in: owner, to: same) }
        if !entity.isEmbedded, !entity.isDropped, owner.isDropped || isRefused(entity, owner) {
            entity.isDropped = true
        }
        guard !entity.isDropped else {
            if !entity.isEmbedded { keepWhole(path(to: entity, in: owner), in: owner) }
            return
        }
        guard entity.repeats else {
            entity.relationships.insert(
                DraftRelationship(name: "", via: .owner, targets: [owner], remark: ""), at: 0)
            return
        }
        refer(entity, in: owner, to: entity)
    }

    /// Relates a record to what is in it, and in others.
    private func refer(_ entity: DraftEntity, in owner: DraftEntity, to target: DraftEntity) {
        guard !owner.isDropped, let name = target.identifier?.columns.first?.ownName else { return }
        let path = path(to: entity, in: owner)
        let inner = Array(entity.steps.dropFirst(owner.steps.count))
        let remark = "one \(quoted(name)) has always the same values"
        let via: DraftRelationship.Via =
            entity.isEmbedded ? .embedded(path) : .listed(listed(entity, inner, path, name))
        // What its values lead to by themselves is known from here on.
        owner.relationships.removeAll { relationship in
            guard case .member(let own)? = relationship.column?.origin else { return false }
            return entity.isEmbedded && own.starts(with: path) && relationship.targets.contains { $0 === target }
        }
        owner.relationships.append(
            DraftRelationship(
                name: entity === target ? "" : path.last ?? "", via: via, targets: [target],
                isMany: !entity.isEmbedded, remark: remark))
    }

    /// The members that lead from a record to what is in it.
    private func path(to entity: DraftEntity, in owner: DraftEntity) -> [String] {
        entity.steps.dropFirst(owner.steps.count).prefix { $0 != .element && $0 != .anyMember }.compactMap { step in
            if case .member(let name) = step { name } else { nil }
        }
    }

    /// Values around records must not be there twice.
    private func isRefused(_ entity: DraftEntity, _ owner: DraftEntity) -> Bool {
        guard !entity.repeats else { return false }
        return EntityMembers.parts(of: owner).contains { ($0?.place.owners.repeated ?? 0) > 0 }
    }

    private func listed(_ entity: DraftEntity, _ inner: [ShapeStep], _ path: [String], _ name: String) -> String {
        if entity.isTree {
            let top = entity.nodes.count > 1 ? Array(path.dropLast()) : path
            let below = Path(root: .feed, steps: [.descendantName(name)]).description.dropFirst()
            return DraftPaths.member(top) + below
        }
        let steps = DraftPaths.text(inner + [.member(name)]).dropFirst()
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

    /// What is one level higher in a tree.
    private func addParent(_ entity: DraftEntity) {
        guard let identifier = entity.identifier, identifier.columns.count == 1, !identifier.hasOwner else { return }
        var parent = DraftRelationship(name: "parent", via: .owner, targets: [entity], remark: "")
        parent.remark = "the level above"
        entity.relationships.insert(parent, at: 0)
    }
}
