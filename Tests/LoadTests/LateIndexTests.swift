import SluiceRecords
import TestSupport
import Testing

@testable import SluiceLoad

/// Identifiers that are indexed when all objects are there lead to the store that an index from the beginning leads to.
@Suite struct LateIndexTests {
    private static let visit = 2

    private static func visit(_ id: Int64, _ note: String) -> TestRecord {
        TestRecord(
            entity: visit,
            values: [.integer(id), .text(Text(note))]
                + Array(repeating: .null, count: LoadPropertyTests.model.entities[visit].layout.width - 2))
    }

    /// Records whose identifiers are in no order, some of them several times, far apart.
    private static func records(_ seed: Int) -> [TestRecord] {
        var random = SeededRandom(seed + 6_000_000)
        return (0..<1500).map { _ in LoadPropertyTests.record(&random, spread: 1200) }
    }

    @Test(arguments: SeededRandom.seeds(0..<2))
    func leadsToTheSameStore(seed: Int) throws {
        var random = SeededRandom(seed + 7_000_000)
        var model = LoadPropertyTests.model
        for index in model.entities.indices {
            model.entities[index].duplicates = [.last, .first, .reject][random.below(3)]
        }
        if seed % 4 == 3 { model = LoadPropertyTests.withStubs(model) }
        let records = Self.records(seed)
        let folder = TemporaryFolder()
        var outcomes: [(counts: [EntityCounts], findings: Set<String>, path: String)] = []
        for (name, order) in [("sorted", IdentifierOrder.sorted), ("random", .random), ("observed", .observed)] {
            let sink = SilentSink()
            var wasLate = false
            let path = folder.file("\(name).sqlite")
            let counts = try load(
                records, model, into: path, batchSize: [50, 700][seed % 2],
                cacheLimit: seed % 3 == 0 ? 30_000 : Loader.defaultCacheLimit, identifierOrder: order,
                watch: { if $0.states[Self.visit].phase.lateIndexing != nil { wasLate = true } }, sink: sink)
            // A batch of fifty records tells nothing of their order.
            #expect(wasLate == (order == .random || order == .observed && seed % 2 == 1))
            outcomes.append((counts, Set(sink.findings.map { "\($0)" }), path))
            #expect(try rows(path, "PRAGMA integrity_check") == [["ok"]])
        }
        let indexes = try rows(outcomes[0].path, "SELECT name, sql FROM sqlite_schema WHERE type = 'index' ORDER BY 1")
        for outcome in outcomes[1...] {
            #expect(outcome.counts == outcomes[0].counts)
            #expect(outcome.findings == outcomes[0].findings)
            for entity in model.entities {
                let objects = try LoadPropertyTests.stored(outcome.path, entity)
                #expect(try objects == LoadPropertyTests.stored(outcomes[0].path, entity))
            }
            let own = try rows(outcome.path, "SELECT name, sql FROM sqlite_schema WHERE type = 'index' ORDER BY 1")
            #expect(own == indexes)
        }
    }

    /// Records that wait as a whole are saved before the index is there, and copies of them or among them, which are
    /// kept aside, after all copies before them.
    @Test(arguments: [Entity.Duplicates.last, .first, .reject], [40, 200])
    func waitingRecordsComeBeforeTheIndex(duplicates: Entity.Duplicates, batchSize: Int) throws {
        var model = LoadPropertyTests.model
        model.entities[Self.visit].duplicates = duplicates
        var random = SeededRandom(8)
        func visits(_ copy: Int, of places: Int) -> [TestRecord] {
            var ids = (0..<400).map { Int64($0) }
            for index in ids.indices { ids.swapAt(index, random.below(ids.count)) }
            return ids.map { id in
                var visit = Self.visit(id, "copy \(copy)")
                if places > 0 { visit.values[2] = .text(Text("p\(random.below(places))")) }
                return visit
            }
        }
        let places = (0..<50).map { number in
            TestRecord(
                entity: 0,
                values: [.text(Text("p\(number)"))]
                    + Array(repeating: .null, count: model.entities[0].layout.width - 1))
        }
        // The first refer to nothing, and are saved as they come.
        let records = visits(1, of: 0)[..<300] + visits(2, of: 50) + visits(3, of: 60) + places
        let folder = TemporaryFolder()
        var outcomes: [(counts: EntityCounts, findings: Set<String>, objects: [String])] = []
        for order in [IdentifierOrder.sorted, .random] {
            let sink = SilentSink()
            let path = folder.file("\(order).sqlite")
            var waiting = 0
            let counts = try load(
                Array(records), model, into: path, batchSize: batchSize, shortcuts: .deferral, identifierOrder: order,
                watch: { loader in
                    let entity = loader.states[Self.visit]
                    guard let count = entity.phase.wholeRecords?.count else { return }
                    waiting = count
                    #expect((entity.phase.lateIndexing != nil) == (order == .random))
                }, sink: sink)
            #expect(waiting > 400)
            let stored = try rows(path, "SELECT id, note, place FROM \"Visit\" ORDER BY id").map { "\($0)" }
            outcomes.append((counts[Self.visit], Set(sink.findings.map { "\($0)" }), stored))
            #expect(try rows(path, "PRAGMA integrity_check") == [["ok"]])
        }
        #expect(outcomes[0].counts == outcomes[1].counts && outcomes[0].counts.created == 400)
        #expect(outcomes[0].findings == outcomes[1].findings)
        #expect(outcomes[0].objects.count == 400)
        // Places are numbered as they come.
        #expect(outcomes[0].objects == outcomes[1].objects)
    }

    /// A later copy counts after all copies before it, wherever they were kept aside.
    @Test func copiesKeepTheirOrder() throws {
        var ids = (0..<400).map { Int64($0) }
        var random = SeededRandom(1)
        for index in ids.indices { ids.swapAt(index, random.below(ids.count)) }
        let records = (1...4).flatMap { copy in ids.map { Self.visit($0, "copy \(copy)") } }
        let sink = SilentSink()
        let folder = TemporaryFolder()
        let path = folder.file("store.sqlite")
        let counts = try load(records, LoadPropertyTests.model, into: path, batchSize: 200, sink: sink)[Self.visit]
        #expect(counts.created == 400 && counts.conflicting == 1200)
        let notes = try rows(path, "SELECT DISTINCT note FROM \"Visit\"")
        #expect(notes == [["copy 4"]])
        let firsts = sink.findings.compactMap { $0.first?.record }
        #expect(firsts.count == 1200 && firsts.allSatisfy { $0 < 400 })
    }

    /// Where identifiers come in their order, backwards, or in runs, their index grows with the table.
    @Test(arguments: ["sorted", "backwards", "in runs", "random"])
    func theOrderIsSeen(order: String) throws {
        var ids = (0..<600).map { Int64($0) }
        var random = SeededRandom(2)
        switch order {
        case "backwards": ids.reverse()
        case "in runs": ids = [7, 2, 9, 4, 11, 6, 1, 8, 3, 10, 5, 0].flatMap { Int64($0 * 50)..<Int64($0 * 50 + 50) }
        case "random": for index in ids.indices { ids.swapAt(index, random.below(ids.count)) }
        default: break
        }
        var wasLate: [Bool] = []
        let folder = TemporaryFolder()
        try load(
            ids.map { Self.visit($0, "") }, LoadPropertyTests.model, into: folder.file("store.sqlite"), batchSize: 300,
            watch: { wasLate.append($0.states[Self.visit].phase.lateIndexing != nil) })
        // At the end it is there in any case.
        #expect(wasLate == [order == "random", order == "random", false])
    }

    /// A record that was kept aside only because the filter took it for another has its object in the order of the
    /// feed, so that the next run finds it there.
    @Test func objectsKeepTheOrderOfTheFeed() throws {
        var random = SeededRandom(5)
        var ids = (0..<40_000).map { Int64($0) }
        for index in ids.indices { ids.swapAt(index, random.below(ids.count)) }
        let folder = TemporaryFolder()
        let path = folder.file("store.sqlite")
        var asideCount = 0
        try load(
            ids.map { Self.visit($0, "") }, LoadPropertyTests.model, into: path, batchSize: 5000,
            watch: { asideCount = max(asideCount, $0.states[Self.visit].phase.lateIndexing?.awaitingIndex?.count ?? 0) }
        )
        #expect(asideCount > 0)
        #expect(try rows(path, "SELECT id FROM \"Visit\" ORDER BY objectID") == ids.map { ["\($0)"] })
    }

    // MARK: The filter

    @Test func theFilterForgetsNothing() {
        let budget = IdentifierFilter.Budget()
        let filter = IdentifierFilter(budget)
        var random = SeededRandom(3)
        let hashes = (0..<300_000).map { _ in UInt64.random(in: .min ... .max, using: &random) }
        let news = hashes.count { filter.insert($0) }
        // Sixteen bits an identifier: a few in a thousand are taken for others.
        #expect(news > hashes.count * 99 / 100)
        #expect(hashes.allSatisfy { !filter.insert($0) })
    }

    /// Beyond its memory a filter takes more and more identifiers for others, and still forgets none.
    @Test func theFilterKeepsToItsBudget() {
        let budget = IdentifierFilter.Budget(100_000)
        let filters = (0..<3).map { _ in IdentifierFilter(budget) }
        var random = SeededRandom(4)
        for filter in filters {
            let hashes = (0..<100_000).map { _ in UInt64.random(in: .min ... .max, using: &random) }
            for hash in hashes { _ = filter.insert(hash) }
            #expect(hashes.allSatisfy { !filter.insert($0) })
        }
    }
}
