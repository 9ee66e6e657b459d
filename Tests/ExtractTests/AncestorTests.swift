import SluiceExtract
import SluiceRecords
import TestSupport
import Testing

/// Values around the records, whichever side of them they stand on.
@Suite struct AncestorTests {
    let departures = entity(
        "Departure", "$.stations[*].departures[*]",
        slots: ["line", "$.stations[*].id", "$.stations[*]~", "$.version", "^^.id", "^~", "^^^~", "~"])

    @Test func beforeAndBehindTheRecords() {
        let feed = """
            {"stations": [
              {"id": "A", "departures": [{"line": 1}, {"line": 2}]},
              {"departures": [{"line": 3}], "id": "B"},
              {"departures": [{"line": 4}]}
            ], "version": 7}
            """
        for batch in [1, 5000] {
            let found = extract(feed, departures, options: FeedOptions().with(batch: batch))
            #expect(found.failure == nil)
            #expect(
                found.rows == [
                    row(0, "44 2:30", 0, 0, "number:1 | string:A"), row(1, "57 2:43", 0, 1, "number:2 | string:A"),
                    row(2, "90 3:19", 1, 0, "number:3 | string:B"), row(3, "134 4:19", 2, 0, "number:4 | absent"),
                ])
        }
    }

    private func row(_ number: Int, _ place: String, _ station: Int, _ index: Int, _ values: String) -> String {
        let id = values.split(separator: " ").last ?? ""
        return "Departure#000\(number) \(place) $.stations[\(station)].departures[\(index)] | \(values)"
            + " | integer:\(station) | number:7 | \(id) | string:departures | string:stations | integer:\(index)"
    }

    @Test func objectsAndArraysAreWhatTheyAre() {
        let item = entity("Item", "$.a[*]", slots: ["^", "^^ json", "$.b", "$.b json", "$.c json"])
        let found = extract(#"{"a": [1], "b": {"x": [ 2 ]}, "c": null}"#, item)
        #expect(
            found.rows == [
                #"Item#0000 7 1:8 $.a[0] | array | json:{"a":[1],"b":{"x":[2]},"c":null} | object | json:{"x":[2]} | null"#
            ])
    }

    @Test func aboveTheTopThereIsNothing() {
        let item = entity("Item", "$..id", slots: ["^", "^^.id", "^^^~"])
        let found = extract(#"{"id": {"id": 1}}"#, item)
        #expect(
            found.rows == [
                "Item#0000 7 1:8 $.id | object | absent | absent",
                "Item#0001 14 1:15 $.id.id | object | object | absent",
            ])
    }

    /// Rows that have gone to disk are not counted as waiting again when their node ends.
    @Test func someWaitOnDiskAndSomeInTheBatch() {
        let feed = Array(
            """
            {"items": [
              {"items": [{"tags": ["2", "0"], "id": 0, "refs": [null, {"ref": "0", "n": 1, "id": 0}]}], "x": 2, "id": 1,
               "n": 1.0, "kind": "b"},
              {"kind": "B", "e": "1", "n": -3}, {"ref": "1"}
            ]}
            """.utf8)
        let item = entity("Item", "$.items.*..[*]", slots: ["~", "^[0].id", "^~"])
        for batch in 1...20 {
            let found = extract(feed, [item], options: FeedOptions().with(batch: batch))
            #expect(found.failure == nil)
            #expect(found.rows == referenceRows(feed, [item]), "batches of \(batch)")
        }
    }

    @Test func aNodeInATree() {
        let tree = entity("Subject", "$[*].top", "$[*].top..children[*]", slots: ["id", "^^.id"])
        let feed = """
            [{"top": {"children": [{"children": [{"id": 3}, {"id": 4}], "id": 2}, {"id": 5}], "id": 1}}]
            """
        for batch in [1, 2, 3, 5000] {
            let found = extract(feed, tree, options: FeedOptions().with(batch: batch))
            #expect(
                found.rows.map { $0.split(separator: " | ").dropFirst().joined(separator: " ") } == [
                    "number:1 absent", "number:2 number:1", "number:3 number:2", "number:4 number:2",
                    "number:5 number:1",
                ])
        }
    }

    /// Rows come in the order of their first bytes, those that wait and those that do not, on disk and in memory.
    @Test(arguments: [1, 2, 3, 7, 5000]) func rowsComeInTheirOrder(batchSize: Int) throws {
        for seed in SeededRandom.seeds(0..<40) {
            var generator = FeedGenerator(seed: UInt64(seed))
            let model = Model(entities: [
                entity("All", "$..[*]", slots: ["@", "^.id", "^^.a"]),
                entity("Same", "$..id", slots: ["$.a", "@ json"]), entity("Plain", "$..[*]", slots: ["@"]),
            ])
            var next: [UInt64] = [0, 0, 0]
            let reader = FeedReader(model: model, source: 0, options: .lines.with(batch: batchSize))
            var batch = RecordBatch(model: model)
            let feed = generator.feed(values: 4)
            func check(_ batch: RecordBatch) {
                for section in batch.sections {
                    for row in 0..<section.count where section.status[row] != .dropped {
                        #expect(section.status[row] == .complete)
                        #expect(section.positions[row].record == next[section.entity])
                        next[section.entity] += 1
                    }
                }
            }
            _ = try reader.read(ChunkedBytes(feed, sizes: [11]), named: "feed", into: &batch) { full in
                check(full)
                full.reset()
                return full
            }
            check(batch)
        }
    }

    /// What is around records is forgotten when it ends; what is still open is not.
    @Test func longValues() {
        let item = entity(
            "Item", "$.parts[*].groups[*].items[*]",
            slots: [
                "$.title", "$.parts[*].name", "$.parts[*].groups[*].name", "^^.more json", "^^.tags[*] many", "$.end",
            ])
        func long(_ text: String) -> String { String(repeating: text, count: 3000 / text.count) }
        let (title, tag) = (long("T"), long("t"))
        let groups = (0..<900).map { number in
            let name = long("n\(number)")
            return #"{"name": "\#(name)", "items": [1, 2], "tags": ["\#(tag)", \#(number)], "more": {"x": 1}}"#
        }
        let parts = [groups.prefix(450), groups.suffix(450)].enumerated().map { number, groups in
            #"{"name": "part \#(number)", "groups": [\#(groups.joined(separator: ","))]}"#
        }
        let feed = #"{"title": "\#(title)", "parts": [\#(parts.joined(separator: ","))], "end": "e"}"#
        for batch in [1, 100, 5000] {
            let found = extract(Array(feed.utf8), [item], options: FeedOptions().with(batch: batch))
            #expect(found.rows.count == 1800)
            for (index, row) in found.rows.enumerated() {
                let values = row.components(separatedBy: " | ").dropFirst()
                let tags = "(string:\(tag), number:\(index / 2))"
                let expected = [
                    "string:\(title)", "string:part \(index / 900)", "string:\(long("n\(index / 2)"))",
                    #"json:{"x":1}"#, tags, "string:e",
                ]
                if Array(values) != expected { Issue.record("\(row.prefix(80))") }
            }
        }
    }

    /// The first value counts, whether records came before it came again or not; what differs is told.
    @Test(arguments: [
        (#"{"items": [1], "version": 1, "version": 2}"#, "1", "$.version 1 @29"),
        (#"{"version": 1, "items": [1], "version": 2}"#, "1", "$.version 1 @29"),
        (#"{"version": 1, "version": 2, "items": [1]}"#, "1", "$.version 1 @15"),
        (#"{"version": 1, "version": 2, "items": []}"#, nil, nil),
        (#"{"version": 1, "items": [1], "version": 1}"#, "1", nil),
        (#"{"version": 1, "version": 1, "items": [1]}"#, "1", nil),
        (#"{"version": 1, "version": 1, "items": [1], "version": 2, "version": 1}"#, "1", "$.version 1 @43"),
    ])
    func aRepeatedKeyAroundRecords(feed: String, version: String?, told: String?) throws {
        let item = entity("Item", "$.items[*]", slots: ["$.version"])
        for batch in [1, 5000] {
            let found = extract(feed, item, options: FeedOptions().with(batch: batch))
            #expect(found.failure == nil)
            #expect(found.rows.map { $0.components(separatedBy: "number:")[1] } == (version.map { [$0] } ?? []))
            #expect(try drift(feed, item) == (told.map { [$0] } ?? []))
        }
    }

    /// Values of all kinds are compared as they are written, lists and captured texts too.
    @Test(arguments: [
        (#""o": {"x": [1]}, "t": [1, "a"]"#, #""o": {"x":[ 1]}, "t": [ 1, "\u0061"]"#, []),
        (#""o": {"x": [1]}, "t": [1, "a"]"#, #""o": {"x":[2]}, "t": [1, "b"]"#, ["$.o", "$.t"]),
        (#""o": {"y": 1}, "t": [1]"#, #""o": {"y": 1.0}, "t": [1, 1]"#, ["$.o", "$.t"]),
        (#""o": {"y": 1}, "t": [1]"#, #""o": {}, "t": null"#, ["$.o", "$.t"]),
        (#""o": {}, "t": [1]"#, #""o": {"y": 1}"#, ["$.o"]),
    ])
    func repeatedValuesOfAllKinds(first: String, again: String, told: [String]) throws {
        let item = entity("Item", "$.items[*]", slots: ["$.o json", "$.o.y", "^^.t[*] many"])
        func values(_ feed: String) -> [[String]] {
            extract(feed, item).rows.map { Array($0.components(separatedBy: " | ").dropFirst()) }
        }
        let once = values("{\(first), \"items\": [1, 2]}")
        for feed in ["{\(first), \(again), \"items\": [1, 2]}", "{\"items\": [1, 2], \(first), \(again)}"] {
            #expect(try drift(feed, item).map { $0.components(separatedBy: " ")[0] } == told)
            #expect(values(feed) == once)
        }
    }

    /// In a record, it is the record that is told of; what is in it gets the first value, the record itself the last.
    @Test func aRepeatedKeyOfARecordAroundRecords() throws {
        let child = entity("Child", "$..child", slots: ["id", "^.id"])
        let feed = #"{"child": {"id": 1, "child": {}, "id": 2}}"#
        let found = extract(feed, child)
        #expect(
            found.rows.map { $0.components(separatedBy: " | ").dropFirst() } == [
                ["number:2", "absent"], ["absent", "number:1"],
            ])
        #expect(try drift(feed, child) == ["id 1 @10"])
    }

    /// However the bytes and the batches come, what comes again changes nothing.
    @Test func randomRepeats() throws {
        let items = [
            entity("Any", "$..[*]", slots: ["@", "^.a json", "^^.b.c", "$.id"]),
            entity("Tag", "$.a..[*]", slots: ["$.tags", "^.tags[*] many"]),
        ]
        for seed in SeededRandom.seeds(0..<40) {
            var generator = FeedGenerator(seed: UInt64(7000 + seed))
            generator.mayRepeatKeys = true
            let feed = generator.feed(values: 3)
            let whole = extract(feed, items, options: .lines)
            #expect(whole.failure == nil)
            for batch in [1, 2, 5] {
                let split = extract(feed, items, sizes: [1 + seed % 11], options: .lines.with(batch: batch))
                #expect(split == whole, "\(String(decoding: feed, as: UTF8.self))")
            }
        }
    }

    /// A key that comes again and again is not kept again and again.
    @Test func manyRepeats() throws {
        let item = entity("Item", "$.items[*]", slots: ["$.text"])
        let text = #""text": "\#(String(repeating: "t", count: 3000))""#
        let feed = #"{"items": [1], \#(Array(repeating: text, count: 2000).joined(separator: ", "))}"#
        var options = FeedOptions()
        options.maxRecord = 3_000_000
        let found = extract(feed, item, options: options)
        #expect(found.failure == nil)
        #expect(found.rows.count == 1)
    }

    private func drift(_ feed: String, _ item: Entity) throws -> [String] {
        let reader = FeedReader(model: Model(entities: [item]), source: 0, options: FeedOptions())
        var batch = RecordBatch(model: Model(entities: [item]))
        _ = try reader.read(ChunkedBytes(Array(feed.utf8), sizes: [5]), named: "feed", into: &batch) { full in
            full.reset()
            return full
        }
        return reader.drift.fields.filter(\.isRepeated).map { "\($0.path) \($0.records) @\($0.first.offset)" }.sorted()
    }

    @Test func brokenTextsAroundRecords() {
        let item = entity("Item", "$.*.items[*]", slots: ["$.*~", "^^.name", "@"])
        let found = extract(
            #"{"\ud83d": {"name": "\ud83d", "items": [1]}, "x": {"items": ["\udc00"], "name": "n"}}"#, item)
        #expect(
            found.rows.map { $0.split(separator: " | ").dropFirst().joined(separator: " ") } == [
                "brokenString brokenString number:1", "string:x string:n brokenString",
            ])
        // Only what the record holds itself makes it a reject here.
        #expect(found.faults.count == 1)
    }
}
