import SluiceExtract
import SluiceRecords
import TestSupport
import Testing

/// Feeds made at random, read in many ways, and compared with what a simple implementation finds.
@Suite struct RandomFeedTests {
    static let names: [Slot] = ["a", "b.c", "tags[*] many", "id json", "~", "[1]"]
    static let models: [[Entity]] = [
        [entity("All", "$", slots: names)],
        [entity("Element", "$[*]", slots: names), entity("Tag", "$[*].tags[*]", slots: ["@", "id", "@ json"])],
        [
            entity("Any", "$..[*]", slots: ["@", "..id many", "a[*].b many"]),
            entity("Id", "$..id", slots: ["@ json", "~", "*.* many json"]),
        ],
        [
            entity("Two", "$.a", "$.*[0]", slots: ["..[*] many", "..a..b many", "\u{e4}"]),
            entity("Same", "$.a", slots: ["c[1]", "c~", "*~ many"]),
        ],
    ]

    @Test(arguments: 0..<4) func sameAsTheReference(_ model: Int) {
        for seed in SeededRandom.seeds(0..<8) {
            var generator = FeedGenerator(seed: UInt64(seed * 4 + model))
            generator.mayBreakStrings = seed % 3 == 0
            let feed = generator.feed(values: 1 + seed % 4)
            let expected = referenceRows(feed, Self.models[model])
            let whole = extract(feed, Self.models[model], options: .lines)
            #expect(whole.failure == nil)
            #expect(whole.rows == expected, "\(String(decoding: feed, as: UTF8.self))")
            checkSplits(feed, Self.models[model], seed, whole)
        }
    }

    private func checkSplits(_ feed: [UInt8], _ model: [Entity], _ seed: Int, _ whole: Extraction) {
        for sizes in [[1], [2], [7], [1, 2, 3, 5, 8, 13]] {
            let split = extract(
                feed, model, sizes: sizes, options: .lines.with(chunk: 1 + seed % 9, batch: 1 + seed % 3))
            #expect(split == whole, "in chunks of \(sizes): \(String(decoding: feed, as: UTF8.self))")
        }
        let smallBatches = extract(feed, model, options: .lines.with(batch: 1))
        #expect(smallBatches == whole)
    }

    /// A key that is there twice counts once, with its last value.
    @Test func repeatedKeys() {
        let items = [
            entity(
                "Item", "$",
                slots: [
                    "a", "b.c", "tags[*] many", "x_y json", "id", "c[*].a many", "\u{e4}.b[0]", "['']", "a.tags many",
                ])
        ]
        for seed in SeededRandom.seeds(0..<100) {
            var generator = FeedGenerator(seed: UInt64(1000 + seed))
            generator.mayRepeatKeys = true
            let feed = generator.feed(values: 3)
            let found = extract(feed, items, sizes: [1 + seed % 11], options: .lines.with(batch: 2))
            #expect(found.failure == nil)
            #expect(found.rows == referenceRows(feed, items), "\(String(decoding: feed, as: UTF8.self))")
        }
    }
}
