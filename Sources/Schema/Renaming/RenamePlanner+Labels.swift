import SluiceRecords

extension RenamePlanner {
    /// Entries of the waiting list name the attributes of their ways: they must follow a changed name, even one that
    /// differs only in case.
    func waitingLabels() -> [Renaming.LabelMove] {
        model.entities.flatMap { entity in
            entity.relationships.flatMap { relationship in
                relationship.ways.indices.flatMap { waitingLabels(entity, relationship, $0) }
            }
        }
    }

    /// Ways that a definition may have had.
    private static let mostWays = 8

    private func waitingLabels(
        _ entity: Entity, _ relationship: Relationship, _ way: Int
    ) -> [Renaming.LabelMove] {
        let target = model.entities[relationship.targets[relationship.ways[way].target].entity]
        let description = ownRow(target)?.description ?? rows(of: target.name).first?.description
        let names = relationship.attributeNames(ofWay: way, in: model)
        let stored = names.map { name in description?.attributes.first { $0.name.isSameName(as: name) } }
        let renamed = attributesBefore[FoldedName(target.name)] ?? [:]
        let earlier = zip(names, stored).map { renamed[FoldedName($0)] ?? $1?.name ?? $0 }
        // The forms are those that the store still has: a change of form is no matter of names.
        let forms = zip(stored, relationship.ways[way].conversions).map { $0?.form ?? $1.stored }
        let before = renaming.entities.first { $0.to.isIdentical(to: target.name) }?.from ?? target.name
        // Definitions whose ways lead to one target do not name it; and the ways may have been in another order.
        let numbers = 0..<max(relationship.ways.count, RenamePlanner.mostWays)
        return numbers.flatMap { number in
            [(nil, nil), (before, target.name)].compactMap { before, now -> Renaming.LabelMove? in
                // Of another number, a label without a target may be one of another entity.
                if before == nil, number != way, relationship.waysLeadToSeveral { return nil }
                let from = relationship.wayLabel(number, before, earlier, forms)
                let to = relationship.wayLabel(number, now, names, forms)
                if from.isIdentical(to: to) { return nil }
                return Renaming.LabelMove(
                    entity: entity.name, relationship: relationship.name, from: from, to: to)
            }
        }
    }
}
