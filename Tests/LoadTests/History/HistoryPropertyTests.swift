import SluiceRecords
import TestSupport
import Testing

@testable import SluiceLoad
@testable import SluiceSchema

/// The store as it was, made from a later one, equals the copy that was made that night: all its tables, columns, rows
/// and links, and what it says of its entities; scripts lead from each night to each later one; and a store on a server
/// has the same histories as a store in a file to which the same has happened.
@Suite struct HistoryPropertyTests {
    // MARK: Definitions that grow, lose and rename

    @Test(arguments: SeededRandom.seeds(0..<2))
    func definitionsInAFile(seed: Int) throws {
        try nights(seed, count: 12, of: GrowingStore(seed), on: [FileShelf()])
    }

    @Test(arguments: SeededRandom.seeds(0..<2))
    func definitionsOnAServer(seed: Int) throws {
        try nights(seed, count: 9, of: GrowingStore(seed, isOnServer: true), on: [ServerShelf()])
    }

    private func nights(_ seed: Int, count: Int, of store: GrowingStore, on shelves: [any NightShelf]) throws {
        var world = store
        var nights = HistoryNights(shelves)
        defer { nights.drop() }
        for _ in 0..<count {
            let pipeline = world.random.below(2)
            for _ in 0..<(1 + world.random.below(4)) { world.change(pipeline) }
            guard !world.pipelines[pipeline].isEmpty else { continue }
            let model = world.model(pipeline)
            let records = world.run(pipeline)
            try nights.load(records, model, batchSize: [1, 3, 50][world.random.below(3)], pipeline: "p\(pipeline)")
            if world.random.below(2) == 0 { try nights.writeAnywhere(&world.random) }
        }
        try nights.compare("seed \(seed)")
        try nights.compareScripts("seed \(seed)", ofAll: seed % 3 == 0)
    }

    // MARK: Records

    @Test(arguments: SeededRandom.seeds(0..<2))
    func recordsInAFile(seed: Int) throws {
        var random = SeededRandom(seed + 5_000_000)
        let base = model(&random)
        let nights = try nights(&random, count: 8, of: base, on: [FileShelf()])
        try nights.compare("seed \(seed)")
        let kept = try nights.kept(nights.shelves[0])
        #expect(try nights.compareScripts("seed \(seed)", ofAll: seed % 3 == 0) > 0 || kept.count < 2)
        try nights.compareViews(base, "seed \(seed)")
        try nights.comparePlaces(base, "seed \(seed)")
        try nights.compareDifferences(base, "seed \(seed)", &random)
    }

    @Test(arguments: SeededRandom.seeds(0..<1))
    func recordsInBothStores(seed: Int) throws {
        var random = SeededRandom(seed + 7_000_000)
        let base = model(&random)
        let nights = try nights(&random, count: 7, of: base, on: [ServerShelf(), FileShelf()])
        defer { nights.drop() }
        try nights.compare("seed \(seed)")
        let kept = try nights.kept(nights.shelves[0])
        #expect(try nights.compareScripts("seed \(seed)", ofAll: seed % 3 == 0) > 0 || kept.count < 2)
        try nights.compareViews(base, "seed \(seed)")
        try nights.comparePlaces(base, "seed \(seed)")
        try nights.compareStores(base.entities.map { EntityDescription($0, in: base) }, "seed \(seed)")
    }

    private func model(_ random: inout SeededRandom) -> Model {
        var model = LoadPropertyTests.model
        if random.below(3) == 0 { model = LoadPropertyTests.withRandomWays(&random, model) }
        if random.below(3) > 0 { model = LoadPropertyTests.withRandomDeletions(&random, model) }
        if random.below(3) == 0 { model = LoadPropertyTests.withRandomNeeds(&random, model) }
        if random.below(2) == 0 { model = LoadPropertyTests.withStubs(model) }
        for index in model.entities.indices where random.below(3) == 0 {
            model.entities[index].absence.orphans = .delete
        }
        return model
    }

    private func nights(
        _ random: inout SeededRandom, count: Int, of base: Model, on shelves: [any NightShelf]
    ) throws -> HistoryNights {
        var nights = HistoryNights(shelves)
        if random.below(3) == 0 { nights.keep = .runs(2 + random.below(4)) }
        for night in 0..<count {
            let spread = [3, 12, 60][random.below(3)]
            let records = (0..<random.below(90)).map { _ in
                LoadPropertyTests.withRandomStatus(
                    &random, LoadPropertyTests.record(&random, spread: spread).cut(to: base), base)
            }
            nights.shortcuts = Shortcuts(rawValue: random.below(16))
            nights.cacheLimit = [0, 200, 20_000, Loader.defaultCacheLimit][random.below(4)]
            nights.end = [.saved, .saved, .saved, .failed, .failedWithBatches, .unchanged][random.below(6)]
            // A file of which nothing is saved is none; a server says how it failed.
            if night == 0, shelves.count > 1 { nights.end = .saved }
            nights.savesAtEnd = random.below(2) == 0
            let model = random.below(3) == 0 ? LoadPropertyTests.withRandomModes(&random, base) : base
            try nights.load(records, model, batchSize: [1, 7, 30, 1000][random.below(4)], pipeline: "test")
            if random.below(2) == 0 { try nights.writeAsProgram(&random) }
        }
        return nights
    }
}
