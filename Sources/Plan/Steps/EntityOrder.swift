import SluiceRecords

/// Entities after those that they depend on.
package struct EntityOrder {
    private(set) var order: [Int] = []
    /// Of each cycle, an entity and a relationship of it that leads back. Not all entities have a place then.
    package private(set) var cycles: [(entity: Int, relationship: Int)] = []
    private var left: [Int]
    /// By entity and relationship.
    private var dependencies: [[[Int]]]

    /// Those with records that need their targets.
    package static func ofNeeds(_ model: Model) -> EntityOrder {
        let needs = model.entities.map { $0.relationships.contains { $0.missing.rejectsRecords } }
        return EntityOrder(model, among: needs) { relationship in
            relationship.missing.rejectsRecords ? relationship.targets.map(\.entity).filter { needs[$0] } : []
        }
    }

    /// Those whose objects may be deleted or marked: first those to whose objects others are bound.
    package static func ofDeletions(_ model: Model) -> EntityOrder {
        let deletes = Deletability(model).isDeletable
        let goes = zip(deletes, model.entities).map { $0 || $1.marksAbsent }
        return EntityOrder(model, among: goes) { relationship in
            relationship.onDelete.cascades ? relationship.targets.map(\.entity).filter { deletes[$0] } : []
        }
    }

    private init(_ model: Model, among wanted: [Bool], _ dependencies: (Relationship) -> [Int]) {
        left = model.entities.indices.filter { wanted[$0] }
        self.dependencies = model.entities.map { $0.relationships.map(dependencies) }
        while !left.isEmpty {
            let free = left.filter { index in !targets(of: index).contains { left.contains($0) } }
            order += free
            left.removeAll { free.contains($0) }
            guard free.isEmpty, let way = wayBack() else { continue }
            cycles.append(way)
            // As if it were not there, the others are looked for.
            self.dependencies[way.entity][way.relationship] = []
        }
    }

    private func targets(of entity: Int) -> [Int] { dependencies[entity].flatMap { $0 } }

    /// An entity that depends on itself by others that are left, and by which relationship.
    private func wayBack() -> (entity: Int, relationship: Int)? {
        for entity in left {
            let relationship = dependencies[entity].firstIndex { targets in targets.contains { leads($0, to: entity) } }
            if let relationship { return (entity, relationship) }
        }
        return nil
    }

    private func leads(_ first: Int, to entity: Int) -> Bool {
        var met: Set<Int> = []
        var next = [first]
        while let index = next.popLast() {
            if index == entity { return true }
            if left.contains(index), met.insert(index).inserted { next += targets(of: index) }
        }
        return false
    }
}
