import Foundation
import Testing

/// Items that move from one list of a feed to another, their bytes as they were.
@Suite struct OtherListTests {
    private static func feed(night: Int, moved: Int) -> String {
        let items = (0..<60).map { "{\"id\": \($0), \"title\": \"issue \($0)\"}" }
        let (open, closed) = (items.prefix(30 - moved), items.dropFirst(30 - moved))
        let lists = [("open", open), ("closed", closed)].map { "\"\($0)\": [\($1.joined(separator: ", "))]" }
        return "{\"night\": \(night), \(lists.joined(separator: ", "))}"
    }

    @Test(arguments: ["$.NAME[*]", "$.NAME.*"]) func theyAreOtherRecords(records: String) throws {
        func entity(_ name: String, _ list: String) -> String {
            """
            "\(name)": { "records": "\(records.replacing("NAME", with: list))", "identifier": "id", "absent": "delete",
              "attributes": { "id": "integer", "title": "text" } }
            """
        }
        let scene = try LanguageScene(
            "{ \(entity("Open", "open")), \(entity("Closed", "closed")) }", #""limits": { "deletes": null }"#)
        func night(_ night: Int, moved: Int) throws {
            let feed = OtherListTests.feed(night: night, moved: moved)
            var text = feed
            if records.hasSuffix(".*") {
                text = feed.replacing("[", with: "{").replacing("]", with: "}").replacing(/\{"id": (\d+)/) {
                    "\"k\($0.1)\": \($0.0)"
                }
            }
            try scene.write("feed.json", text)
            let outcome = try Sluice.run(["run", scene.file("p.jsonc"), "--quiet"])
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        for number in 1...2 { try night(number, moved: 0) }
        try night(3, moved: 5)
        #expect(try scene.lines("SELECT count(*) FROM Open") == ["25"])
        #expect(try scene.lines("SELECT count(*) FROM Closed") == ["35"])
    }
}
