import Foundation
import StoreMirror
import TestSupport
import Testing

/// Names of users that are names by which sluice's own SQL calls something.
@Suite struct TakenNameTests {
    private let folder = TemporaryFolder()
    private let server: TestServer

    init() throws { server = try TestServer(name: "taken") }

    private func run(_ store: String, _ entity: String, _ feed: String, _ more: String...) throws -> Sluice.Outcome {
        _ = try folder.write("feed.json", feed)
        let definition = try folder.write(
            "taken.jsonc",
            #"""
            { "name": "taken", "source": { "file": "feed.json" }, "store": \#(store),
              "limits": { "deletes": null, "records": null }, "entities": {
                "\#(entity)": { "records": "$.own[*]", "identifier": "id", "absent": "delete",
                  "attributes": { "id": "integer", "value": "integer", "o": "integer" },
                  "relationships": { "tag": { "to": "Tag", "missing": "stub" } } },
                "Tag": { "identifier": "name", "attributes": { "name": "text" }, "orphans": "delete" },
                "Note": { "records": "$.notes[*]", "identifier": "id", "attributes": { "id": "integer" },
                  "relationships": { "of": { "to": "\#(entity)" } } } } }
            """#)
        return try Sluice.run(["run", definition, "--format", "json"] + more)
    }

    /// A stub to which a reference leads is no orphan; a dry run is what the run is.
    @Test(arguments: ["C", "c", "sluice", "pg_class", "pg_constraint"]) func tablesAreFound(_ entity: String) throws {
        defer { try? server.drop() }
        let own = #""own": [{ "id": 1, "value": 700, "o": 700, "tag": "red" }, { "id": 2, "tag": "blue" }]"#
        for store in [#"{ "sqlite": "\#(entity).sqlite" }"#, server.definition] {
            #expect(try run(store, entity, #"{ \#(own), "notes": [{ "id": 1, "of": 1 }] }"#).status == 0)
            let again = try run(store, entity, #"{ \#(own), "notes": [] }"#, "--force")
            #expect(again.status == 0 && again.count("Tag", "deleted") == 0, "\(store) \(again.errors)")
            let feed = #"{ "own": [{ "id": 2, "tag": "blue" }], "notes": [{ "id": 1, "of": 1 }] }"#
            let dry = try run(store, entity, feed, "--dry-run")
            let last = try run(store, entity, feed)
            for outcome in [dry, last] {
                #expect(outcome.status == 0, "\(store) \(outcome.errors)")
                #expect(outcome.count(entity, "deleted") == 1 && outcome.count("Tag", "deleted") == 1, "\(store)")
            }
        }
    }

    /// What is no name of a table or of its view is refused before anything is made.
    @Test(arguments: [
        (#""sluice""#, #""history": true,"#), (#""sqlite""#, #""views": true,"#), (#""json_each""#, ""),
        (#""pragma_table_info""#, ""),
    ]) func whatCannotBeIsRefused(_ entity: String, _ settings: String) throws {
        _ = try folder.write("feed.json", #"[{"id": 1}]"#)
        let definition = try folder.write(
            "refused.jsonc",
            #"""
            { "source": { "file": "feed.json" }, "store": { "sqlite": "refused.sqlite" }, \#(settings)
              "entities": { \#(entity): { "records": "$[*]", "identifier": "id", "attributes": { "id": "integer" } } } }
            """#)
        #expect(try Sluice.run(["check", definition]).status == 78)
        #expect(try Sluice.run(["run", definition]).status == 78)
        #expect(!folder.names.contains("refused.sqlite"))
    }

    /// Two spellings of one letter are two values, in the past as in the store.
    @Test func spellingsAreTold() throws {
        defer { try? server.drop() }
        for store in [#"{ "sqlite": "spelling.sqlite" }"#, server.definition] {
            let definition = try folder.write(
                "spelling.jsonc",
                #"""
                { "name": "spelling", "source": { "file": "feed.json" }, "store": \#(store), "history": true,
                  "limits": { "deletes": null }, "entities": {
                    "C": { "records": "$[*]", "identifier": "id", "absent": "delete",
                      "attributes": { "id": "text", "x": "text" } } } }
                """#)
            for feed in [
                #"[{"id":"c1","x":"\u00e9"},{"id":"k\u00e9","x":"old"}]"#,
                #"[{"id":"c1","x":"e\u0301"},{"id":"ke\u0301","x":"old"}]"#,
            ] {
                _ = try folder.write("feed.json", feed)
                #expect(try Sluice.run(["run", definition]).status == 0)
            }
            let diff = try Sluice.run(["diff", definition, "1", "2", "--format", "ndjson"])
            #expect(diff.output.split(separator: "\n").count == 3, "\(store) \(diff.output)")
            let history = try Sluice.run(["history", definition, "C", "c1", "--format", "json"])
            #expect(history.output.split(separator: "\n").count == 2, "\(store) \(history.output)")
        }
    }
}
