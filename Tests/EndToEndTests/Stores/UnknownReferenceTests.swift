import Foundation
import StoreMirror
import Testing

/// What refers to objects by relationships that a definition does not know, as it has lost them, or another pipeline
/// has them, refers to nothing when the objects go: their objectIDs are given to others later.
@Suite struct UnknownReferenceTests {
    private static let relationships = """
        , "relationships": {
            "one": { "to": "A" }, "either": { "to": ["A", "B"], "from": "e.id", "entity": "e.kind" },
            "many": { "to": "A", "many": true, "from": "many[*]" },
            "several": { "to": ["A", "B"], "many": true, "from": "s[*].id", "entity": "s[*].kind" } }
        """

    private let folder = TemporaryFolder()

    private func write(_ name: String, _ store: String, _ feed: String, _ relationships: String?) throws -> String {
        _ = try folder.write("\(name).json", feed)
        let entity = relationships.map { more in
            """
            , "C": { "records": "$.C[*]", "identifier": "id", "attributes": { "id": "integer" }\(more) },
            "B": { "records": "$.B[*]", "identifier": "id", "attributes": { "id": "integer" } }
            """
        }
        return try folder.write(
            "\(name).jsonc",
            """
            { "source": { "file": "\(name).json" }, "store": \(store), "limits": { "records": 0, "missing": null, "deletes": null },
              "entities": { "A": { "records": "$.A[*]", "identifier": "id", "attributes": { "id": "integer" },
                "deleteWhere": { "gone": true } }\(entity ?? "") } }
            """)
    }

    private static let first = """
        { "A": [{ "id": 1 }, { "id": 3 }],
          "C": [{ "id": 1, "one": 3, "e": { "kind": "A", "id": 3 }, "many": [3, 1],
                  "s": [{ "kind": "A", "id": 3 }, { "kind": "A", "id": 1 }] }] }
        """

    @Test(arguments: ["file", "server", "server without keys"], [false, true])
    func becomeNull(_ kind: String, ofAnotherPipeline: Bool) throws {
        let server = try TestServer(name: "unknown")
        defer { try? server.drop() }
        let keys = server.definition.replacing(/\}\s*\}\s*$/, with: ", \"foreignKeys\": false } }")
        let store = kind == "file" ? #"{ "sqlite": "s.sqlite" }"# : kind == "server" ? server.definition : keys
        func rows(_ sql: String) throws -> [String] { try folder.rows(sql, on: kind == "file" ? nil : server) }
        func run(_ definition: String) throws {
            let outcome = try Sluice.run(["run", definition, "--quiet"])
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        try run(write("one", store, Self.first, Self.relationships))
        let other = ofAnotherPipeline ? "two" : "one"
        let more = ofAnotherPipeline ? nil : ""
        try run(write(other, store, #"{ "A": [{ "id": 3, "gone": true }] }"#, more))
        #expect(
            try rows("SELECT coalesce(one, 0), coalesce(either, 0), coalesce(either_entity, '') FROM @\"C\"") == [
                "0\t0\t"
            ])
        for links in ["many", "several"] {
            let found = try rows("SELECT a.id FROM @\"C_\(links)\" l LEFT JOIN @\"A\" a ON a.\"objectID\" = l.target")
            #expect(found == ["1"], "\(links)")
        }
        // A new object may have the objectID of the one that went.
        try run(write(other, store, #"{ "A": [{ "id": 99 }] }"#, more))
        try run(write("one", store, "{}", Self.relationships))
        #expect(try rows("SELECT a.id FROM @\"C\" c JOIN @\"A\" a ON a.\"objectID\" IN (c.one, c.either)") == [])
    }
}
