import SluiceExtract
import SluiceRecords
import Testing

/// Escaped surrogates without a partner: the records that hold one are rejected, whether a slot wants it or not.
@Suite struct SurrogateTests {
    let items = [
        entity("Item", "$.items[*]", slots: ["id", "name", "name json", "all json"]),
        entity("Inner", "$.items[*].inner[*]", slots: ["@"]),
    ]

    private func check(
        _ feed: String, rows: [String], faults: [String], sourceLocation: SourceLocation = #_sourceLocation
    ) {
        for chunk in 1...40 {
            let found = extract(Array(feed.utf8), items, options: FeedOptions().with(chunk: chunk, batch: 1))
            #expect(found.failure == nil, sourceLocation: sourceLocation)
            #expect(found.rows == rows, "in chunks of \(chunk)", sourceLocation: sourceLocation)
            let reason = ": the string holds an escaped surrogate without its partner"
            #expect(found.faults == faults.map { $0 + reason }, "in chunks of \(chunk)", sourceLocation: sourceLocation)
        }
    }

    @Test(arguments: [
        #"\ud83d"#, #"\uDE00"#, #"\ud83dx"#, #"\ud83d\n"#, #"\ud83d\ud83d\ude00"#, #"\ud83d\ude00\ude00"#,
        #"\uD83D\u0041"#,
        #"\\\ud83d"#, #"\"\ud83d\\"#, #"x\ud83d\\ude00"#,
    ])
    func broken(_ text: String) {
        let next = 34 + text.utf8.count
        check(
            #"{"items": [{"id": 1, "name": "\#(text)"}, {"id": 2, "name": "x"}]}"#,
            rows: [
                "Item#0000 11 1:12 $.items[0] rejected | number:1 | brokenString | brokenString | absent",
                "Item#0001 \(next) 1:\(next + 1) $.items[1] | number:2 | string:x | json:\"x\" | absent",
            ], faults: ["Item#0000 name"])
    }

    @Test(arguments: [#"\ud83d\ude00"#, #"\\ud83d"#, #"\\\\ude00"#, #"\ud7ff\ue000"#, #"\uD83D\uDE00\uD83D\uDE00"#])
    func whole(_ text: String) {
        let found = extract(#"{"items": [{"id": "\#(text)"}]}"#, items[0])
        #expect(found.failure == nil && found.faults.isEmpty)
        #expect(!found.rows[0].contains("rejected"))
    }

    @Test func whereNoSlotLooks() {
        let feed =
            #"{"items": [{"id": 1, "x": [5, {"a b": {"c": ["\udead"]}}]}, {"\udead": 1, "all": {"\ud800": 2}}], "y": "\udead"}"#
        check(
            feed,
            rows: [
                "Item#0000 11 1:12 $.items[0] rejected | number:1 | absent | absent | absent",
                #"Item#0001 60 1:61 $.items[1] rejected | absent | absent | absent | json:{"\ud800":2}"#,
            ], faults: ["Item#0000 x[1]['a b'].c[0]", "Item#0001 @", "Item#0001 all"])
    }

    @Test func recordsInRecordsAndScalars() {
        check(
            #"{"items": [{"inner": ["\ud800", "x"]}], "\udead": {"items": ["\udead"]}}"#,
            rows: [
                "Inner#0000 22 1:23 $.items[0].inner[0] rejected | brokenString",
                "Inner#0001 32 1:33 $.items[0].inner[1] | string:x",
                "Item#0000 11 1:12 $.items[0] rejected | absent | absent | absent | absent",
            ], faults: ["Inner#0000 @", "Item#0000 inner[0]"])
    }
}
