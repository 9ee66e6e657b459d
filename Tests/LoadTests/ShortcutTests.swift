import Records
import Testing

@testable import Load

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

    @Test(arguments: 0..<40)
    func findsInSequenceWhatItFindsByIdentifier(seed: Int) throws {
        var random = SeededRandom(seed + 9_000_000)
        var model = LoadPropertyTests.model
        if seed % 3 == 1 { model = LoadPropertyTests.withRandomModes(&random, model) }
        if seed % 3 == 2 { model = LoadPropertyTests.withRandomDeletions(&random, model) }
        let folder = TemporaryFolder()
        let paths = [folder.file("plain.sqlite"), folder.file("quick.sqlite")]
        let spread = [40, 400, 4000][random.below(3)]
        var records = (0..<500).map { _ in LoadPropertyTests.record(&random, spread: spread) }
        for run in 0..<3 {
            let batchSize = [1, 10, 100, 1000][random.below(4)]
            let sinks = [SilentSink(), SilentSink()]
            let counts = try zip(paths, [Shortcuts(), .sequence]).enumerated().map { index, store in
                try load(records, model, into: store.0, batchSize: batchSize, shortcuts: store.1, sink: sinks[index])
            }
            #expect(counts[0] == counts[1], "run \(run)")
            #expect(Self.findings(sinks[0]) == Self.findings(sinks[1]), "run \(run)")
            #expect(try Self.everything(paths[0]) == Self.everything(paths[1]), "run \(run)")
            records = Self.later(records, &random, spread: spread)
        }
    }
}
