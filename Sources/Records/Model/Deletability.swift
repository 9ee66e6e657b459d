/// Which entities of a model may lose objects in a run, and what must be known for it. It is found out for all of them
/// at once: a model may have thousands.
package struct Deletability {
    /// By entity: whether its objects may be deleted, by `absent`, `deleteWhere` or `onDelete: cascade`.
    package let isDeletable: [Bool]
    /// By entity: whether it must be known which objects of earlier runs the feed holds, rejected records included.
    package let needsPresence: [Bool]
    /// By entity: whether a relationship refers to it.
    package let isTarget: [Bool]

    /// - Parameter startsEmpty: By entity: whether it has no objects of earlier runs, which alone can be absent; nil:
    ///   that is not known.
    package init(_ model: Model, startsEmpty: [Bool]? = nil) {
        var isDeletable = model.entities.enumerated().map { index, entity in
            let mayLack = entity.deletesAbsent && startsEmpty?[index] != true
            return !entity.marksAbsent && (!entity.deletions.isEmpty || mayLack)
        }
        var isSettled = false
        while !isSettled {
            isSettled = true
            for (index, entity) in model.entities.enumerated() where !isDeletable[index] && !entity.marksAbsent {
                if entity.cascades(from: isDeletable) {
                    isDeletable[index] = true
                    isSettled = false
                }
            }
        }
        self.isDeletable = isDeletable
        let bounding = model.boundingEntities
        needsPresence = model.entities.enumerated().map { [isDeletable] index, entity in
            entity.removesAbsent || entity.absence.orphans.areDeleted || entity.cascades(from: isDeletable)
                || bounding.contains(index)
        }
        var isTarget = model.entities.map { _ in false }
        for entity in model.entities {
            for relationship in entity.relationships {
                for target in relationship.targets { isTarget[target.entity] = true }
            }
        }
        self.isTarget = isTarget
    }
}

extension Entity {
    /// Whether the deletion of an object of some entities may delete one of this entity.
    fileprivate func cascades(from isDeletable: [Bool]) -> Bool {
        relationships.contains { relationship in
            relationship.onDelete.cascades && relationship.targets.contains { isDeletable[$0.entity] }
        }
    }
}

extension Model {
    /// The entities whose records bound what another one may lose (`within`).
    fileprivate var boundingEntities: Set<Int> {
        var bounding: Set<Int> = []
        for entity in entities {
            guard let within = entity.absence.within else { continue }
            bounding.formUnion(entity.relationships[within].targets.map(\.entity))
        }
        return bounding
    }
}
