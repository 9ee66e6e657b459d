import Foundation
import Testing

/// Names that differ in their bytes alone, and quotation marks that a combining mark makes another character of.
@Suite struct ExactNameTests {
    private let folder = TemporaryFolder()

    private func define(_ entities: String) throws -> String {
        try folder.write(
            "p.jsonc",
            """
            { "source": { "file": "feed.json" }, "store": { "sqlite": "s.sqlite" }, "limits": { "deletes": null },
              "entities": { \(entities) } }
            """)
    }

    private func run(_ definition: String, _ feed: String) throws {
        _ = try folder.write("feed.json", feed)
        let outcome = try Sluice.run(["run", definition])
        #expect(outcome.status == 0, "\(outcome)")
    }

    private var database: Database { get throws { try Database(folder.file("s.sqlite")) } }

    /// What waits is looked for in the table of its own entity.
    @Test func whatWaitsIsOfItsEntity() throws {
        func entity(_ name: String, _ path: String) -> String {
            """
            "\(name)": { "records": "$.\(path)[*]", "identifier": "id", "attributes": { "id": "text" },
              "relationships": { "up": { "to": "\(name)" } } }
            """
        }
        let definition = try define([entity("é", "one"), entity("e\u{301}", "two")].joined(separator: ","))
        try run(definition, #"{"one": [{"id": "x", "up": "nobody"}], "two": [{"id": "y", "up": "none"}]}"#)
        func waiting(_ words: [String]) throws -> [String] {
            let lines = try Sluice.run(["unresolved", definition, "--format", "json"] + words).output
            return try lines.split(separator: "\n").map { line in
                let row = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
                let name = try #require(row["entity"] as? String)
                return "\(name.utf8.count) \(row["identifier"] ?? "") \(row["value"] ?? "")"
            }.sorted()
        }
        #expect(try waiting([]) == ["2 x nobody", "3 y none"])
        #expect(try waiting(["--entity", "é"]) == ["2 x nobody"])
        #expect(try waiting(["--entity", "e\u{301}"]) == ["3 y none"])
        #expect(try Sluice.run(["unresolved", definition, "--entity", "e\u{302}"]).status == 64)
    }

    @Test func quotationMarksInNamesOfEntities() throws {
        let name = "T'\u{301}"
        let definition = try define(
            """
            "A": { "records": "$[*]", "identifier": "id", "attributes": { "id": "integer" },
              "relationships": { "r": { "to": ["\(name)", "B"], "entity": "k", "missing": "stub" } } },
            "\(name)": { "identifier": "id", "attributes": { "id": "text" }, "orphans": "delete" },
            "B": { "identifier": "id", "attributes": { "id": "text" }, "orphans": "delete" }
            """)
        try run(definition, "[{\"id\": 1, \"r\": \"x\", \"k\": \"\(name)\"}]")
        try run(definition, "[{\"id\": 1, \"r\": \"y\", \"k\": \"\(name)\"}]")
        #expect(try database.rows("SELECT id FROM \"\(name)\"") == [["y"]])
    }

    @Test func quotationMarksInNamesOfAttributes() throws {
        let name = "'\u{301}"
        let definition = try define(
            """
            "A": { "records": "$[*]", "identifier": "id", "edits": "keep",
              "attributes": { "id": "integer", "\(name)": "text", "é": "text", "e\u{301}": "text" } }
            """)
        let feed = "[{\"id\": 1, \"\(name)\": \"feed\", \"é\": \"one\", \"e\u{301}\": \"two\"}]"
        try run(definition, feed)
        _ = try database.rows(
            """
            CREATE TABLE sluice_edit (entity TEXT NOT NULL, objectID INTEGER NOT NULL, attribute TEXT NOT NULL, base ANY,
            imported ANY, PRIMARY KEY (entity, objectID, attribute)) STRICT, WITHOUT ROWID
            """)
        for (attribute, before) in [("''\u{301}", "feed"), ("é", "one"), ("e\u{301}", "two")] {
            _ = try database.rows("INSERT INTO sluice_edit VALUES ('A', 1, '\(attribute)', '\(before)', '\(before)')")
        }
        _ = try database.rows("UPDATE A SET \"\(name)\" = 'p', \"é\" = 'q', \"e\u{301}\" = 'r'")
        try run(definition, feed.replacing("\"two\"", with: "\"r\""))
        let values = "SELECT \"\(name)\", \"é\", \"e\u{301}\" FROM A"
        #expect(try database.rows(values) == [["p", "q", "r"]])
        // The feed says what the program says of one of them.
        #expect(try database.integer("SELECT count(*) FROM sluice_edit") == 2)
    }
}
