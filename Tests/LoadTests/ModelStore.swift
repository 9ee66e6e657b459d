import Records

/// What a store should hold, kept naively: dictionaries, one record at a time, references by value.
struct ModelStore {
    struct Object: Equatable {
        var attributes: [TestValue]
        /// By relationship: the key that the object refers to, whether or not it is there; nil: null.
        var references: [[TestValue]?]
    }

    let model: Model
    /// By entity and identifier.
    var objects: [[[TestValue]: Object]]
    /// Of the last run.
    var counts: [EntityCounts] = []

    init(_ model: Model) {
        self.model = model
        objects = model.entities.map { _ in [:] }
    }

    /// Runs a feed. A reference without its target stays what it is: it waits.
    mutating func run(_ records: [TestRecord]) {
        let before = objects
        var firsts: [(entity: Int, key: [TestValue], object: Object)] = []
        var met: Set<TestRecordKey> = []
        counts = model.entities.map { EntityCounts(relationships: $0.relationships.count) }
        for record in records {
            let entity = model.entities[record.entity]
            let key = entity.identifier.map { record.values[$0] }
            let old = objects[record.entity][key]
            let new = apply(record, to: old)
            objects[record.entity][key] = new
            counts[record.entity].records += 1
            if met.insert(TestRecordKey(entity: record.entity, key: key)).inserted {
                firsts.append((record.entity, key, new))
            } else if new == old {
                counts[record.entity].identical += 1
            } else {
                counts[record.entity].conflicting += 1
            }
        }
        countFirsts(firsts, before)
        countReferences(met, before)
    }

    private struct TestRecordKey: Hashable {
        var entity: Int
        var key: [TestValue]
    }

    private func apply(_ record: TestRecord, to old: Object?) -> Object {
        let entity = model.entities[record.entity]
        let attributes = entity.attributes.indices.map { index in
            guard record.values[index] == .absent else { return record.values[index] }
            return old?.attributes[index] ?? .null
        }
        let references = entity.relationships.enumerated().map { index, relationship -> [TestValue]? in
            let start = entity.layout.relationshipStart[index]
            let key = Array(record.values[start..<start + relationship.key.count])
            if key[0] == .absent { return old?.references[index] }
            return key[0] == .null ? nil : key
        }
        return Object(attributes: attributes, references: references)
    }

    /// An object as the store shows it: references without their targets are null.
    private func resolved(_ entity: Int, _ object: Object, _ objects: [[[TestValue]: Object]]) -> Object {
        var object = object
        for (index, relationship) in model.entities[entity].relationships.enumerated() {
            if let key = object.references[index], objects[relationship.targets[0].entity][key] == nil {
                object.references[index] = nil
            }
        }
        return object
    }

    private mutating func countFirsts(
        _ firsts: [(entity: Int, key: [TestValue], object: Object)], _ before: [[[TestValue]: Object]]
    ) {
        for (entity, key, object) in firsts {
            if let old = before[entity][key] {
                if resolved(entity, object, objects) == resolved(entity, old, before) {
                    counts[entity].unchanged += 1
                } else {
                    counts[entity].updated += 1
                }
            } else {
                counts[entity].created += 1
            }
        }
    }

    private mutating func countReferences(_ met: Set<TestRecordKey>, _ before: [[[TestValue]: Object]]) {
        for entity in objects.indices {
            for (key, object) in objects[entity] {
                let isMet = met.contains(TestRecordKey(entity: entity, key: key))
                for (index, relationship) in model.entities[entity].relationships.enumerated() {
                    let target = relationship.targets[0].entity
                    let reference = object.references[index]
                    let isThere = reference.map { objects[target][$0] != nil } ?? false
                    let wasThere = reference.map { before[target][$0] != nil } ?? false
                    count(entity, index, isMet: isMet, isNull: reference == nil, isThere: isThere, wasThere: wasThere)
                }
            }
        }
    }

    private mutating func count(
        _ entity: Int, _ relationship: Int, isMet: Bool, isNull: Bool, isThere: Bool, wasThere: Bool
    ) {
        if !isMet {
            if isThere, !wasThere { counts[entity].relationships[relationship].late += 1 }
        } else if isNull {
            counts[entity].relationships[relationship].null += 1
        } else if isThere {
            counts[entity].relationships[relationship].resolved += 1
        } else {
            counts[entity].relationships[relationship].unresolved += 1
        }
    }

    /// The rows of an entity as `LoadPropertyTests.stored` reads them from the store, sorted.
    func rows(of entity: Int) -> [[String]] {
        objects[entity].values.map { resolved(entity, $0, objects) }.map { object in
            object.attributes.map(text) + object.references.flatMap { key in key.map { $0.map(text) } ?? ["∅"] }
        }.sorted { $0.lexicographicallyPrecedes($1) }
    }

    private func text(_ value: TestValue) -> String {
        switch value {
        case .absent, .null: "∅"
        case .integer(let number): String(number)
        case .real(let number): String(number)
        case .text(let text), .impossible(let text): text
        }
    }
}
