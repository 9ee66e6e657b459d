import SluiceExtract
import SluiceRecords
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
        for seed in 0..<40 {
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

    @Test func aRepeatedKeyIsRefusedIfRecordsNeedIt() {
        let item = entity("Item", "$.items[*]", slots: ["id", "$.version"])
        func failure(_ feed: String) -> String? { extract(feed, item).failure }
        let reason = "$.version is there twice, and a value that belongs to records is looked for in it"
        #expect(failure(#"{"items": [1], "version": 1, "version": 2}"#) == "feed:1:30 @29: " + reason)
        #expect(failure(#"{"version": 1, "items": [1], "version": 2}"#) == "feed:1:30 @29: " + reason)
        #expect(failure(#"{"version": 1, "version": 2, "items": [1]}"#) == "feed:1:16 @15: " + reason)
        // No record is in it.
        #expect(failure(#"{"version": 1, "version": 2, "items": []}"#) == nil)
        let child = entity("Child", "$..child", slots: ["id", "^.id"])
        #expect(extract(#"{"child": {"id": 1, "id": 2}, "id": 0}"#, child).failure == nil)
        #expect(extract(#"{"child": {"id": 1, "child": {}, "id": 2}}"#, child).failure?.contains("$.child.id") == true)
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
