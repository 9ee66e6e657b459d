import SluiceRecords
import StoreMirror
import TestSupport
import Testing

@testable import SluiceLoad

/// Random feeds, in several runs on one store, at any batch size, end in what a naive model says, counts included.
@Suite struct LoadPropertyTests {
    private static let (place, region, visit, person) = (0, 1, 2, 3)

    /// Places refer to each other and to regions, which have an identifier of two attributes; visits, to which nothing
    /// refers, refer to all, also to places or persons, with and without saying which.
    static let model = Model(entities: [
        .forLoad(
            "Place", identifier: [0], attributes: [("id", .text), ("size", .integer), ("note", .text)],
            relationships: [
                .forLoad("parent", [(place, [.text])]), .forLoad("region", [(region, [.text, .integer])]),
                .forLoad("near", [(place, [.text])], isMany: true),
            ]),
        .forLoad("Region", identifier: [0, 1], attributes: [("land", .text), ("number", .integer), ("name", .text)]),
        .forLoad(
            "Visit", identifier: [0], attributes: [("id", .integer), ("note", .text)],
            relationships: [
                .forLoad("place", [(place, [.text])]), .forLoad("region", [(region, [.text, .integer])]),
                .forLoad("about", [(place, [.text]), (person, [.integer])]),
                .forLoad("by", [(place, [.text]), (person, [.integer])], hasSelector: true),
                .forLoad("regions", [(region, [.text, .integer])], isMany: true),
                .forLoad("things", [(person, [.integer]), (place, [.text])], isMany: true),
            ]),
        .forLoad("Person", identifier: [0], attributes: [("id", .integer), ("name", .text)]),
    ])

    static func record(_ random: inout SeededRandom, spread: Int, notesAreKeys: Bool = false) -> TestRecord {
        var feed = RandomRecords(random: random, spread: spread, notesAreKeys: notesAreKeys)
        defer { random = feed.random }
        return feed.next()
    }

    /// The model, with relationships of each kind that create what is missing.
    static func withStubs(_ base: Model) -> Model {
        var model = base
        for (entity, relationship) in [(place, 1), (place, 2), (visit, 0), (visit, 3), (visit, 4)]
        where relationship < model.entities[entity].relationships.count {
            model.entities[entity].relationships[relationship].missing = .stub
        }
        return model
    }

    /// Lets relationships look for other values than identifiers, or in several ways.
    static func withRandomWays(_ random: inout SeededRandom, _ base: Model) -> Model {
        typealias Way = Relationship.Way
        func way(_ target: Int, _ attribute: Int, _ type: AttributeType, isIdentifier: Bool = false) -> Way {
            Way(
                target: target, attributes: [attribute], isByIdentifier: isIdentifier,
                conversions: [Conversion(type)])
        }
        var model = base
        let (note, size) = (2, 1)
        let rule = ValueRule(.slot(0))
        func set(_ entity: Int, _ relationship: Int, _ ways: [Way]) {
            model.entities[entity].relationships[relationship].ways = ways
            model.entities[entity].relationships[relationship].key = ways.map { _ in rule }
        }
        if random.below(2) == 0 { set(place, 0, [way(0, note, .text)]) }
        switch random.below(4) {
        case 0: set(visit, 2, [way(0, note, .text), way(1, 0, .integer, isIdentifier: true)])
        case 1, 2:
            // Both lead to the same entity.
            model.entities[visit].relationships[2].targets.removeLast()
            set(visit, 2, [way(0, 0, .text, isIdentifier: true), way(0, size, .integer)])
            if random.below(2) == 0 { model.entities[visit].relationships[2].missing = .stub }
        default: break
        }
        if random.below(2) == 0 { set(visit, 5, [way(0, 0, .integer, isIdentifier: true), way(1, note, .text)]) }
        for attribute in [note, size] { model.entities[place].attributes[attribute].isIndexed = random.below(2) == 0 }
        return model
    }

    /// The model without to-many relationships: these come last, so that records may be cut.
    static func withoutLinks(_ base: Model) -> Model {
        var model = base
        for index in model.entities.indices { model.entities[index].relationships.removeAll(where: \.isMany) }
        return model
    }

    static func withRandomModes(_ random: inout SeededRandom, _ base: Model) -> Model {
        var model = base
        for index in model.entities.indices {
            model.entities[index].mode = [.upsert, .upsert, .insert, .update][random.below(4)]
            model.entities[index].duplicates = [.last, .first, .reject][random.below(3)]
        }
        return model
    }

    /// What an entity does with objects that are not in the feed, and what their deletion does to others.
    static func withRandomDeletions(_ random: inout SeededRandom, _ base: Model) -> Model {
        var model = base
        for index in model.entities.indices {
            let entity = model.entities[index]
            model.entities[index].absence.choice = [.keep, .delete, .delete, .mark][random.below(4)]
            if random.below(3) == 0 {
                model.entities[index].deletions = [RecordCondition(slot: 0, values: [.boolean(true)])]
            }
            let bounds = entity.relationships.indices.filter {
                !entity.relationships[$0].isMany && !entity.relationships[$0].isPolymorphic
            }
            if let bound = bounds.first, random.below(3) == 0 { model.entities[index].absence.within = bound }
            for relationship in entity.relationships.indices where random.below(3) == 0 {
                model.entities[index].relationships[relationship].onDelete = .cascade
            }
        }
        return model
    }

    /// Lets relationships need their targets.
    static func withRandomNeeds(_ random: inout SeededRandom, _ base: Model) -> Model {
        var model = base
        for index in model.entities.indices {
            for relationship in model.entities[index].relationships.indices
            where random.below(3) == 0 && model.entities[index].relationships[relationship].ways.isEmpty {
                model.entities[index].relationships[relationship].missing = .reject
                model.entities[index].deletions = []
            }
        }
        return model
    }

    /// Lets some records say that their object is gone, and some be rejected.
    static func withRandomStatus(_ random: inout SeededRandom, _ record: TestRecord, _ model: Model)
        -> TestRecord
    {
        var record = record
        if !model.entities[record.entity].deletions.isEmpty, random.below(4) == 0 { record.status = .gone }
        if random.below(12) == 0 { record.status = .rejected }
        return record
    }

    @Test(arguments: SeededRandom.seeds(0..<9))
    func storeEqualsModel(seed: Int) throws { try checkPlain(seed) }

    @Test(arguments: SeededRandom.seeds(0..<2))
    func serverEqualsModel(seed: Int) throws { try checkPlain(seed, on: TestServer()) }

    private func checkPlain(_ seed: Int, on server: TestServer? = nil) throws {
        try check(seed, Self.model, on: server)
    }

    @Test(arguments: SeededRandom.seeds(0..<9))
    func storeEqualsModelWithDeletions(seed: Int) throws { try checkDeletions(seed) }

    @Test(arguments: SeededRandom.seeds(0..<2))
    func serverEqualsModelWithDeletions(seed: Int) throws { try checkDeletions(seed, on: TestServer()) }

    /// Without to-many relationships, records may be compared when all are read.
    @Test(arguments: SeededRandom.seeds(0..<9))
    func storeEqualsModelWithoutLinks(seed: Int) throws { try checkWithoutLinks(seed) }

    @Test(arguments: SeededRandom.seeds(0..<2))
    func serverEqualsModelWithoutLinks(seed: Int) throws { try checkWithoutLinks(seed, on: TestServer()) }

    private func checkWithoutLinks(_ seed: Int, on server: TestServer? = nil) throws {
        var random = SeededRandom(seed + 3_000_000)
        let base = Self.withoutLinks(Self.model)
        try check(seed, random.below(3) == 0 ? Self.withRandomDeletions(&random, base) : base, on: server)
    }

    /// Seeds that once disagreed.
    @Test(arguments: [1314])
    func storeEqualsModelWithDeletionsAgain(seed: Int) throws { try checkDeletions(seed) }

    @Test(arguments: SeededRandom.seeds(0..<7))
    func storeEqualsModelWithOrphans(seed: Int) throws { try checkOrphans(seed) }

    @Test(arguments: SeededRandom.seeds(0..<2))
    func serverEqualsModelWithOrphans(seed: Int) throws { try checkOrphans(seed, on: TestServer()) }

    private func checkOrphans(_ seed: Int, on server: TestServer? = nil) throws {
        var random = SeededRandom(seed + 4_000_000)
        var base = Self.withStubs(random.below(2) == 0 ? Self.withRandomDeletions(&random, Self.model) : Self.model)
        for index in base.entities.indices where random.below(3) > 0 { base.entities[index].absence.orphans = .delete }
        try check(seed, base, on: server)
    }

    private func checkDeletions(_ seed: Int, on server: TestServer? = nil) throws {
        var random = SeededRandom(seed + 1_000_000)
        try check(seed, Self.withRandomDeletions(&random, Self.model), on: server)
    }

    @Test(arguments: SeededRandom.seeds(0..<9))
    func storeEqualsModelWithNeeds(seed: Int) throws { try checkNeeds(seed) }

    @Test(arguments: SeededRandom.seeds(0..<2))
    func serverEqualsModelWithNeeds(seed: Int) throws { try checkNeeds(seed, on: TestServer()) }

    private func checkNeeds(_ seed: Int, on server: TestServer? = nil) throws {
        var random = SeededRandom(seed + 2_000_000)
        let base = random.below(2) == 0 ? Self.withRandomDeletions(&random, Self.model) : Self.model
        try check(seed, Self.withRandomNeeds(&random, base), on: server)
    }

    @Test(arguments: SeededRandom.seeds(0..<9))
    func storeEqualsModelWithWays(seed: Int) throws { try checkWays(seed) }

    @Test(arguments: SeededRandom.seeds(0..<2))
    func serverEqualsModelWithWays(seed: Int) throws { try checkWays(seed, on: TestServer()) }

    private func checkWays(_ seed: Int, on server: TestServer? = nil) throws {
        var random = SeededRandom(seed + 3_000_000)
        var base = Self.withRandomWays(&random, Self.model)
        if random.below(2) == 0 { base = Self.withRandomDeletions(&random, base) }
        if random.below(3) == 0 { base = Self.withRandomNeeds(&random, base) }
        try check(seed, base, notesAreKeys: true, on: server)
    }

    private func check(_ seed: Int, _ base: Model, notesAreKeys: Bool = false, on server: TestServer? = nil) throws {
        defer { try? server?.drop() }
        var random = SeededRandom(seed)
        let folder = TemporaryFolder()
        let path = folder.file("store.sqlite")
        var model = ModelStore(base)
        for run in 0..<3 {
            let spread = [3, 12, 60][random.below(3)]
            let records = (0..<random.below(90)).map { _ in
                Self.withRandomStatus(
                    &random, Self.record(&random, spread: spread, notesAreKeys: notesAreKeys).cut(to: base),
                    base)
            }
            let batchSize = [1, 2, 7, 30, 1000][random.below(5)]
            if seed % 3 == 2 { model.model = Self.withStubs(base) }
            if seed % 3 == 1 {
                model.model = Self.withRandomModes(&random, seed % 2 == 0 ? base : Self.withStubs(base))
            }
            let cacheLimit = [0, 200, 2000, 20_000, Loader.defaultCacheLimit][random.below(5)]
            model.run(records)
            let sink = SilentSink()
            let counts = try load(
                records, model.model, into: path, batchSize: batchSize,
                shortcuts: Shortcuts(rawValue: random.below(16)), cacheLimit: cacheLimit,
                identifierOrder: seed % 4 == 0 ? .sorted : .random, heldObjects: [1, 4, 1 << 16][seed % 3], sink: sink,
                on: server)
            for (entity, definition) in base.entities.enumerated() {
                let sizes = "batch size \(batchSize), cache \(cacheLimit)"
                let comment = Comment(rawValue: "\(definition.name), run \(run), \(sizes)")
                #expect(try Self.stored(path, definition) == model.rows(of: entity), comment)
                #expect(counts[entity] == model.counts[entity], comment)
            }
            let unresolved = model.counts.flatMap(\.relationships).reduce(0) { $0 + $1.unresolved }
            #expect(sink.counts[.unresolved, default: 0] == unresolved)
            let duplicates = model.counts.reduce(0) { $0 + $1.identical + $1.conflicting }
            #expect(sink.counts[.duplicate, default: 0] == duplicates)
            let copies = sink.findings.filter { $0.kind == .duplicate }.map { finding in
                ModelStore.Copy(at: Int(finding.at.record), first: finding.first.map { Int($0.record) } ?? -1)
            }
            #expect(Set(copies) == model.copies)
            // Records that are rejected as such are reported before.
            let given = records.count { $0.status == .rejected }
            let rejects = model.counts.reduce(-given) { $0 + $1.rejected }
            #expect(sink.counts[.reject, default: 0] == rejects)
            #expect(try rows(path, "PRAGMA integrity_check") == [["ok"]])
            #expect(try rows(path, "PRAGMA foreign_key_check").isEmpty)
        }
    }

    /// The rows of an entity as `ModelStore.rows` gives them.
    static func stored(_ path: String, _ entity: Entity) throws -> [[Text]] {
        let mark = entity.absence.choice == .mark ? ["t.deleted_at IS NOT NULL"] : []
        let attributes = mark + entity.attributes.map { "t.\($0.name)" }
        let references = entity.relationships.map { relationship in
            relationship.isMany ? links(entity, relationship) : reference(relationship)
        }
        return try rows(path, "SELECT \((attributes + references).joined(separator: ", ")) FROM \(entity.name) t")
            .map { $0.map { Text($0) } }.sorted { $0.lexicographicallyPrecedes($1) }
    }

    private static func identifier(_ target: Entity) -> String {
        target.identifier.map { "x.\(target.attributes[$0].name)" }.joined(separator: " || ',' || ")
    }

    private static func reference(_ relationship: Relationship) -> String {
        let parts = relationship.targets.map { target in
            let entity = model.entities[target.entity]
            let condition = relationship.isPolymorphic ? "AND t.\(relationship.name)_entity = '\(entity.name)'" : ""
            return """
                (SELECT '\(entity.name)/' || \(identifier(entity)) || '@0' FROM \(entity.name) x
                WHERE x.objectID = t.\(relationship.name) \(condition))
                """
        }
        return "coalesce(\(parts.joined(separator: ", ")), '')"
    }

    private static func links(_ entity: Entity, _ relationship: Relationship) -> String {
        let parts = relationship.targets.map { target in
            let definition = model.entities[target.entity]
            let condition = relationship.isPolymorphic ? "AND l.target_entity = '\(definition.name)'" : ""
            return """
                SELECT '\(definition.name)/' || \(identifier(definition)) || '@' || l.position AS text, l.position AS p
                FROM \(entity.name)_\(relationship.name) l JOIN \(definition.name) x ON x.objectID = l.target
                WHERE l.source = t.objectID \(condition)
                """
        }
        return
            "coalesce((SELECT group_concat(text, ' ') FROM (\(parts.joined(separator: " UNION ALL ")) ORDER BY p)), '')"
    }

    @Test func secondRunChangesNothing() throws {
        var random = SeededRandom(1)
        let records = (0..<400).map { _ in Self.record(&random, spread: 40) }
        let folder = TemporaryFolder()
        let path = folder.file("store.sqlite")
        try load(records, Self.model, into: path, batchSize: 50)
        // The last copies are what the first run left.
        var last: [String: TestRecord] = [:]
        for record in records {
            let values = Self.model.entities[record.entity].identifier.map { "\(record.values[$0])" }
            last["\(record.entity)\(values)"] = record
        }
        let tables = [
            "Place", "Region", "Visit", "Person", "Place_near", "Visit_regions", "Visit_things", "sluice_unresolved",
        ]
        let before = try tables.map { try rows(path, "SELECT * FROM \($0)") }
        let counts = try load(Array(last.values), Self.model, into: path, batchSize: 50)
        #expect(counts.allSatisfy { $0.unchanged == $0.records })
        #expect(try tables.map { try rows(path, "SELECT * FROM \($0)") } == before)
    }
}

/// Random records of the model above, with few enough identifiers that they meet.
struct RandomRecords {
    var random: SeededRandom
    let spread: Int
    /// Whether notes and sizes are such that references may look for them.
    var notesAreKeys = false

    mutating func next() -> TestRecord {
        switch random.below(4) {
        case 0:
            let size: TestValue =
                random.below(3) == 0 ? .absent : .integer(Int64(random.below(notesAreKeys ? spread : 3)))
            return TestRecord(
                entity: 0, values: [place(), size, note()] + sometimes([place()]) + sometimes(region()) + places())
        case 1: return TestRecord(entity: 1, values: region() + [note()])
        case 2:
            let id = TestValue.integer(Int64(random.below(spread * 2)))
            let references = sometimes([place()]) + sometimes(region()) + sometimes(thing()) + sometimes(selected())
            return TestRecord(entity: 2, values: [id, note()] + references + regions() + things())
        default: return TestRecord(entity: 3, values: [.integer(Int64(random.below(spread))), note()])
        }
    }

    private mutating func place() -> TestValue { .text(Text(Self.placeName(random.below(spread)))) }

    /// Mostly a number, which may be that of a person as well; some are UUIDs, the same in both cases of their letters.
    private static func placeName(_ number: Int) -> String {
        if number % 4 != 3 { return "\(number)" }
        let digits = String(number / 8)
        let uuid = "0189abcd-ef00-7000-8000-" + String(repeating: "f", count: 12 - digits.count) + digits
        return number % 8 == 3 ? uuid : uuid.uppercased()
    }

    private mutating func region() -> [TestValue] {
        [.text(["a", "ab", ""][random.below(3)]), .integer(Int64(random.below(4)) - 1)]
    }

    private mutating func note() -> TestValue {
        if notesAreKeys, random.below(2) == 0 { return place() }
        return [.null, .absent, .text(""), .text("n\(random.below(2))")][random.below(4)]
    }

    /// A value as the two targets take it: places are texts, persons are integers.
    private mutating func thing() -> [TestValue] {
        let number = random.below(spread)
        let name = (random.below(4) == 0 ? "x" : "") + Self.placeName(number)
        return [.text(Text(name)), Int64(name) == nil ? .impossible(Text(name)) : .integer(Int64(number))]
    }

    private mutating func selected() -> [TestValue] {
        let isPerson = random.below(2) == 1
        let value = thing()
        return [.integer(isPerson ? 1 : 0)] + (isPerson ? [.null, value[1]] : [value[0], .null])
    }

    private mutating func sometimes(_ value: [TestValue]) -> [TestValue] {
        switch random.below(6) {
        case 0: Array(repeating: .null, count: value.count)
        case 1: Array(repeating: .absent, count: value.count)
        default: value
        }
    }

    private mutating func many(_ values: [[TestValue]], width: Int) -> [TestValue] {
        if random.below(5) == 0 { return Array(repeating: .absent, count: width) }
        return (0..<width).map { part in .list(values.map { $0[part] }) }
    }

    private mutating func places() -> [TestValue] { many((0..<random.below(4)).map { _ in [place()] }, width: 1) }

    private mutating func regions() -> [TestValue] { many((0..<random.below(4)).map { _ in region() }, width: 2) }

    private mutating func things() -> [TestValue] {
        many((0..<random.below(4)).map { _ in thing().reversed() }, width: 2)
    }
}
