import SluiceRecords

/// Lets objects in records refer themselves to what the records were found to refer to from within these: the price to
/// the product in `"price": { "id": …, "product": … }`.
struct InnerReferences {
    let entities: [DraftEntity]

    func settle() {
        for entity in entities where entity.isEmbedded {
            // The records of another entity may be these, too.
            let inner = entity.same ?? entity
            guard !inner.isDropped, let owner = InnerReferences.record(around: entity), !owner.isDropped else {
                continue
            }
            hand(of: owner, at: ShapeStep.members(Array(entity.place.steps(from: owner.place))), to: inner)
        }
    }

    /// The entity whose records have the objects in members: what is in these was looked at as theirs.
    private static func record(around entity: DraftEntity) -> DraftEntity? {
        sequence(first: entity, next: \.owner).first { !$0.isEmbedded }
    }

    private func hand(of owner: DraftEntity, at path: [String], to inner: DraftEntity) {
        for relationship in owner.relationships {
            guard case .column = relationship.basis, let column = relationship.column, relationship.kinds == nil,
                column.content == .scalar, column.cut == nil, let place = column.path, !place.isEmpty,
                place.dropLast() == path[...], let own = InnerReferences.column(of: inner, place[place.count - 1])
            else { continue }
            owner.relationships.removeAll { $0.column === column }
            if inner.relationships.contains(where: { $0.column === own }) { continue }
            var handed = relationship
            handed.column = own
            inner.relationships.append(handed)
        }
    }

    /// What an object has under a name, unless that is what it is known by.
    private static func column(of inner: DraftEntity, _ name: String) -> DraftColumn? {
        inner.columns.first {
            $0.origin == .member([name]) && $0.cut == nil && $0.content == .scalar && !$0.isIdentifying
        }
    }
}
