import Foundation
import Testing

/// A run never succeeds on nothing.
@Suite struct NothingTests {
    private let scratch = TemporaryFolder()

    /// `entities` by their name: what stands in them but for identifier and attributes. `settings` with a comma behind.
    private func define(
        _ entities: [(name: String, members: String)] = [("Item", #""records": "$.data[*]""#)], settings: String = "",
        sources: String = #""source": { "file": "feed.json" }"#
    ) throws {
        let list = entities.map { name, members in
            #""\#(name)": { \#(members), "identifier": "id", "attributes": { "id": "integer" } }"#
        }
        _ = try scratch.write(
            "p.jsonc",
            """
            { \(settings) \(sources), "store": { "sqlite": "s.sqlite" },
              "entities": { \(list.joined(separator: ",\n")) } }
            """)
    }

    private func run(_ feed: String? = nil, _ more: [String] = []) throws -> Sluice.Outcome {
        if let feed { _ = try scratch.write("feed.json", feed) }
        return try Sluice.run(["run", scratch.file("p.jsonc"), "--format", "json"] + more)
    }

    private func unmatched(_ outcome: Sluice.Outcome) -> [String] {
        let examples = outcome.report["examples"] as? [[String: Any]] ?? []
        let found = examples.filter { $0["kind"] as? String == "unmatched" }
        #expect((outcome.report["findings"] as? [String: Int])?["unmatched"] == found.count)
        return found.map { finding in
            ["entity", "source", "path", "reason"].map { "\(finding[$0] ?? "-")" }.joined(separator: " ")
        }
    }

    private static func items(_ ids: Range<Int>) -> String {
        #"{"data":[\#(ids.map { "{\"id\":\($0)}" }.joined(separator: ","))]}"#
    }

    // MARK: Sources that give nothing

    private static let instead = [
        (#"{"error":"quota exceeded"}"#, "the document is an object with the key `error`"),
        (#"{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6}"#, "with the keys `a`, `b`, `c`, `d`, `e` and others"),
        (#"{"data":[]}"#, "the list at `$.data` is empty"), (#"[]"#, "the document is an empty list"),
        (#"{"data":null}"#, "`$.data` is null"), (#"{"data":{}}"#, "`$.data` is an empty object"),
        (#"[{"id":1}]"#, "the document is a list"), (#"{}"#, "the document is an empty object"),
        (#"null"#, "the document is null"), (#""quota""#, "the document is a text"), ("12", "the document is a number"),
        (#"{"data":false}"#, "`$.data` is false"), (#"{"a\u001b":1}"#, #"with the key `a\u001b`"#),
        ("\u{feff} {\"error\":1}", "with the key `error`"),
    ]

    @Test(arguments: instead) func whatTheFeedHoldsInstead(_ feed: String, _ words: String) throws {
        try define()
        let outcome = try run(feed)
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("the source main (\(scratch.file("feed.json"))) gives no record: "))
        #expect(outcome.errors.contains(words), "\(outcome.errors)")
        #expect(!FileManager.default.fileExists(atPath: scratch.file("s.sqlite")))
        #expect(unmatched(outcome) == ["Item main $.data[*] records"])
    }

    /// However large: the beginning tells enough.
    /// A path takes the members of an object where a list was, or what is no object: records without identifiers.
    @Test(arguments: [
        (#"{"error":"rate limited","code":17}"#, "none of the 2 at `$[*]` has `id`; the document is an object"),
        (#"{"items":[{"id":1}],"total":1}"#, "with the keys `items`, `total`"),
        (#"[[{"id":1}]]"#, "`$[*]` is a list"), (#"["a","b"]"#, "`$[*]` is a text"),
    ])
    func whatIsNoRecordIsNamed(_ feed: String, _ words: String) throws {
        try define([("Item", #""records": "$[*]""#)])
        #expect(try run(#"[{"id":1}]"#).status == 0)
        let outcome = try run(feed)
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("gives no record: ") && outcome.errors.contains(words), "\(outcome.errors)")
        #expect((outcome.report["findings"] as? [String: Int])?["reject"] ?? 0 > 0)
        // A list of objects with another name for it is a feed, of rejects.
        #expect(try run(#"[{"ID":1}]"#).errors.contains("rejects"))
    }

    @Test func aLargeFeedIsNamed() throws {
        try define()
        let list = (0..<9000).map { #"{"id":\#($0),"name":"item"}"# }.joined(separator: ",")
        let outcome = try run(#"{"version":"\#(String(repeating: "v", count: 70000))","items":[\#(list)]}"#)
        #expect(outcome.status == 65 && outcome.errors.contains("gives no record"), "\(outcome.errors)")
        let other = try run(#"{"version":3,"items":[\#(list)]}"#)
        #expect(other.errors.contains("an object with the keys `version`, `items`"), "\(other.errors)")
    }

    @Test func anEmptySequenceIsNothing() throws {
        try define([("Item", #""records": "$""#)], sources: #""source": { "file": "feed.json", "format": "lines" }"#)
        let outcome = try run("\n \n")
        #expect(outcome.status == 65 && outcome.errors.contains("the feed is empty"), "\(outcome.errors)")
        try define(
            [("Item", #""records": "$.item""#)], sources: #""source": { "file": "feed.json", "format": "lines" }"#)
        #expect(try run("{\"a\":1}\n{\"b\":2}").errors.contains("the document is an object with the key `a`"))
    }

    /// The store is as it was, whatever is to be done with what a feed does not hold.
    @Test(arguments: ["run", "batch"]) func nothingIsDeletedForNothing(_ commit: String) throws {
        try define(
            [("Item", #""records": "$.data[*]", "absent": "delete""#)],
            settings: #""commit": "\#(commit)", "limits": { "deletes": null },"#)
        #expect(try run(NothingTests.items(0..<5)).status == 0)
        #expect(try run(#"{"data":[]}"#).status == 65)
        #expect(try Database(scratch.file("s.sqlite")).rows("SELECT count(*) FROM Item") == [["5"]])
    }

    /// Who expects nothing says so, for each entity of the source.
    @Test func nothingMayBeExpected() throws {
        try define([
            ("Item", #""records": "$.data[*]", "absent": "delete", "limits": { "records": 0, "deletes": null }"#)
        ])
        #expect(try run(NothingTests.items(0..<25)).status == 0)
        let outcome = try run(#"{"data":[]}"#)
        #expect(outcome.status == 0 && unmatched(outcome).isEmpty, "\(outcome.errors)")
        #expect(outcome.count("Item", "deleted") == 25)
        try define(settings: #""limits": { "records": null },"#)
        #expect(try run(#"{"error":1}"#).status == 0)
        try define([
            ("Item", #""records": "$.data[*]", "limits": { "records": 0 }"#), ("Other", #""records": "$.more[*]""#),
        ])
        #expect(try run(#"{"data":[],"more":[]}"#).status == 65)
    }

    /// One source of several is enough to fail.
    @Test func eachSourceMustGiveSomething() throws {
        _ = try scratch.write("other.json", #"{"message":"gone"}"#)
        try define(
            [("Item", #""source": ["a", "b"], "records": "$.data[*]""#)],
            sources: #""sources": { "a": { "file": "feed.json" }, "b": { "file": "other.json" } }"#)
        let outcome = try run(NothingTests.items(0..<3))
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("the source b") && outcome.errors.contains("the key `message`"))
        #expect(!outcome.errors.contains("the source a"))
        #expect(unmatched(outcome) == ["Item b $.data[*] records"])
    }

    /// What `where` leaves out is no record.
    @Test func whereMayLeaveNothing() throws {
        try define([
            ("Item", #""records": "$.data[*]", "where": { "kind": "x" }"#), ("All", #""records": "$.data[*]""#),
        ])
        let some = try run(NothingTests.items(0..<3))
        #expect(some.status == 0)
        #expect(unmatched(some) == ["Item main kind where"])
        try define([("Item", #""records": "$.data[*]", "where": { "kind": "x" }"#)])
        let none = try run(NothingTests.items(0..<4))
        #expect(none.status == 65)
        #expect(none.errors.contains(#"none of the 4 that its paths take has what "where" asks for"#), "\(none.errors)")
    }

    @Test func rejectsAreRecords() throws {
        try define()
        let outcome = try run(#"{"data":[{"id":"x"}]}"#)
        #expect(outcome.status == 65 && !outcome.errors.contains("gives no record"))
        #expect(unmatched(outcome).isEmpty)
    }

    /// Some records that were mended say nothing about a feed.
    @Test func rejectsMayBeReplayed() throws {
        try define(
            [("Item", #""records": "$.data[*]""#), ("Other", #""records": "$.more[*]""#)],
            settings: #""limits": { "rejects": null },"#)
        let rest = NothingTests.items(0..<30).dropLast(2)
        #expect(try run(#"\#(rest),{"id":"x"}],"more":[{"id":1}]}"#, ["--findings", scratch.file("f")]).status == 0)
        let mended = try String(contentsOfFile: scratch.file("f"), encoding: .utf8).replacing(
            #""id":"x""#, with: #""id":99"#)
        _ = try scratch.write("mended", mended)
        let outcome = try Sluice.run([
            "replay", scratch.file("p.jsonc"), "--rejects", scratch.file("mended"), "--format", "json",
        ])
        #expect(outcome.status == 0 && unmatched(outcome).isEmpty, "\(outcome.errors)\(outcome.output)")
        // Nor is what comes after it judged by it.
        #expect(try run(NothingTests.items(0..<0).replacing("]}", with: #"],"more":[{"id":1}]}"#)).status == 65)
    }

    // MARK: Paths

    /// Each path by itself, and first of all that is told.
    @Test func aPathThatTakesNothingIsTold() throws {
        try define([
            ("Item", #""records": ["$.data[*]", "$.datas[*]", "$..x"]"#), ("Other", #""records": "$.data[9]""#),
            ("Empty", #""records": "$.data[7]", "limits": { "records": 0 }"#),
        ])
        let outcome = try run(NothingTests.items(0..<3))
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(
            unmatched(outcome) == [
                "Item main $.datas[*] records", "Item main $..x records", "Other main $.data[9] records",
            ])
        let text = try Sluice.run(["run", scratch.file("p.jsonc"), "--force"])
        #expect(text.output.contains("As in run 1:\n  3 paths find nothing\n"), "\(text.output)")
        let dry = try Sluice.run(["run", scratch.file("p.jsonc"), "--store", scratch.file("other.sqlite")])
        #expect(dry.output.contains("\n\n3 paths find nothing:\n"), "\(dry.output)")
        let words = dry.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let found = "from the source main: the document is an object with the key `data`: did you mean `$.data`?"
        #expect(words.contains("$.datas[*] takes no record of Item \(found)"), "\(words)")
    }

    /// Of several sources each may have its own path.
    @Test func aPathMayBeThatOfAnotherSource() throws {
        _ = try scratch.write("other.json", #"{"list":[{"id":7}]}"#)
        try define(
            [("Item", #""source": ["a", "b"], "records": ["$.data[*]", "$.list[*]", "$.none[*]"]"#)],
            sources: #""sources": { "a": { "file": "feed.json" }, "b": { "file": "other.json" } }"#)
        let outcome = try run(NothingTests.items(0..<3))
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(unmatched(outcome) == ["Item a $.none[*] records", "Item b $.none[*] records"])
    }

    @Test func aCheckAgainstAFeedFindsItToo() throws {
        try define([("Item", #""records": "$.data[*]""#), ("Other", #""records": "$.more[*]""#)])
        _ = try scratch.write("feed.json", NothingTests.items(0..<3))
        let outcome = try Sluice.run(["check", scratch.file("p.jsonc"), "--against", scratch.file("feed.json")])
        let words = outcome.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains("$.more[*] takes no record of Other from the source main"), "\(words)")
    }

    // MARK: Fewer than before

    @Test func whatHadRecordsMustHaveSome() throws {
        try define([("Item", #""records": "$.data[*]""#), ("Other", #""records": "$.more[*]""#)])
        func feed(_ items: Int, _ more: Int) -> String {
            NothingTests.items(0..<items).dropLast()
                + #","more":[\#((0..<more).map { "{\"id\":\($0)}" }.joined(separator: ","))]}"#
        }
        #expect(try run(feed(20, 19)).status == 0)
        #expect(try run(feed(20, 0)).status == 0)
        let before = try Database(scratch.file("s.sqlite")).rows("SELECT count(*) FROM Item")
        let outcome = try run(feed(0, 5))
        #expect(outcome.status == 65)
        let exceeded = outcome.report["exceeded"] as? [[String: Any]] ?? []
        #expect(exceeded.count == 1)
        #expect(exceeded.first?["limit"] as? String == "records" && exceeded.first?["entity"] as? String == "Item")
        #expect(exceeded.first?["before"] as? Int == 20 && exceeded.first?["found"] as? Int == 0)
        #expect(try Database(scratch.file("s.sqlite")).rows("SELECT count(*) FROM Item") == before)
        // A run that failed is no measure.
        #expect(try run(feed(0, 6)).status == 65)
        // Neither for another pipeline.
        let other = try String(contentsOfFile: scratch.file("p.jsonc"), encoding: .utf8)
        _ = try scratch.write("q.jsonc", other)
        #expect(try Sluice.run(["run", scratch.file("q.jsonc")]).status == 0)
    }

    @Test(arguments: ["run", "batch"]) func aShareOfWhatCameBefore(_ commit: String) throws {
        try define(
            [("Item", #""records": "$.data[*]", "absent": "delete""#)],
            settings: #""commit": "\#(commit)", "limits": { "records": "50%", "deletes": null },"#)
        #expect(try run(NothingTests.items(0..<100)).status == 0)
        #expect(try run(NothingTests.items(0..<49)).status == 65)
        // Half a feed deletes nothing.
        #expect(try Database(scratch.file("s.sqlite")).rows("SELECT count(*) FROM Item") == [["100"]])
        #expect(try run(NothingTests.items(0..<50)).status == 0)
        #expect(try run(NothingTests.items(0..<25)).status == 0)
    }

    /// An entity that was renamed is the same.
    @Test func aRenamedEntityIsJudgedByItsOldName() throws {
        try define([("Item", #""records": "$.data[*]""#), ("Other", #""records": "$.data[0]""#)])
        #expect(try run(NothingTests.items(0..<40)).status == 0)
        try define([("Thing", #""records": "$.datas[*]", "was": "Item""#), ("Other", #""records": "$.data[0]""#)])
        let outcome = try run(NothingTests.items(0..<40))
        #expect(
            outcome.status == 65 && outcome.output.contains(#""entity": "Thing", "allowed": 1"#), "\(outcome.output)")
    }
}
