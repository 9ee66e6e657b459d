import Records

/// Which entities of a model may lose objects in a run, and what must be known for it.
struct Losses {
    /// By entity: whether its objects may be deleted, by `absent`, `deleteWhere` or `onDelete: cascade`.
    let isDeletable: [Bool]
    /// By entity: whether it must be known which objects of earlier runs the feed holds, rejected records included.
    let needsPresence: [Bool]

    init(_ model: Model) {
        var isDeletable = model.entities.map { $0.absent == .delete || $0.absent == .keep && !$0.deletions.isEmpty }
        var isSettled = false
        while !isSettled {
            isSettled = true
            for (index, entity) in model.entities.enumerated() where !isDeletable[index] && entity.absent != .mark {
                if entity.cascades(from: isDeletable) {
                    isDeletable[index] = true
                    isSettled = false
                }
            }
        }
        self.isDeletable = isDeletable
        needsPresence = model.entities.enumerated().map { [isDeletable] index, entity in
            entity.absent != .keep || entity.cascades(from: isDeletable) || model.bounds(index)
        }
    }
}

extension Entity {
    /// Whether the deletion of an object of some entities may delete one of this entity.
    fileprivate func cascades(from isDeletable: [Bool]) -> Bool {
        relationships.contains { relationship in
            relationship.onDelete == .cascade && relationship.targets.contains { isDeletable[$0.entity] }
        }
    }
}

extension Model {
    /// Whether an entity's records bound what another one may lose (`within`).
    fileprivate func bounds(_ index: Int) -> Bool {
        entities.contains { entity in
            guard let within = entity.within else { return false }
            return entity.relationships[within].targets.contains { $0.entity == index }
        }
    }
}
