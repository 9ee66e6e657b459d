import AllocationCounter
import SluiceExtract
import SluiceRecords
import Testing

/// Once its tables have grown, the reader asks for no memory: not for a record, and not for anything in it.
@Suite(.enabled(if: countsAllocations())) struct AllocationTests {
    private static let model = Model(entities: [
        entity("Stop", "$.stops[*]", slots: ["id", "name", "position.latitude", "flags", "tags[*] many", "raw json"]),
        entity("Line", "$.stops[*].lines[*]", slots: ["@", "^^.id", "^^.flags"]), marked,
    ])

    /// One with conditions, for which the fields are noted that no path names.
    private static var marked: Entity {
        var marked = entity("Marked", "$.stops[*]", slots: ["id"])
        marked.conditions = [RecordCondition(slot: 0, values: [.number("1")])]
        return marked
    }

    private static func feed(_ records: Int) -> [UInt8] {
        var feed = Array("{\"stops\": [".utf8)
        for number in 0..<records {
            if number > 0 { feed += Array(",\n".utf8) }
            // A field that no path names, others that are left out now and then, an escape, and what is not ASCII.
            let rare = number % 7 == 0 ? "\"rare\": {\"deep\": [1, {}]}, " : ""
            feed += Array(
                """
                {"id": \(number), "name": "caf\u{e9} \\"\(number % 10)\\"", \(rare)"position": {"latitude": 52.5, "x": 1},
                 "flags": null, "url": "https://example.org/\(number)", "tags": ["a", "b\\n"], "lines": ["U1", "U2"],
                 "raw": {"some": ["json", 1.5]}}
                """.utf8)
        }
        return feed + Array("]}".utf8)
    }

    /// A reader whose tables have grown already: it has read the longest feed.
    private final class Bench {
        let reader: FeedReader
        var batch = RecordBatch(model: model)
        var batches = 0

        init(batchSize: Int) throws {
            // In one chunk: what a chunk costs is not the records'.
            let options = FeedOptions().with(chunk: 8 << 20, batch: batchSize)
            reader = FeedReader(model: model, source: 0, options: options)
            _ = try allocations(feed(5000))
        }

        /// How many allocations reading a feed makes.
        func allocations(_ feed: [UInt8]) throws -> Int {
            batch.reset()
            batches = 0
            let source = ChunkedBytes(feed)
            let before = countOfAllocations()
            _ = try reader.read(source, named: "feed", into: &batch) { full throws(Failure) in
                batches += 1
                full.reset()
                return full
            }
            return Int(countOfAllocations() - before)
        }
    }

    @Test func noneForARecord() throws {
        let (few, many) = (Self.feed(500), Self.feed(5000))
        let bench = try Bench(batchSize: 1 << 20)
        #expect(try bench.allocations(many) == bench.allocations(few))
    }

    /// A batch that is handed out while a record is open costs some.
    @Test func fewForABatch() throws {
        let bench = try Bench(batchSize: 1000)
        #expect(try bench.allocations(Self.feed(5000)) < 100 + 50 * bench.batches)
        #expect(bench.batches > 10)
    }

    /// The counter itself.
    @Test func allocationsAreCounted() {
        let before = countOfAllocations()
        var blocks: [[UInt8]] = []
        for size in 100..<110 { blocks.append([UInt8](repeating: 0, count: size)) }
        #expect(countOfAllocations() - before >= 10)
        #expect(blocks.count == 10)
    }
}
