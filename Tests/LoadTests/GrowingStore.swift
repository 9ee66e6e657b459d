import SluiceRecords
import TestSupport

@testable import SluiceSchema

/// The objects of a store that several pipelines share and whose definitions change, as a naive model has them: by
/// what things are, whatever they are called at the time.
struct GrowingStore {
    /// The names that a thing has had; the last one is its present name.
    struct Names {
        var all: [String]
        /// What the store has it as; nil: it is not there yet.
        var stored: String?
        var now: String { all[all.count - 1] }
        var was: [String] { all.dropLast().filter { $0 != now } }
    }

    struct Attribute {
        var names: Names
        var type: AttributeType
    }

    struct Relationship {
        var names: Names
        var targets: [Int]
        var isMany: Bool
    }

    struct Entity {
        var names: Names
        /// nil: as the entity.
        var table: String?
        var storedTable: String?
        /// The first one identifies.
        var attributes: [Attribute]
        var relationships: [Relationship] = []
        var objects: [Int: Object] = [:]

        var tableName: String { table ?? names.now }
    }

    struct Object {
        /// By attribute.
        var values: [Int: String] = [:]
        /// By relationship: the identifiers that it names, and whether they have been found.
        var references: [Int: [(id: Int, isFound: Bool)]] = [:]
    }

    /// What a pipeline's definition has of an entity.
    struct Part {
        var attributes: Set<Int> = [0]
        var relationships: Set<Int> = []
        var hasRun = false
    }

    var random: SeededRandom
    var entities: [Entity] = []
    var pipelines: [[Int: Part]] = [[:], [:]]
    private var nameCount = 0
    /// Whether the store is one on a server.
    private let isOnServer: Bool

    init(_ seed: Int, isOnServer: Bool = false) {
        random = SeededRandom(seed)
        self.isOnServer = isOnServer
    }

    // MARK: Names

    private static let endings = [
        "", " x", "\"", "'", "🚉", "]", "\u{301}", "Ä", ".", "%s", "\\", "--", "select",
    ]

    /// A name that nothing has had.
    mutating func freshName() -> String {
        nameCount += 1
        let ending = GrowingStore.endings[random.below(GrowingStore.endings.count)]
        return ["n", "Order ", "\"", "é"][random.below(4)] + "\(nameCount)" + ending
    }

    // MARK: Growth

    /// Changes the definition of a pipeline, and what it means for all others.
    mutating func change(_ pipeline: Int) {
        let known = pipelines[pipeline].keys.sorted()
        guard let entity = known.randomElement(using: &random), random.below(6) > 0 else { return addEntity(pipeline) }
        switch random.below(9) {
        case 0: addAttribute(pipeline, entity)
        case 1, 2: addRelationship(pipeline, entity)
        case 3: entities[entity].names.all.append(freshName())
        case 4:
            let index = pipelines[pipeline][entity]!.attributes.sorted().randomElement(using: &random)!
            entities[entity].attributes[index].names.all.append(freshName())
        case 5:
            guard let index = pipelines[pipeline][entity]!.relationships.sorted().randomElement(using: &random) else {
                return
            }
            entities[entity].relationships[index].names.all.append(freshName())
        // A pipeline that has joined an entity cannot give it another table before it has once run with the present
        // one.
        case 6 where pipelines[pipeline][entity]!.hasRun:
            entities[entity].table = freshName()
        case 7:
            // A table that gets its earlier name back is what another pipeline, behind the times, would ask for.
            let alone = known.filter { pipelines[pipeline][$0]!.hasRun && pipelines[1 - pipeline][$0] == nil }
            guard alone.count > 1 else { return }
            let pair = alone.shuffled(using: &random)
            let (one, two) = (entities[pair[0]].tableName, entities[pair[1]].tableName)
            (entities[pair[0]].table, entities[pair[1]].table) = (two, one)
        default: lose(pipeline, entity)
        }
    }

    private mutating func addEntity(_ pipeline: Int) {
        let unknown = entities.indices.filter { pipelines[pipeline][$0] == nil }
        if random.below(2) == 0, let entity = unknown.randomElement(using: &random) {
            pipelines[pipeline][entity] = Part()
        } else if entities.count < 5 {
            let id = Attribute(names: Names(all: [freshName()]), type: .integer)
            entities.append(Entity(names: Names(all: [freshName()]), attributes: [id]))
            pipelines[pipeline][entities.count - 1] = Part()
        }
    }

    private mutating func addAttribute(_ pipeline: Int, _ entity: Int) {
        let unknown = entities[entity].attributes.indices.filter {
            !pipelines[pipeline][entity]!.attributes.contains($0)
        }
        if random.below(2) == 0, let index = unknown.randomElement(using: &random) {
            pipelines[pipeline][entity]?.attributes.insert(index)
            return
        }
        // The values are no days, which a server sees.
        let type: AttributeType = [.text, .json, isOnServer ? .text : .date][random.below(3)]
        entities[entity].attributes.append(Attribute(names: Names(all: [freshName()]), type: type))
        pipelines[pipeline][entity]?.attributes.insert(entities[entity].attributes.count - 1)
    }

    private mutating func addRelationship(_ pipeline: Int, _ entity: Int) {
        let known = pipelines[pipeline].keys.sorted()
        let unknown = entities[entity].relationships.indices.filter { index in
            !pipelines[pipeline][entity]!.relationships.contains(index)
                && entities[entity].relationships[index].targets.allSatisfy(known.contains)
        }
        if random.below(2) == 0, let index = unknown.randomElement(using: &random) {
            pipelines[pipeline][entity]?.relationships.insert(index)
            return
        }
        var targets = Array(known.shuffled(using: &random).prefix(1 + random.below(3)))
        if targets.isEmpty { targets = [entity] }
        entities[entity].relationships.append(
            Relationship(names: Names(all: [freshName()]), targets: targets, isMany: random.below(2) == 0))
        pipelines[pipeline][entity]?.relationships.insert(entities[entity].relationships.count - 1)
    }

    private mutating func lose(_ pipeline: Int, _ entity: Int) {
        if let index = pipelines[pipeline][entity]!.attributes.subtracting([0]).sorted().randomElement(using: &random) {
            pipelines[pipeline][entity]?.attributes.remove(index)
        } else if let index = pipelines[pipeline][entity]!.relationships.sorted().randomElement(using: &random) {
            pipelines[pipeline][entity]?.relationships.remove(index)
        }
    }

    // MARK: The definition

    /// The entities of a pipeline, in the order of its definition.
    func order(_ pipeline: Int) -> [Int] { pipelines[pipeline].keys.sorted() }

    func model(_ pipeline: Int) -> Model {
        let order = order(pipeline)
        return Model(entities: order.map { definition(pipeline, $0, order) })
    }

    private func definition(_ pipeline: Int, _ index: Int, _ order: [Int]) -> SluiceRecords.Entity {
        let (entity, part) = (entities[index], pipelines[pipeline][index]!)
        var definition = SluiceRecords.Entity.forLoad(
            entity.names.now, identifier: [0],
            attributes: part.attributes.sorted().map {
                (entity.attributes[$0].names.now, entity.attributes[$0].type)
            },
            relationships: part.relationships.sorted().map { index in
                let relationship = entity.relationships[index]
                let targets = relationship.targets.map { (order.firstIndex(of: $0)!, [AttributeType.integer]) }
                var made = SluiceRecords.Relationship.forLoad(
                    relationship.names.now, targets, isMany: relationship.isMany)
                made.was = relationship.names.was
                return made
            })
        definition.table = entity.tableName
        definition.was = entity.names.was
        for (place, index) in part.attributes.sorted().enumerated() {
            definition.attributes[place].was = entity.attributes[index].names.was
        }
        return definition
    }

    // MARK: Runs

    /// Random records for a pipeline, applied to the model. Identifiers differ between entities.
    mutating func run(_ pipeline: Int) -> [TestRecord] {
        var records: [TestRecord] = []
        for (place, entity) in order(pipeline).enumerated() {
            var ids = Set<Int>()
            for _ in 0..<random.below(6) where ids.insert(entity * 100 + random.below(8)).inserted {}
            for id in ids.sorted() { records.append(record(pipeline, place, entity, id)) }
        }
        for (entity, part) in pipelines[pipeline] {
            for relationship in part.relationships { find(entity, relationship) }
            note(entity, part)
            pipelines[pipeline][entity]?.hasRun = true
        }
        return records.shuffled(using: &random)
    }

    /// What a run brings into the store, it brings under its present name.
    private mutating func note(_ entity: Int, _ part: Part) {
        entities[entity].names.stored = entities[entity].names.now
        entities[entity].storedTable = entities[entity].tableName
        for index in part.attributes {
            entities[entity].attributes[index].names.stored = entities[entity].attributes[index].names.now
        }
        for index in part.relationships {
            entities[entity].relationships[index].names.stored = entities[entity].relationships[index].names.now
        }
    }

    private mutating func record(_ pipeline: Int, _ place: Int, _ entity: Int, _ id: Int) -> TestRecord {
        var object = entities[entity].objects[id] ?? Object()
        let part = pipelines[pipeline][entity]!
        var values: [TestValue] = [.integer(Int64(id))]
        object.values[0] = "\(id)"
        for attribute in part.attributes.sorted().dropFirst() {
            let value = "\(random.below(3))"
            object.values[attribute] = value
            values.append(.text(Text(value)))
        }
        for index in part.relationships.sorted() {
            let relationship = entities[entity].relationships[index]
            var named: [Int] = []
            for _ in 0..<random.below(relationship.isMany ? 4 : 2) {
                let id = relationship.targets.randomElement(using: &random)! * 100 + random.below(8)
                if !named.contains(id) { named.append(id) }
            }
            object.references[index] = named.map { ($0, false) }
            let ids = named.map { TestValue.integer(Int64($0)) }
            let cell = relationship.isMany ? TestValue.list(ids) : ids.first ?? .null
            values += Array(repeating: cell, count: relationship.targets.count)
        }
        entities[entity].objects[id] = object
        return TestRecord(entity: place, values: values)
    }

    private mutating func find(_ entity: Int, _ relationship: Int) {
        for id in entities[entity].objects.keys {
            var named = entities[entity].objects[id]?.references[relationship] ?? []
            for index in named.indices where entities[named[index].id / 100].objects[named[index].id] != nil {
                named[index].isFound = true
            }
            entities[entity].objects[id]?.references[relationship] = named
        }
    }

    // MARK: What the store must hold

    /// The rows of an entity: identifier, attributes, and the identifiers that its relationships have found.
    func rows(of entity: Int) -> [[String]] {
        let stored = entities[entity]
        return stored.objects.keys.sorted().map { id in
            let object = stored.objects[id]!
            let references = stored.relationships.indices.map { index in
                (object.references[index] ?? []).filter(\.isFound).map { "\($0.id)" }.joined(separator: " ")
            }
            return stored.attributes.indices.map { object.values[$0] ?? "∅" } + references
        }
    }

    /// The same, as SQL; nil: the entity is not in the store yet.
    func query(_ entity: Int) -> String? {
        let stored = entities[entity]
        guard let table = stored.storedTable, let identifier = stored.attributes[0].names.stored else { return nil }
        let columns =
            stored.attributes.map { $0.names.stored.map { text("t." + quoted($0)) } ?? "'∅'" }
            + stored.relationships.map { references(table, $0) }
        return
            "SELECT \(columns.joined(separator: ", ")) FROM \(named(table)) t ORDER BY t.\(quoted(identifier))"
    }

    private func text(_ column: String) -> String { "coalesce(CAST(\(column) AS text), '∅')" }

    /// On a server, `@` stands for the schema and a dot.
    private func named(_ table: String) -> String { (isOnServer ? "@" : "") + quoted(table) }

    private func references(_ table: String, _ relationship: Relationship) -> String {
        guard let name = relationship.names.stored else { return "''" }
        let parts = relationship.targets.map { index in
            let target = entities[index]
            let id = "x." + quoted(target.attributes[0].names.stored!)
            let isTarget = "'" + target.names.stored!.unicodeScalars.map { $0 == "'" ? "''" : "\($0)" }.joined() + "'"
            let isPolymorphic = relationship.targets.count > 1
            if relationship.isMany {
                return """
                    SELECT \(id) AS id, l.position AS p FROM \(named("\(table)_\(name)")) l
                    JOIN \(named(target.storedTable!)) x ON x."objectID" = l.target
                    WHERE l.source = t."objectID" \(isPolymorphic ? "AND l.target_entity = \(isTarget)" : "")
                    """
            }
            return """
                SELECT \(id) AS id, 0 AS p FROM \(named(target.storedTable!)) x
                WHERE x."objectID" = t.\(quoted(name))
                \(isPolymorphic ? "AND t.\(quoted(name + "_entity")) = \(isTarget)" : "")
                """
        }
        let all = parts.joined(separator: " UNION ALL ")
        return isOnServer
            ? "coalesce((SELECT string_agg(CAST(id AS text), ' ' ORDER BY p) FROM (\(all)) y), '')"
            : "coalesce((SELECT group_concat(id, ' ') FROM (\(all) ORDER BY p)), '')"
    }
}
