import Foundation
import Testing

/// Values around the records, as a pipeline uses them.
@Suite struct EnclosingValuesTests {
    private let scratch = TemporaryFolder()

    private func run(
        _ entities: String, _ feed: String, _ more: String..., environment: [String: String] = [:]
    ) throws -> Sluice.Outcome {
        let feed = try scratch.write("feed.json", feed)
        let definition = try scratch.write(
            "pipeline.jsonc",
            """
            { "source": { "file": "\(feed)" }, "store": { "sqlite": "store.sqlite" }, "entities": { \(entities) } }
            """)
        return try Sluice.run(["run", definition, "--format", "json"] + more, environment: environment)
    }

    private func contents() throws -> [String: [[String]]] { try Database(scratch.file("store.sqlite")).contents() }

    /// The feed and the entities that the page about paths shows.
    @Test func theExampleOfThePage() throws {
        let page = try String(contentsOfFile: Sluice.path("Documentation/paths.md"), encoding: .utf8)
        let parts = page.components(separatedBy: "```json\n")[1].components(separatedBy: "```")
        let outcome = try run(parts[2].replacing("jsonc\n// entities\n", with: ""), parts[0])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let contents = try contents()
        #expect(contents["Departure"] == [["Mitte", "0", "8"]])
        #expect(contents["Region"] == [["DE", "∅"], ["DE-BB", "DE"], ["DE-BB-P", "DE-BB"], ["DE-BE", "DE"]])
    }

    /// Rejects carry what their entity uses of the values around them, however late they are found out.
    @Test(arguments: ["1", "2", "5000"]) func rejectsHaveTheirContext(batchSize: String) throws {
        let item = """
            "Item": {
              "records": "$.groups[*].items[*]", "identifier": "id", "duplicates": "reject",
              "attributes": {
                "id": "integer", "size": "integer", "group": { "type": "text", "from": "$.groups[*].name" },
                "version": { "type": "integer", "from": "$.version" }
              },
              "relationships": { "of": { "to": "Item", "missing": "reject" } }
            }
            """
        let feed = """
            {"groups": [{"items": [{"id": 1, "size": "x"}, {"id": 2}], "name": "A"},
              {"name": "B", "items": [{"id": 3, "of": 9}, {"id": 2}]}], "version": 7}
            """
        let findings = scratch.file("findings.ndjson")
        _ = try run(item, feed, "--batch-size", batchSize, "--findings", findings)
        let lines = try String(contentsOfFile: findings, encoding: .utf8).split(separator: "\n")
        let contexts = lines.filter { $0.contains("\"reject\"") }.compactMap {
            $0.components(separatedBy: "\"context\": ").last
        }
        #expect(
            contexts.sorted() == [
                #"{ "$.groups[*].name": "A", "$.version": 7 } }"#, #"{ "$.groups[*].name": "B", "$.version": 7 } }"#,
                #"{ "$.groups[*].name": "B", "$.version": 7 } }"#,
            ])
    }

    private static let items = """
        "Item": {
          "records": "$.groups[*].items[*]", "where": { "^^.kind": ["a", "b"] }, "identifier": "id",
          "attributes": {
            "id": "integer", "group": { "type": "text", "from": "$.groups[*].name" },
            "meta": { "type": "json", "from": "$.meta" }, "date": { "type": "date", "from": "$.meta.date" }
          },
          "relationships": {
            "first": { "to": "Item", "from": "$.groups[*].first" },
            "others": { "to": "Item", "many": true, "from": "^^.items[*].id" }
          }
        }
        """

    /// Conditions and relationships use them too, with any size of a batch.
    @Test(arguments: ["1", "2", "5000"]) func whichKeysComeFirstMakesNoDifference(batchSize: String) throws {
        let items = #""items": [{"id": 1}, {"id": 2}]"#
        let group = [#""name": "G""#, #""kind": "b""#, #""first": 2"#]
        let meta = #""meta": {"date": "2026-11-20", "x": [ 1 ]}"#
        let other = #"{"items": [{"id": 3}], "kind": "c"}"#
        for position in 0...3 {
            var members = group
            members.insert(items, at: position)
            let groups = #""groups": [{\#(members.joined(separator: ", "))}, \#(other)]"#
            let feed = position % 2 == 0 ? "{\(groups), \(meta)}" : "{\(meta), \(groups)}"
            let outcome = try run(Self.items, feed, "--batch-size", batchSize)
            #expect(outcome.status == 0, "\(outcome.errors)")
            let json = #"{"date":"2026-11-20","x":[1]}"#
            #expect(
                try contents()["Item"] == [["1", "G", json, "2026-11-20", "2"], ["2", "G", json, "2026-11-20", "2"]])
            #expect(try contents()["Item_others"]?.count == 4)
            try scratch.remove("store.sqlite")
        }
    }

    @Test func withoutATemporaryFolderThereIsAReason() throws {
        let feed = #"{"groups": [{"items": [{"id": 1}, {"id": 2}, {"id": 3}], "kind": "a"}]}"#
        let before = scratch.names
        let outcome = try run(Self.items, feed, "--batch-size", "1", environment: ["TMPDIR": scratch.file("none")])
        #expect(outcome.status == 73)
        #expect(outcome.errors.contains("a temporary file in \(scratch.file("none")) cannot be created"))
        #expect(scratch.names.filter { !["feed.json", "pipeline.jsonc"].contains($0) } == before)
    }

    @Test func anObjectIsNoDate() throws {
        let feed = #"{"meta": {"date": {}}, "groups": [{"kind": "a", "items": [{"id": 1}]}]}"#
        let outcome = try run(Self.items, feed)
        #expect(outcome.status == 65)
        #expect(outcome.count("Item", "rejected") == 1)
        #expect(outcome.output.contains("found an object"))
    }
}
