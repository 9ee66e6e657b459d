import SluiceRecords
import TestSupport
import Testing

@testable import SluiceLoad

/// Every shortcut leads to the store that a run without it would have made.
@Suite struct ShortcutTests {
    /// The records of a later feed: mostly those of the one before in their order, with some changed, new, gone, told
    /// twice, or moved as a block.
    private static func later(_ records: [TestRecord], _ random: inout SeededRandom, spread: Int) -> [TestRecord] {
        var feed = RandomRecords(random: random, spread: spread)
        let rarely = [8, 40, 200][random.below(3)]
        var later: [TestRecord] = []
        for record in records {
            switch random.below(rarely) {
            case 0: continue
            case 1: later.append(feed.next())
            case 2: later += [record, record]
            case 3:
                // Another record's object, told here as well.
                later.append(records[random.below(records.count)])
                later.append(record)
            default: later.append(record)
            }
        }
        if random.below(2) == 0, !later.isEmpty {
            let start = random.below(later.count)
            let block = Array(later[start...].prefix(random.below(60)))
            later.removeSubrange(start..<start + block.count)
            later.insert(contentsOf: block, at: random.below(later.count + 1))
        }
        return later
    }

    private static func everything(_ path: String) throws -> [[String]] {
        let tables = try rows(path, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").map { $0[0] }
        return try tables.filter { $0 != "sluice_run" }.flatMap { table in
            [[table]] + (try rows(path, "SELECT * FROM \"\(table)\" ORDER BY 1, 2"))
        }
    }

    private static func findings(_ sink: SilentSink) -> Set<String> { Set(sink.findings.map { "\($0)" }) }

    /// A store with what the runs on it said.
    private struct Outcome {
        let path: String
        let shortcuts: Shortcuts
        var counts: [EntityCounts] = []
        var findings: Set<String> = []

        mutating func run(_ records: [TestRecord], _ model: Model, batchSize: Int) throws {
            let sink = SilentSink()
            counts = try load(records, model, into: path, batchSize: batchSize, shortcuts: shortcuts, sink: sink)
            findings = ShortcutTests.findings(sink)
        }
    }

    /// Stores of several runs, of whose feeds each is mostly the one before.
    private func stores(
        _ seed: Int, _ all: [Shortcuts], _ check: (_ run: Int, _ outcomes: [Outcome], _ model: Model) throws -> Void
    ) throws {
        var random = SeededRandom(seed + 9_000_000)
        var model = LoadPropertyTests.model
        if seed % 3 == 1 { model = LoadPropertyTests.withRandomModes(&random, model) }
        if seed % 3 == 2 { model = LoadPropertyTests.withRandomDeletions(&random, model) }
        if seed % 5 == 0 { model = LoadPropertyTests.withStubs(model) }
        let folder = TemporaryFolder()
        var outcomes = all.map { Outcome(path: folder.file("\($0.rawValue).sqlite"), shortcuts: $0) }
        let spread = [40, 400, 4000][random.below(3)]
        var records = (0..<200).map { _ in LoadPropertyTests.record(&random, spread: spread) }
        for run in 0..<3 {
            let batchSize = [1, 10, 100, 1000][random.below(4)]
            for index in outcomes.indices { try outcomes[index].run(records, model, batchSize: batchSize) }
            try check(run, outcomes, model)
            records = Self.later(records, &random, spread: spread)
        }
    }

    /// To find objects in sequence, and to let records wait, changes not a byte.
    @Test(arguments: SeededRandom.seeds(0..<4))
    func leadToTheSameBytes(seed: Int) throws {
        try stores(seed, [[], .sequence, [.sequence, .deferral]]) { run, outcomes, _ in
            let plain = try Self.everything(outcomes[0].path)
            for outcome in outcomes.dropFirst() {
                #expect(outcome.counts == outcomes[0].counts, "run \(run)")
                #expect(outcome.findings == outcomes[0].findings, "run \(run)")
                #expect(try Self.everything(outcome.path) == plain, "run \(run)")
            }
        }
    }

    /// Promised objectIDs are given in the order in which they are promised: all else is the same.
    @Test(arguments: SeededRandom.seeds(0..<4))
    func leadToTheSameObjects(seed: Int) throws {
        try stores(seed, [[], .all]) { run, outcomes, model in
            #expect(outcomes[1].counts == outcomes[0].counts, "run \(run)")
            #expect(outcomes[1].findings == outcomes[0].findings, "run \(run)")
            for entity in model.entities {
                let (plain, quick) = (outcomes[0].path, outcomes[1].path)
                let (objects, others) = (
                    try LoadPropertyTests.stored(plain, entity), try LoadPropertyTests.stored(quick, entity)
                )
                #expect(objects == others, "run \(run)")
            }
        }
    }
}
