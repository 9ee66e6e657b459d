import Records
import Testing

@testable import Load

/// Random feeds, in several runs on one store, at any batch size, end in what a naive model says, counts included.
@Suite struct LoadPropertyTests {
    /// Places refer to each other and to regions; visits, to which nothing refers, refer to both. Regions have an
    /// identifier of two attributes.
    static let model = Model(entities: [
        .forLoad(
            "Place", identifier: [0], attributes: [("id", .text), ("size", .integer), ("note", .text)],
            relationships: [("parent", 0, [.text]), ("region", 1, [.text, .integer])]),
        .forLoad("Region", identifier: [0, 1], attributes: [("land", .text), ("number", .integer), ("name", .text)]),
        .forLoad(
            "Visit", identifier: [0], attributes: [("id", .integer), ("note", .text)],
            relationships: [("place", 0, [.text]), ("region", 1, [.text, .integer])]),
    ])

    static func record(_ random: inout SeededRandom, spread: Int) -> TestRecord {
        let entity = random.below(3)
        func place() -> TestValue { .text("p\(random.below(spread))") }
        func region() -> [TestValue] {
            [.text(["a", "ab", ""][random.below(3)]), .integer(Int64(random.below(4)) - 1)]
        }
        func orNull(_ value: [TestValue]) -> [TestValue] {
            switch random.below(6) {
            case 0: Array(repeating: .null, count: value.count)
            case 1: Array(repeating: .absent, count: value.count)
            default: value
            }
        }
        let note: TestValue = [.null, .absent, .text(""), .text("n\(random.below(2))")][random.below(4)]
        switch entity {
        case 0:
            let size: TestValue = random.below(3) == 0 ? .absent : .integer(Int64(random.below(3)))
            return TestRecord(entity: 0, values: [place(), size, note] + orNull([place()]) + orNull(region()))
        case 1: return TestRecord(entity: 1, values: region() + [note])
        default:
            let id = TestValue.integer(Int64(random.below(spread * 2)))
            return TestRecord(entity: 2, values: [id, note] + orNull([place()]) + orNull(region()))
        }
    }

    @Test(arguments: 0..<120)
    func storeEqualsModel(seed: Int) throws {
        var random = SeededRandom(seed)
        let folder = TemporaryFolder()
        let path = folder.file("store.sqlite")
        var model = ModelStore(Self.model)
        for _ in 0..<3 {
            let spread = [3, 12, 60][random.below(3)]
            let records = (0..<random.below(90)).map { _ in Self.record(&random, spread: spread) }
            let batchSize = [1, 2, 7, 30, 1000][random.below(5)]
            model.run(records)
            let sink = SilentSink()
            let counts = try load(
                records, Self.model, into: path, batchSize: batchSize, defersRecords: random.below(2) == 0, sink: sink)
            for entity in 0..<3 {
                #expect(try Self.stored(path, entity) == model.rows(of: entity), "\(Self.model.entities[entity].name)")
                #expect(
                    counts[entity] == model.counts[entity], "\(Self.model.entities[entity].name), batch \(batchSize)")
            }
            let unresolved = model.counts.flatMap(\.relationships).reduce(0) { $0 + $1.unresolved }
            #expect(sink.counts[.unresolved, default: 0] == unresolved)
            let duplicates = model.counts.reduce(0) { $0 + $1.identical + $1.conflicting }
            #expect(sink.counts[.duplicate, default: 0] == duplicates)
            #expect(try rows(path, "PRAGMA integrity_check") == [["ok"]])
            #expect(try rows(path, "PRAGMA foreign_key_check").isEmpty)
        }
    }

    /// The rows of an entity, with its references as the identifiers of their targets.
    static func stored(_ path: String, _ entity: Int) throws -> [[String]] {
        let sql = [
            """
            SELECT t.id, t.size, t.note, p.id, r.land, r.number, t.region FROM Place t
            LEFT JOIN Place p ON p.objectID = t.parent LEFT JOIN Region r ON r.objectID = t.region
            """,
            "SELECT land, number, name FROM Region",
            """
            SELECT t.id, t.note, p.id, r.land, r.number, t.region FROM Visit t
            LEFT JOIN Place p ON p.objectID = t.place LEFT JOIN Region r ON r.objectID = t.region
            """,
        ][entity]
        return try rows(path, sql).map { row in
            // A null reference has one cell in the model.
            guard entity != 1 else { return row }
            return row[row.count - 1] == "∅" ? Array(row.dropLast(2)) : Array(row.dropLast())
        }.sorted { $0.lexicographicallyPrecedes($1) }
    }

    @Test func secondRunChangesNothing() throws {
        var random = SeededRandom(1)
        let records = (0..<300).map { _ in Self.record(&random, spread: 40) }
        let folder = TemporaryFolder()
        let path = folder.file("store.sqlite")
        try load(records, Self.model, into: path, batchSize: 50)
        // The last copies are what the first run left.
        var last: [String: TestRecord] = [:]
        for record in records {
            let values = Self.model.entities[record.entity].identifier.map { "\(record.values[$0])" }
            last["\(record.entity)\(values)"] = record
        }
        let before = try (0..<3).map { try rows(path, "SELECT * FROM \(Self.model.entities[$0].table)") }
        let counts = try load(Array(last.values), Self.model, into: path, batchSize: 50)
        #expect(counts.allSatisfy { $0.unchanged == $0.records })
        let after = try (0..<3).map { try rows(path, "SELECT * FROM \(Self.model.entities[$0].table)") }
        #expect(before == after)
    }
}

/// A reproducible sequence (SplitMix64).
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: Int) { state = UInt64(seed) &* 0x9e37_79b9_7f4a_7c15 &+ 1 }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }

    mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<max(1, bound), using: &self) }
}
