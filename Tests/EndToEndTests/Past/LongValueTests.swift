import Foundation
import Testing

/// Long values leave the table of `sluice history` one table.
@Suite struct LongValueTests {
    private static let text =
        "Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt"

    private func shown(_ names: String..., attribute: String = "name") throws -> (lines: [String], json: String) {
        let scene = try Scene(.new, settings: #""history": true,"#)
        let text = try String(contentsOfFile: scene.definition, encoding: .utf8)
        _ = try scene.folder.write(
            "items.jsonc",
            text.replacing(#""name": "text""#, with: "\"\(attribute)\": { \"type\": \"text\", \"from\": \"name\" }"))
        for name in names {
            _ = try scene.folder.write("feed.json", #"{"items": [{"id": 1, "name": "\#(name)"}]}"#)
            #expect(try scene.run().status == 0)
        }
        let lines = try Sluice.run(["history", scene.definition, "Item", "1"]).output.split(separator: "\n").map(
            String.init)
        #expect(lines.filter { $0.contains("When (UTC)") }.count == 1, "\(lines)")
        #expect(lines.allSatisfy { $0.count <= 80 || $0.contains(" at /") }, "\(lines)")
        return (lines, try Sluice.run(["history", scene.definition, "Item", "1", "--format", "json"]).output)
    }

    @Test func aLongValueIsCut() throws {
        let (lines, json) = try shown("short", LongValueTests.text)
        let changed = try #require(lines.first { $0.contains("name") })
        #expect(changed.contains(#""short"  "Lorem ipsum dolor"#) && changed.hasSuffix("…"), "\(changed)")
        // Where the record stands is below it.
        #expect(lines[2].contains("  at /") && lines[2].contains("/feed.json:1:"), "\(lines)")
        #expect(json.contains(LongValueTests.text))
    }

    /// Both would be seen alike otherwise.
    @Test func longValuesAreShownWhereTheyDiffer() throws {
        let (lines, _) = try shown(LongValueTests.text + " ut labore", LongValueTests.text + " et dolore")
        let changed = try #require(lines.first { $0.contains("name") && $0.contains("…") })
        #expect(changed.contains(" ut ") && changed.contains(" et "), "\(changed)")
        #expect(changed.contains("  …"), "\(changed)")
    }

    @Test func aLongNameIsCut() throws {
        let name = String(repeating: "name_", count: 30)
        let (lines, _) = try shown("short", LongValueTests.text, attribute: name)
        #expect(lines.contains { $0.contains("name_name_na…") || $0.contains("name_name_name_") }, "\(lines)")
    }

    /// Nothing is cut that fits.
    @Test func shortValuesAreWhole() throws {
        let (lines, _) = try shown("one", "two")
        #expect(
            lines.contains { $0.contains(#"name     "one"  "two"  feed.json:1:12"#) || $0.contains(#""one"  "two""#) })
        #expect(!lines.contains { $0.contains("…") })
    }
}
