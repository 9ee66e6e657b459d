import SluiceExtract
import SluiceRecords
import TestSupport
import Testing

/// Feeds and paths made at random, with values around the records, compared with what a simple implementation finds.
@Suite struct RandomPathTests {
    @Test(arguments: 0..<8) func sameAsTheReference(_ part: Int) {
        for seed in SeededRandom.seeds(0..<20) {
            var generator = FeedGenerator(seed: UInt64(70_000 + seed * 8 + part))
            generator.mayBreakStrings = seed % 4 == 0
            let entities = (0...seed % 3).map { generator.entity("E\($0)") }
            let feed = generator.feed(values: 1 + seed % 3)
            let expected = referenceRows(feed, entities)
            let found = extract(
                feed, entities, sizes: [[.max], [1], [2, 3, 5]][seed % 3],
                options: .lines.with(chunk: 1 + seed % 9, batch: [5000, 1, 2, 3][part % 4]))
            #expect(found.failure == nil)
            #expect(found.taken == referenceTaken(feed, entities), "\(describe(entities))")
            #expect(found.rows == expected, "\(describe(entities))\n\(String(decoding: feed, as: UTF8.self))")
        }
    }

    private func describe(_ entities: [Entity]) -> String {
        entities.map { entity in
            "\(entity.records) \(entity.slots.map { "\($0.path)\($0.many ? " many" : "")\($0.json ? " json" : "")" })"
        }.joined(separator: "\n")
    }
}
