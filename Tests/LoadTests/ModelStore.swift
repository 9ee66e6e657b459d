import Records

/// What a store should hold, kept naively: dictionaries, one record at a time, references by value.
struct ModelStore {
    /// An object as its records left it: what a reference refers to may be there or not.
    struct Object: Equatable {
        var attributes: [TestValue]
        /// By relationship: the keys of its references, each with its place; at most one where it is to-one.
        var references: [[Key]]
    }

    /// The cells of one reference, as `RowLayout` has them.
    struct Key: Hashable {
        var cells: [TestValue]
        var position: Int
        /// What an earlier run found: a reference that was resolved stays what it is until a record restates it.
        var found: Target?
    }

    struct Target: Hashable {
        var entity: Int
        var key: [TestValue]
    }

    /// An object as the store shows it.
    struct Shown: Equatable {
        var attributes: [TestValue]
        var links: [[ShownLink]]
    }

    struct ShownLink: Hashable {
        var entity: Int
        var key: [TestValue]
        var position: Int
    }

    typealias Objects = [[[TestValue]: Object]]

    /// Its modes may change from run to run.
    var model: Model
    /// By entity and identifier.
    private(set) var objects: Objects
    /// Of the last run.
    private(set) var counts: [EntityCounts] = []

    init(_ model: Model) {
        self.model = model
        objects = model.entities.map { _ in [:] }
    }

    /// Objects of which only the identifier is known.
    private var stubs: Set<ObjectKey> = []

    private struct ObjectKey: Hashable {
        var entity: Int
        var key: [TestValue]
    }

    /// A record that was applied: what it found, and what it left.
    private struct Step {
        var entity: Int
        var old: Object?
        var new: Object
        var isFirst: Bool
        var isStub: Bool
    }

    /// Runs a feed.
    mutating func run(_ records: [TestRecord]) {
        let before = objects
        let stubsBefore = stubs
        counts = model.entities.map { EntityCounts(relationships: $0.relationships.count) }
        var met: Set<ObjectKey> = []
        var steps: [Step] = []
        for record in records {
            let key = model.entities[record.entity].identifier.map { record.values[$0] }
            let old = objects[record.entity][key]
            let entity = model.entities[record.entity]
            let objectKey = ObjectKey(entity: record.entity, key: key)
            let existed = before[record.entity][key] != nil && !stubsBefore.contains(objectKey)
            if entity.mode == .insert && existed || entity.mode == .update && old == nil {
                counts[record.entity].records += 1
                counts[record.entity].skipped += 1
                continue
            }
            let new = apply(record, to: old)
            let isFirst = met.insert(objectKey).inserted
            if !isFirst, entity.duplicates == .reject {
                counts[record.entity].records += 1
                counts[record.entity].rejected += 1
                continue
            }
            if isFirst || entity.duplicates == .last { objects[record.entity][key] = new }
            steps.append(
                Step(
                    entity: record.entity, old: old, new: new, isFirst: isFirst,
                    isStub: stubs.remove(objectKey) != nil))
        }
        createStubs(met)
        for step in steps { count(step, before) }
        countReferences(met, before)
        fixReferences()
    }

    /// Creates what is missing where a relationship says so.
    private mutating func createStubs(_ met: Set<ObjectKey>) {
        var created: Set<ObjectKey> = []
        for key in met {
            guard let object = objects[key.entity][key.key] else { continue }
            for (index, relationship) in model.entities[key.entity].relationships.enumerated()
            where relationship.missing == .stub {
                for reference in object.references[index] where target(relationship, reference, objects) == nil {
                    if let missing = missing(relationship, reference) { created.insert(missing) }
                }
            }
        }
        for stub in created {
            let entity = model.entities[stub.entity]
            var object = Object(
                attributes: Array(repeating: .null, count: entity.attributes.count),
                references: Array(repeating: [], count: entity.relationships.count))
            for (part, attribute) in entity.identifier.enumerated() { object.attributes[attribute] = stub.key[part] }
            objects[stub.entity][stub.key] = object
            stubs.insert(stub)
            counts[stub.entity].stubs += 1
        }
    }

    private func missing(_ relationship: Relationship, _ key: Key) -> ObjectKey? {
        var target = 0
        if relationship.selector != nil, case .integer(let selected) = key.cells[0] { target = Int(selected) }
        let start = (relationship.selector == nil ? 0 : 1) + target * relationship.key.count
        let values = Array(key.cells[start...].prefix(relationship.key.count))
        if values.contains(where: { if case .impossible = $0 { true } else { false } }) { return nil }
        return ObjectKey(entity: relationship.targets[target].entity, key: values)
    }

    private mutating func fixReferences() {
        for entity in objects.indices {
            for (key, object) in objects[entity] {
                for (index, relationship) in model.entities[entity].relationships.enumerated() {
                    for place in object.references[index].indices {
                        let target = target(relationship, object.references[index][place], objects)
                        objects[entity][key]?.references[index][place].found = target
                    }
                }
            }
        }
    }

    private func apply(_ record: TestRecord, to old: Object?) -> Object {
        let entity = model.entities[record.entity]
        let attributes = entity.attributes.indices.map { index in
            guard record.values[index] == .absent else { return record.values[index] }
            return old?.attributes[index] ?? .null
        }
        let references = entity.relationships.enumerated().map { index, relationship in
            keys(record, entity, relationship, index) ?? old?.references[index] ?? []
        }
        return Object(attributes: attributes, references: references)
    }

    /// The keys that a record gives; nil where it says nothing.
    private func keys(_ record: TestRecord, _ entity: Entity, _ relationship: Relationship, _ index: Int) -> [Key]? {
        let start = entity.layout.relationshipStart[index]
        let width = (relationship.selector == nil ? 0 : 1) + relationship.targets.count * relationship.key.count
        let cells = Array(record.values[start..<start + width])
        if cells[0] == .absent { return nil }
        if cells[0] == .null { return [] }
        guard case .list(let first) = cells[width - 1] else { return [Key(cells: cells, position: 0)] }
        return first.indices.map { place in
            let block = cells.map { cell -> TestValue in
                if case .list(let values) = cell { return values[place] }
                return cell
            }
            return Key(cells: block, position: place)
        }
    }

    // MARK: Resolving

    /// The object that a key names, among some objects.
    private func target(_ relationship: Relationship, _ key: Key, _ objects: Objects) -> Target? {
        if let found = key.found { return found }
        let width = relationship.key.count
        if relationship.selector != nil, case .integer(let selected) = key.cells[0] {
            let entity = relationship.targets[Int(selected)].entity
            let values = Array(key.cells[(1 + Int(selected) * width)...].prefix(width))
            return objects[entity][values] == nil ? nil : Target(entity: entity, key: values)
        }
        for (index, target) in relationship.targets.enumerated() {
            let values = Array(key.cells[(index * width)...].prefix(width))
            if objects[target.entity][values] != nil { return Target(entity: target.entity, key: values) }
        }
        return nil
    }

    /// The links of an object, each once at its first place, and the keys that lack their target, likewise.
    private func resolve(
        _ object: Object, _ entity: Int, _ relationship: Int, _ objects: Objects
    ) -> (links: [ShownLink], lacking: [[TestValue]]) {
        let definition = model.entities[entity].relationships[relationship]
        var links: [ShownLink] = []
        var lacking: [[TestValue]] = []
        for key in object.references[relationship] {
            if let target = target(definition, key, objects) {
                if !links.contains(where: { $0.entity == target.entity && $0.key == target.key }) {
                    links.append(ShownLink(entity: target.entity, key: target.key, position: key.position))
                }
            } else if !lacking.contains(key.cells) {
                lacking.append(key.cells)
            }
        }
        return (links, lacking)
    }

    private func shown(_ object: Object, _ entity: Int, _ objects: Objects) -> Shown {
        let relationships = model.entities[entity].relationships.indices
        return Shown(
            attributes: object.attributes, links: relationships.map { resolve(object, entity, $0, objects).links })
    }

    // MARK: Counting

    private mutating func count(_ step: Step, _ before: Objects) {
        counts[step.entity].records += 1
        guard let old = step.old else {
            counts[step.entity].created += 1
            return
        }
        let new = shown(step.new, step.entity, objects)
        if step.isFirst {
            if !step.isStub, new == shown(old, step.entity, before) {
                counts[step.entity].unchanged += 1
            } else {
                counts[step.entity].updated += 1
            }
        } else {
            let relationships = model.entities[step.entity].relationships.indices
            let lacked = relationships.map { resolve(old, step.entity, $0, objects).lacking }
            let lacks = relationships.map { resolve(step.new, step.entity, $0, objects).lacking }
            if new == shown(old, step.entity, objects), lacks == lacked {
                counts[step.entity].identical += 1
            } else {
                counts[step.entity].conflicting += 1
            }
        }
    }

    private mutating func countReferences(_ met: Set<ObjectKey>, _ before: Objects) {
        for entity in objects.indices {
            for (key, object) in objects[entity] {
                for relationship in model.entities[entity].relationships.indices {
                    let now = resolve(object, entity, relationship, objects)
                    guard met.contains(ObjectKey(entity: entity, key: key)) else {
                        let then = resolve(object, entity, relationship, before)
                        counts[entity].relationships[relationship].late += then.lacking.count - now.lacking.count
                        continue
                    }
                    counts[entity].relationships[relationship].resolved += now.links.count
                    counts[entity].relationships[relationship].unresolved += now.lacking.count
                    if now.links.isEmpty, now.lacking.isEmpty {
                        counts[entity].relationships[relationship].null += 1
                    }
                }
            }
        }
    }

    // MARK: Rows

    /// The rows of an entity: attributes, then each relationship as `entity/identifier@position`, sorted.
    func rows(of entity: Int) -> [[String]] {
        objects[entity].values.map { object in
            let shown = shown(object, entity, objects)
            return shown.attributes.map(ModelStore.text)
                + shown.links.map { links in
                    links.map { link in
                        let name = model.entities[link.entity].name
                        return "\(name)/\(link.key.map(ModelStore.text).joined(separator: ","))@\(link.position)"
                    }.joined(separator: " ")
                }
        }.sorted { $0.lexicographicallyPrecedes($1) }
    }

    static func text(_ value: TestValue) -> String {
        switch value {
        case .absent, .null: "∅"
        case .integer(let number): String(number)
        case .real(let number): String(number)
        case .text(let text), .impossible(let text): text
        case .list(let values): "\(values)"
        }
    }
}
