import SluiceDefinition
import SluiceRecords

extension Model {
    /// Whether the records of an entity are parts of the records of its owner, the entity that bounds what may be
    /// absent (`within`), and refer to these: then each record of the owner has all objects that belong to it, and it
    /// does not matter what else a feed lacks.
    ///
    /// - Parameter source: the index of the source that does not give all that there is.
    func comesWithOwner(_ entity: Entity, from source: Int) -> Bool {
        guard let within = entity.absence.within else { return false }
        let relationship = entity.relationships[within]
        guard relationship.targets.count == 1, !relationship.isSearched else { return false }
        let owner = entities[relationship.targets[0].entity]
        // A record of another source, or at another place, says nothing of what belongs to it.
        guard owner.sources == [source], entity.sources == [source] else { return false }
        let isCovered = owner.records.allSatisfy { own in entity.records.contains { $0.isPart(of: own) } }
        return isCovered
            && entity.records.allSatisfy { path in
                owner.records.contains {
                    path.isPart(of: $0) && relationship.refers(to: owner, at: $0, entity, at: path)
                }
            }
    }
}

extension Relationship {
    /// Whether the value of each part of a key is what identifies the record around.
    fileprivate func refers(to owner: Entity, at place: Path, _ entity: Entity, at path: Path) -> Bool {
        guard key.count == owner.identifier.count else { return false }
        return zip(key, owner.identifier).allSatisfy { rule, index in
            let own = owner.attributes[index].value
            guard case .slot(let slot) = rule.origin, case .slot(let ownSlot) = own.origin else { return false }
            var taken = rule
            taken.origin = own.origin
            return taken == own
                && entity.slots[slot].path.place(from: path) == owner.slots[ownSlot].path.place(from: place)
        }
    }
}

extension Path {
    /// Whether each node at this path is in a node at another one, which is always the same.
    fileprivate func isPart(of path: Path) -> Bool {
        steps.count > path.steps.count && steps.starts(with: path.steps) && !steps.contains(where: \.isDescendant)
    }

    /// Where a path leads in the feed that starts from a record; nil: that is not known.
    fileprivate func place(from record: Path) -> Path? {
        switch root {
        case .feed: Path(root: .feed, steps: steps, isKey: isKey)
        case .record where parents <= record.steps.count:
            Path(root: .feed, steps: record.steps.dropLast(parents) + steps, isKey: isKey)
        case .record, .request: nil
        }
    }
}
