import SluiceExtract
import SluiceRecords
import Testing

/// What is held in memory for open records has a limit, whatever the feed nests.
@Suite struct HeldBytesTests {
    private func options(_ maxRecord: Int, chunk: Int = 1 << 12) -> FeedOptions {
        var options = FeedOptions().with(chunk: chunk)
        options.maxRecord = maxRecord
        return options
    }

    private func refusal(_ place: String, _ limit: Int) -> String {
        "feed:\(place): the record that begins here holds more than \(limit) bytes (see \"maxRecord\")"
    }

    /// Each of the nested records has all those in it once more.
    @Test func nestedTexts() {
        let node = entity("Node", "$", "$..[*]", slots: ["@ json"])
        let depth = 200
        let text = String(repeating: "x", count: 2000)
        let feed = "\n" + String(repeating: "[", count: depth) + "\"\(text)\"" + String(repeating: "]", count: depth)
        for chunk in [100, 1 << 18] {
            #expect(extract(feed, node, options: options(100_000, chunk: chunk)).failure == refusal("2:1 @1", 100_000))
        }
        let whole = extract(feed, node, options: options(1 << 20))
        #expect(whole.failure == nil)
        #expect(whole.rows.count == depth + 1)
    }

    /// The text around the records is in memory, too.
    @Test func nestedTextsAroundRecords() {
        let leaf = entity("Leaf", "$..leaf", slots: ["n", "^ json"])
        let depth = 150
        let text = String(repeating: "x", count: 2000)
        let feed =
            String(repeating: "{\"leaf\": 1, \"in\": ", count: depth) + "\"\(text)\""
            + String(repeating: "}", count: depth)
        let found = extract(feed, leaf, options: options(100_000)).failure
        #expect(found?.hasSuffix("holds more than 100000 bytes (see \"maxRecord\")") == true)
        #expect(extract(feed, leaf, options: options(1 << 20)).rows.count == depth)
    }

    @Test func listsOfLinks() {
        let item = entity("Item", "$[*]", slots: ["id", "links[*] many"])
        let links = (0..<5000).map(String.init).joined(separator: ",")
        let feed = "[{\"id\": 1, \"links\": [1]},\n {\"id\": 2, \"links\": [\(links)]}]"
        #expect(extract(feed, item, options: options(100_000)).failure == refusal("2:2 @27", 100_000))
        #expect(extract(feed, item, options: options(1 << 20)).rows.count == 2)
        let any = entity("Any", "$[*]", slots: ["*.id many"])
        let keys = (0..<2000).map { "\"k\($0)\": {\"id\": 1}" }.joined(separator: ",")
        #expect(extract("[{\(keys)}]", any, options: options(100_000)).failure == refusal("1:2 @1", 100_000))
        // Each of the nested records takes all links in it.
        let nested = entity("Nested", "$..n", slots: ["id", "@..l many"])
        let deep =
            String(repeating: "{\"n\": ", count: 50)
            + "{\"l\": 0, \"m\": [\(String(repeating: "{\"l\": 1},", count: 200))0]}"
            + String(repeating: "}", count: 50)
        #expect(extract(deep, nested, options: options(100_000)).failure == refusal("1:7 @6", 100_000))
        #expect(extract(deep, nested, options: options(1 << 20)).rows.count == 50)
    }

    /// What is complete can go, and what has been met again is forgotten: neither counts.
    @Test func onlyWhatIsOpenCounts() {
        let all = entity("All", "$", slots: ["id", "note"])
        let item = entity("Item", "$.items[*]", slots: ["n"])
        let text = String(repeating: "y", count: 100)
        let items = (0..<2000).map { "{\"n\": \"\(text)\($0)\"}" }.joined(separator: ",")
        let feed = "{\"id\": 1, \"items\": [\(items)], \"note\": \"end\"}"
        var sizes: [Int] = []
        let found = extract(
            Array(feed.utf8), [all, item], options: options(20_000), batchSizes: &sizes)
        #expect(found.failure == nil)
        #expect(found.rows.count == 2001)
        #expect(found == extract(feed, all, item))
        let again = "{\"note\": \"\(text)\"" + String(repeating: ", \"id\": \"\(text)\"", count: 2000) + "}"
        #expect(extract(again, all, options: options(20_000)) == extract(again, all))
    }
}
