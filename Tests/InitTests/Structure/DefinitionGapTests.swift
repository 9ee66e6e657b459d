import Testing

@testable import Sluice
@testable import SluiceDefinition
@testable import SluiceInit

/// What `init --add` shows of what a definition lacks.
@Suite struct DefinitionGapTests {
    private func lacking(_ feed: String, in entities: String) throws -> String? {
        let folder = FeedFolder()
        try folder.write("feed.json", feed)
        let text = """
            { "source": { "file": "feed.json" }, "store": { "sqlite": "s.sqlite" }, "entities": { \(entities) } }
            """
        let definition = try PipelineDefinition.read(
            Array(text.utf8), file: folder.file("p.jsonc"), environment: [:], checks: .all)
        return try InitRun([folder.file("feed.json")], output: nil).compare(with: definition).text
    }

    /// Records in two places that are one entity of the definition are shown as one.
    @Test func anEntityIsShownOnce() throws {
        let homes = list(20) { #"{"id": \#(5000 + $0), "name": "h\#($0)", "city": "c\#($0 % 3)"}"# }
        let aways = list(20) { #"{"id": \#(9000 + $0), "name": "w\#($0)", "zip": "z\#($0)"}"# }
        let text = try #require(
            try lacking(
                #"{"homes": \#(homes), "aways": \#(aways)}"#,
                in: """
                    "Place": { "records": ["$.homes[*]", "$.aways[*]"], "identifier": "id",
                      "attributes": { "id": "integer" } }
                    """))
        #expect(text.ranges(of: #""Place": {"#).count == 1 && text.ranges(of: #""name""#).count == 1, "\(text)")
        #expect(text.contains(#""city": "text""#) && text.contains(#""zip": "text""#), "\(text)")
    }

    /// What the definition takes from around its records, or of the same ones, it has; and a name that it has taken is
    /// no other attribute's.
    @Test func pathsAreComparedWhereverTheyStart() throws {
        let orders = list(20) { row in
            let lines = (0..<3).map { #"{"id": \#(row * 10 + $0), "v": "x\#($0)"}"# }.joined(separator: ", ")
            return #"{"id": \#(700 + row), "ref": {"no": "r\#(row)"}, "part": "p\#(row)", "lines": [\#(lines)]}"#
        }
        let text = try #require(
            try lacking(
                #"{"orders": \#(orders)}"#,
                in: """
                    "Order": { "records": "$.orders[*]", "identifier": "id",
                      "attributes": { "id": "integer", "part": { "type": "text", "from": "none" } } },
                    "Line": { "records": "$.orders[*].lines[*]", "identifier": "id",
                      "attributes": { "id": "integer", "no": { "type": "text", "from": "^^.ref.no" } },
                      "relationships": { "order": { "to": "Order", "from": "^^.id" } } }
                    """))
        #expect(!text.contains("ref.no") && !text.contains(#""order""#), "\(text)")
        #expect(text.contains(#""v": "text""#), "\(text)")
        #expect(text.contains(#""from": "part""#) && !text.contains(#""part": "#), "\(text)")
    }
}
