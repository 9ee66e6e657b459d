import SluiceExtract
import SluiceRecords
import Testing

@Suite struct FeedReaderTests {
    let stops = entity("Stop", "$.stops[*]", slots: ["id", "name", "position.latitude"])

    @Test func recordsOfAnArray() {
        let feed = #"""
            {"version": 3, "stops": [
              {"id": 1, "name": "Alex\u0061nderplatz", "position": {"latitude": 52.5}},
              {"name": null, "id": "2", "extra": [1, {"id": 7}]}
            ], "other": {"stops": [{"id": 9}]}}
            """#
        let found = extract(feed, stops)
        #expect(
            found.rows == [
                "Stop#0000 28 2:3 $.stops[0] | number:1 | string:Alexanderplatz | number:52.5",
                "Stop#0001 104 3:3 $.stops[1] | string:2 | null | absent",
            ])
        #expect(found.failure == nil)
        #expect(found.statistics == FeedStatistics(bytes: UInt64(feed.utf8.count), values: 1))
    }

    @Test func scalarsWithoutAnyContainer() {
        let whole = entity("Value", "$", slots: ["@", "@ json", "~"])
        #expect(extract("12.50", whole).rows == ["Value#0000 0 1:1 $ | number:12.50 | json:12.50 | absent"])
        #expect(extract(#" "a\"b" "#, whole).rows == [#"Value#0000 1 1:2 $ | string:a"b | json:"a\"b" | absent"#])
        #expect(extract("true", whole).rows == ["Value#0000 0 1:1 $ | yes | json:true | absent"])
        #expect(extract("null\n", whole).rows == ["Value#0000 0 1:1 $ | null | null | absent"])
    }

    @Test func keysAndIndices() {
        let feed = #"{"a b": {"x": {"y": 1}}, "c": [{"tags": ["u", "v"]}]}"#
        let members = entity("Member", "$.*", slots: ["~", "x~", "[0]~", "*~ many"])
        let elements = entity("Element", "$.c[*]", slots: ["~", "tags[*]~ many", "@ json"])
        #expect(
            extract(feed, members, elements).rows == [
                "Element#0000 31 1:32 $.c[0] | integer:0 | (integer:0, integer:1) | json:{\"tags\":[\"u\",\"v\"]}",
                "Member#0000 8 1:9 $['a b'] | string:a b | string:x | absent | (string:x)",
                "Member#0001 30 1:31 $.c | string:c | absent | integer:0 | (integer:0)",
            ])
    }

    @Test func lists() {
        let item = entity("Item", "$[*]", slots: ["tags[*] many", "people[*].id many", "..id many", "name many"])
        let feed = """
            [{"tags": [1, null, []], "people": [{"id": 1}, {}, {"id": 2, "x": {"id": 3}}], "name": "n"},
             {"tags": [], "people": null}, {}, {"tags": 7, "people": [{"id": null}]}]
            """
        #expect(
            extract(feed, item).rows == [
                "Item#0000 1 1:2 $[0] | (number:1, null, array) | (number:1, number:2) | (number:1, number:2, number:3) | (string:n)",
                "Item#0001 94 2:2 $[1] | () | () | () | absent",
                "Item#0002 124 2:32 $[2] | absent | absent | () | absent",
                "Item#0003 128 2:36 $[3] | (unlisted:7) | (null) | (null) | absent",
            ])
    }

    @Test func severalEntitiesAtOneNodeAndNested() {
        let albums = entity("Album", "$.albums[*]", slots: ["id", "tracks[*].id many"])
        let twins = entity("Twin", "$.albums[*]", "$..albums[0]", slots: ["id", "tracks json"])
        let tracks = entity("Track", "$.albums[*].tracks[*]", slots: ["id", "~"])
        let feed = #"{"albums": [{"tracks": [{"id": 1}, {"id": 2}], "id": "a"}, {"id": "b"}]}"#
        #expect(
            extract(feed, albums, twins, tracks).rows == [
                "Album#0000 12 1:13 $.albums[0] | string:a | (number:1, number:2)",
                "Album#0001 59 1:60 $.albums[1] | string:b | absent",
                "Track#0000 24 1:25 $.albums[0].tracks[0] | number:1 | integer:0",
                "Track#0001 35 1:36 $.albums[0].tracks[1] | number:2 | integer:1",
                #"Twin#0000 12 1:13 $.albums[0] | string:a | json:[{"id":1},{"id":2}]"#,
                "Twin#0001 59 1:60 $.albums[1] | string:b | absent",
            ])
    }

    @Test func recordsInRecordsOfTheSameEntity() {
        let nodes = entity("Node", "$..node", slots: ["id", "..id many"])
        let feed = #"{"node": {"id": 1, "node": {"node": 5, "id": 2}}}"#
        #expect(
            extract(feed, nodes).rows == [
                "Node#0000 9 1:10 $.node | number:1 | (number:1, number:2)",
                "Node#0001 27 1:28 $.node.node | number:2 | (number:2)",
                "Node#0002 36 1:37 $.node.node.node | absent | ()",
            ])
    }

    @Test func linesAreValues() {
        let values = entity("Value", "$", slots: ["id", "@"])
        let feed = "{\"id\":1}\n\n{\"id\":2} 3\n\u{1e}4\n"
        let found = extract(feed, values, options: .lines)
        #expect(
            found.rows == [
                "Value#0000 0 1:1 $ | number:1 | object",
                "Value#0001 10 3:1 $ | number:2 | object",
                "Value#0002 19 3:10 $ | absent | number:3",
                "Value#0003 22 4:2 $ | absent | number:4",
            ])
        #expect(found.statistics?.values == 4)
        #expect(extract("", values, options: .lines).statistics?.values == 0)
        #expect(extract(" \n", values, options: .lines).failure == nil)
    }

    @Test func aByteOrderMarkIsSkippedButCounts() {
        let feed = "\u{feff}[1]"
        let values = entity("Value", "$[*]", slots: ["@"])
        for size in 1...6 {
            #expect(extract(feed, values, sizes: [size]).rows == ["Value#0000 4 1:5 $[0] | number:1"])
        }
        #expect(extract("[1,\u{feff}2]", values).failure?.hasPrefix("feed:1:4 @3: ") == true)
    }

    @Test func aKeyRepeatedInARecord() {
        let item = entity("Item", "$[*]", slots: ["a", "b.c", "t[*] many", "u[*].v many", "..w many", "b json"])
        let feed = """
            [{"a": 1, "a": 2, "b": {"c": 1}, "b": {"d": 2}, "t": [1, 2], "t": [3], "u": [{"v": 1, "v": 2}, {"v": 3}]},
             {"t": [1], "t": null, "u": [{"v": 1}], "u": [{"v": 7}], "x": {"w": 1, "w": 2, "t": {"w": 3}, "w": 4}}]
            """
        #expect(
            extract(feed, item).rows == [
                "Item#0000 1 1:2 $[0] | number:2 | absent | (number:3) | (number:2, number:3) | () | json:{\"d\":2}",
                "Item#0001 108 2:2 $[1] | absent | absent | () | (number:7) | (number:3, number:4) | absent",
            ])
    }

    /// The records of all of them count: equal ones are duplicates then.
    @Test func aKeyRepeatedAboveRecords() {
        let found = extract(#"{"stops": [{"id": 1}], "stops": [{"id": 2}]}"#, stops)
        #expect(found.failure == nil)
        #expect(found.rows.count == 2)
        // Nothing names these.
        let members = entity("Member", "$.*", slots: ["id"])
        #expect(extract(#"{"x": {"id": 1}, "x": {"id": 2}}"#, members).rows.count == 2)
        // In a record, but above the records in it.
        let inner = entity("Inner", "$[*].in[*]", slots: ["id"])
        let outer = entity("Outer", "$[*]", slots: ["id"])
        #expect(extract(#"[{"id": 1, "in": [], "in": [{"id": 3}]}]"#, inner, outer).rows.count == 2)
    }

    @Test func moreKeysThanAWordHasBits() {
        let slots = (0..<150).map { Slot(stringLiteral: "k\($0)") }
        let wide = entity("Wide", "$[*]", slots: slots)
        let members = (0..<150).map { "\"k\($0)\": \($0), \"k\($0)\": -\($0)" }.joined(separator: ", ")
        let found = extract("[{\(members)}, {\"k149\": 1}]", wide)
        #expect(found.rows[0].hasSuffix((0..<150).map { "number:-\($0)" }.joined(separator: " | ")))
        #expect(found.rows[1].hasSuffix("absent | number:1"))
    }

    @Test func namesAreComparedByTheirBytes() {
        // To Swift's String, these two are equal.
        let item = entity("Item", "$", slots: ["caf\u{e9}", "cafe\u{301}", "['']"])
        let found = extract("{\"caf\u{e9}\": 1, \"cafe\u{301}\": 2, \"\": 3}", item)
        #expect(found.rows == ["Item#0000 0 1:1 $ | number:1 | number:2 | number:3"])
    }

    @Test func valuesWithNUL() {
        let item = entity("Item", "$", slots: ["a", "a json"])
        #expect(extract(#"{"a": "x\u0000y"}"#, item).rows == ["Item#0000 0 1:1 $ | string:x\0y | json:\"x\\u0000y\""])
    }

    /// A row of many attributes takes memory even where the feed says nothing of them.
    @Test func aBatchEndsByTheBytesOfItsCells() throws {
        let item = entity("Item", "$[*]", slots: (0..<50).map { Slot(stringLiteral: "k\($0)") })
        let one = RecordBatch(model: Model(entities: [item]))
        _ = one.sections[0].appendRow()
        let row = one.cellBytes
        #expect(row >= 50 * MemoryLayout<Cell>.stride)
        var options = FeedOptions()
        options.batchBytes = 10 * row
        var sizes: [Int] = []
        let feed = Array("[\(Array(repeating: "{}", count: 35).joined(separator: ","))]".utf8)
        #expect(extract(feed, [item], options: options, batchSizes: &sizes).rows.count == 35)
        #expect(sizes == [10, 10, 10])
    }

    /// A batch that was handed out belongs to those who took it, whatever they make of its rows.
    @Test func aBatchThatWasHandedOutIsLeftAlone() throws {
        let model = Model(entities: [entity("Item", "$[*]", slots: ["@"])])
        let reader = FeedReader(model: model, source: 0, options: FeedOptions().with(batch: 2))
        var batch = RecordBatch(model: model)
        var handed: [RecordBatch] = []
        _ = try reader.read(ChunkedBytes(Array("[1, 2, 3, 4, 5]".utf8), sizes: [.max]), named: "feed", into: &batch) {
            full in
            for row in 0..<full.sections[0].count { full.sections[0].status[row] = .gone }
            handed.append(full)
            return RecordBatch(model: model)
        }
        #expect(handed.map(\.rowCount) == [2, 2])
    }
}
