import Foundation
import TestSupport
import Testing

/// Feeds that are no JSON, or ask for too much: exit status 65, the place and what was expected, and nothing is
/// changed.
@Suite struct BadFeedTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        /// What follows the beginning of `Scene`, on line 2.
        var text: [UInt8]
        /// Line and column.
        var place: String
        var message: String
        var testDescription: String { name }

        init(_ name: String, _ text: String, _ place: String, _ message: String) {
            self.init(name, Array(text.utf8), place, message)
        }

        init(_ name: String, _ text: [UInt8], _ place: String, _ message: String) {
            (self.name, self.text, self.place, self.message) = (name, text, place, message)
        }
    }

    static let cases = [
        Case("comma at the end", "{\"id\": 8,}]}", "2:10", "a key in quotation marks was expected"),
        Case("no colon", "{\"id\" 8}]}", "2:7", "a colon was expected"),
        Case("no comma", "{\"id\": 8} {\"id\": 9}]}", "2:11", "a comma or `]` was expected"),
        Case("wrong bracket", "{\"id\": 8]}", "2:9", "a comma or `}` was expected"),
        Case("leading zero", "{\"id\": 08}]}", "2:9", "a comma or `}` was expected"),
        Case("bare word", "{\"id\": NaN}]}", "2:8", "`N` is not JSON: a value"),
        Case("single quotes", "{\"id\": 'a'}]}", "2:8", "`'` is not JSON: a value"),
        Case("unknown escape", "{\"name\": \"\\x\"}]}", "2:12", "no escape that JSON knows"),
        Case("line break", "{\"name\": \"a\nb\"}]}", "2:12", "a line break must be escaped in a string"),
        Case("cut off", "{\"id\": 8", "2:9", "the feed ends before"),
        Case("form feed", "\u{0C}{\"id\": 8}]}", "2:1", "a form feed is no white space in JSON"),
        Case("vertical tab", "{\"id\":\u{0B}8}]}", "2:7", "a vertical tab is no white space in JSON"),
        Case("byte that begins nothing", Array("{\"name\": \"a".utf8) + [0xff], "2:12", "0xff"),
        Case("surrogate in UTF-8", Array("{\"name\": \"".utf8) + [0xed, 0xa0, 0x80], "2:11", "UTF-8"),
        Case("overlong character", Array("{\"name\": \"".utf8) + [0xc0, 0xaf], "2:11", "UTF-8"),
        Case("second document", "{\"id\": 8}]}\n{}", "3:1", "\"format\": \"lines\""),
        Case("something behind", "{\"id\": 8}]}]", "2:12", "nothing but white space"),
        Case("too deep", String(repeating: "[", count: 1100), "2:1023", "maxDepth"),
    ]

    @Test(arguments: cases, StoreState.allCases)
    func isRefusedWithItsPlace(bad: Case, state: StoreState) throws {
        let scene = try Scene(state)
        _ = try scene.folder.write("feed.json", Data(Array(Scene.beginning.utf8) + bad.text))
        try scene.fails(65, ["sluice: \(scene.feed):\(bad.place): ", bad.message])
    }

    @Test(arguments: ["", " \n\t "], StoreState.allCases)
    func anEmptyFeedIsNoDocument(text: String, state: StoreState) throws {
        let scene = try Scene(state)
        _ = try scene.folder.write("feed.json", text)
        try scene.fails(65, [text.isEmpty ? ":1:1: " : ":2:3: ", "the feed is empty"])
    }

    /// For who says that it may be.
    @Test func anEmptySequenceIsAFeed() throws {
        let scene = try Scene(
            .new, settings: #""limits": { "records": 0 },"#, source: ", \"format\": \"lines\"")
        _ = try scene.folder.write("feed.json", "")
        #expect(try scene.run().status == 0)
        _ = try scene.folder.write("items.jsonc", Scene.definition(source: ", \"format\": \"lines\""))
        #expect(try scene.run().status == 65)
    }

    @Test(arguments: StoreState.allCases)
    func aTextBeyondItsLimitIsRefused(state: StoreState) throws {
        let scene = try Scene(state, source: ", \"maxText\": 100")
        let text = "{\"name\": \"\(String(repeating: "x", count: 101))\"}]}"
        _ = try scene.folder.write("feed.json", Scene.beginning + text)
        try scene.fails(65, ["\(scene.feed):2:10: ", "100", "maxText"])
    }

    @Test func theDepthIsSetInTheDefinition() throws {
        let scene = try Scene(.new, source: ", \"maxDepth\": 3")
        _ = try scene.folder.write("feed.json", Scene.beginning + "{\"id\": [[0]]}]}")
        try scene.fails(65, ["\(scene.feed):2:8: ", "more than 3 arrays and objects"])
    }

    /// A sample that is cut anywhere is refused at its end.
    @Test(arguments: 0..<12)
    func aFeedThatIsCutIsRefused(seed: Int) throws {
        var random = SeededRandom(seed)
        let scene = try Scene(.new)
        let sample = try Data(contentsOf: URL(fileURLWithPath: BerlinTransitTests.sample))
        let end = sample.lastIndex(of: UInt8(ascii: "}")) ?? 0
        let length = Int.random(in: 1..<end, using: &random)
        _ = try scene.folder.write("cut.json", sample.prefix(length))
        let files = scene.folder.names
        let outcome = try Sluice.run([
            "run", Sluice.path("Pipelines/berlin-transit.jsonc"), "--feed", scene.folder.file("cut.json"),
            "--store", scene.store, "--batch-size", "10",
        ])
        #expect(outcome.status == 65)
        let lines = sample.prefix(length).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        // A character that is cut is met where it begins.
        let column = (lines.last?.count ?? 0) + 1
        let places = (0..<4).map { "cut.json:\(lines.count):\(column - $0): " }
        #expect(places.contains { outcome.errors.contains($0) }, "\(outcome.errors), expected \(places[0])")
        #expect(scene.folder.names == files)
    }
}
