import Foundation
import StoreMirror
import Testing

/// Objects that a program has deleted wait for nothing, whatever sluice's own tables said of them.
@Suite struct GoneObjectTests {
    @Test(arguments: [false, true], [#""to": "Line""#, #""to": "Line", "many": true, "from": "line[*]""#])
    func nothingWaits(onServer: Bool, relationship: String) throws {
        let folder = TemporaryFolder()
        let server = try TestServer(name: "gone")
        defer { try? server.drop() }
        let definition = try folder.write(
            "p.jsonc",
            """
            { "source": { "file": "feed.json" }, "store": \(onServer ? server.definition : #"{ "sqlite": "s.sqlite" }"#),
              "entities": {
                "Stop": { "records": "$.stops[*]", "identifier": "id", "attributes": { "id": "text" },
                  "relationships": { "line": { \(relationship) } } },
                "Line": { "records": "$.lines[*]", "identifier": "id", "attributes": { "id": "integer" } } } }
            """)
        func rows(_ sql: String) throws -> [String] { try folder.rows(sql, on: onServer ? server : nil) }
        func run(_ command: String..., feed: String) throws -> Sluice.Outcome {
            _ = try folder.write("feed.json", feed)
            return try Sluice.run(command + [definition])
        }
        let isMany = relationship.contains("many")
        let nine = isMany ? "[9]" : "9"
        let first = #"{"stops": [{"id": "a", "line": \#(nine)}, {"id": "b", "line": \#(nine)}], "lines": [{"id": 1}]}"#
        #expect(try run("run", feed: first).status == 0)
        _ = try rows("DELETE FROM @\"Stop\" WHERE id = 'a'")
        let second = #"{"stops": [{"id": "b", "line": \#(nine)}], "lines": [{"id": 1}, {"id": 9}]}"#
        let dry = try run("run", "--dry-run", feed: second)
        let outcome = try run("run", feed: second)
        #expect(dry.status == 0 && outcome.status == 0, "\(outcome.errors)")
        #expect(try rows("SELECT entity FROM @sluice_unresolved") == [])
        let links = isMany ? "SELECT source FROM @\"Stop_line\"" : "SELECT id FROM @\"Stop\" WHERE line IS NOT NULL"
        #expect(try rows(links).count == 1)
    }
}
