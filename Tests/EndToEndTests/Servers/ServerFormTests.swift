import Foundation
import StoreMirror
import TestSupport
import Testing

@testable import Sluice

/// Values on a server take another form as those of SQLite do: identifiers, what waits for them, columns with an index.
@Suite struct ServerFormTests {
    private let folder = TemporaryFolder()
    private let server: TestServer

    private static let feed = FormChangeTests.feed
    private static let first = (FormChangeTests.first, "text")
    private static let second = (
        #""id": "text", "at": "datetime", "price": { "type": "decimal", "scale": 2, "as": "integer" }, "count": { "type": "integer", "index": true }"#,
        "integer"
    )

    init() throws {
        server = try TestServer(name: "forms")
        _ = try folder.write("feed.json", Self.feed)
    }

    private func define(_ store: String, _ forms: (attributes: String, group: String)) throws -> String {
        try folder.write(
            "items.jsonc",
            """
            { "name": "items", "source": { "file": "feed.json" }, "store": \(store), "entities": {
              "Item": {
                "records": "$.items[*]", "identifier": ["id", "at"],
                "attributes": { \(forms.attributes) },
                "relationships": {
                  "next": { "to": "Item", "identifier": ["next", "nextAt"] },
                  "of": { "to": ["Group", "Tag"], "from": "of" },
                  "groups": { "to": "Group", "many": true, "from": "groups[*]" }
                } },
              "Group": { "records": "$.groups[*]", "identifier": "code", "attributes": { "code": "\(forms.group)" } },
              "Tag": { "records": "$.tags[*]", "identifier": "code", "attributes": { "code": "text" } } } }
            """)
    }

    private func run(_ store: String, _ forms: (String, String), _ more: String...) throws -> Sluice.Outcome {
        try Sluice.run(["run", define(store, forms), "--format", "json", "--force"] + more)
    }

    @Test func typesChange() throws {
        defer { try? server.drop() }
        let file = #"{ "sqlite": "store.sqlite" }"#
        for store in [file, server.definition] { #expect(try run(store, Self.first).status == 0) }
        let check = try Sluice.run(["check", define(server.definition, Self.second)])
        #expect(
            check.status == 0 && check.output.contains("Item.price was decimal and becomes decimal"), "\(check.output)")
        let dry = try run(server.definition, Self.second, "--dry-run")
        for outcome in try [run(file, Self.second), run(server.definition, Self.second), dry] {
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.count("Item", "unchanged") == 3 && outcome.count("Group", "unchanged") == 2)
        }
        let model = try PipelineDefinition.read(file: define(file, Self.second), environment: [:]).model
        let mirror = folder.file("mirror.sqlite")
        try StoreMirror(server, model).write(to: mirror)
        let (here, there) = try (Database(folder.file("store.sqlite")), Database(mirror))
        #expect(try here.contents() == there.contents())
        let waiting =
            "SELECT entity, relationship, position, value, target, keys FROM sluice_unresolved ORDER BY 1, 2, objectID, 3"
        #expect(try here.rows(waiting) == there.rows(waiting))
        #expect(try here.rows(waiting).count > 2)
        // What waited is found by its identifier in the new form, and what was indexed still is.
        _ = try folder.write(
            "feed.json",
            #"{"items": [{"id": "9", "at": "2026-01-01T00:00:00.25Z"}], "groups": [{"code": 9}], "tags": []}"#)
        #expect(try run(server.definition, Self.second).status == 0)
        let next =
            "SELECT n.id, g.code FROM @\"Item\" t JOIN @\"Item\" n ON n.\"objectID\" = t.next JOIN @\"Group\" g ON"
            + " g.\"objectID\" = t.of AND t.of_entity = 'Group' WHERE t.id = '2'"
        #expect(try server.rows(next) == ["9\t9"])
        let indexes =
            "SELECT count(*) FROM pg_indexes WHERE schemaname = '\(server.location.schema)' AND tablename = 'Item'"
        #expect(
            try server.rows(indexes + " AND (indexdef LIKE '%(count)' OR indexdef LIKE 'CREATE UNIQUE%(id, at)')") == [
                "2"
            ])
    }

    @Test func aValueThatDoesNotFitIsNamed() throws {
        defer { try? server.drop() }
        _ = try folder.write("feed.json", Self.feed.replacing("\"7\", \"next\": 9", with: "\"7a\", \"next\": 9"))
        #expect(try run(server.definition, Self.first).status == 0)
        let before = try server.rows("SELECT * FROM @\"Item\" ORDER BY id")
        let other = (
            Self.first.0.replacing(#""count": { "type": "text""#, with: #""count": { "type": "integer""#), "text"
        )
        for command in ["check", "run"] {
            let outcome = try Sluice.run([command, define(server.definition, other)])
            #expect(outcome.status == 78)
            let message = "the value \"7a\", of the object with the objectID 2, does not fit"
            #expect(
                (outcome.errors + outcome.output).replacing(/\n +/, with: " ").contains(message), "\(outcome.errors)")
        }
        // A time that the server cannot hold, and one that has more digits than are to be left.
        let times = (Self.first.0.replacing(#""fraction": 1"#, with: #""fraction": 0"#), "text")
        let outcome = try run(server.definition, times)
        #expect(outcome.status == 78 && outcome.errors.contains("with \"fraction\": 1 it would"), "\(outcome.errors)")
        #expect(try server.rows("SELECT * FROM @\"Item\" ORDER BY id") == before)
    }

    @Test func whatIsMadeOverATableMustGoFirst() throws {
        defer { try? server.drop() }
        #expect(try run(server.definition, Self.first).status == 0)
        _ = try server.rows("CREATE VIEW @mine AS SELECT count FROM @\"Item\"")
        let refused = try run(server.definition, Self.second)
        #expect(refused.status == 78 && refused.errors.contains("something is made over it"), "\(refused.errors)")
        #expect(try server.rows("SELECT count(*) FROM @mine") == ["3"])
        _ = try server.rows("DROP VIEW @mine")
        #expect(try run(server.definition, Self.second).status == 0)
    }
}
