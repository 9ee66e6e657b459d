import Foundation
import Testing

/// A store follows its definition, and says where it cannot.
@Suite struct GrowingStoreTests {
    private static let feed = """
        {"stops": [{"id": 1, "name": "one", "up": 2, "lines": ["a"]}, {"id": 3, "name": "three", "lines": ["b", "a"]}],
         "lines": [{"id": "a"}]}
        """

    /// `stop` and `more` are members of entities, with a comma behind each; `name` names the pipeline.
    private static func definition(
        entity: String = "Stop", stop: String = "", name: String = "\"name\": \"text\"",
        lines: String = "\"lines\": { \"to\": \"Line\", \"many\": true, \"from\": \"lines[*]\" }", settings: String = ""
    ) -> String {
        """
        {
          \(settings)
          "source": { "file": "feed.json" },
          "store": { "sqlite": "store.sqlite" },
          "entities": {
            "\(entity)": {
              \(stop)
              "records": "$.stops[*]",
              "identifier": "id",
              "attributes": { "id": "integer", \(name) },
              "relationships": {
                "up": { "to": "\(entity)", "missing": "stub" },
                \(lines)
              }
            },
            "Line": { "records": "$.lines[*]", "identifier": "id", "attributes": { "id": "text" } }
          }
        }
        """
    }

    private let folder = TemporaryFolder()
    private var store: String { folder.file("store.sqlite") }

    init() throws { _ = try folder.write("feed.json", Self.feed) }

    @discardableResult
    private func run(_ command: String, _ definition: String, _ file: String = "one.jsonc") throws -> Sluice.Outcome {
        try Sluice.run([command, folder.write(file, definition)])
    }

    private static let renamed = definition(
        entity: "Halt", stop: "\"was\": \"Stop\",",
        name: "\"title\": { \"type\": \"text\", \"from\": \"name\", \"was\": \"name\" }",
        lines:
            "\"routes\": { \"to\": \"Line\", \"many\": true, \"from\": \"lines[*]\", \"was\": [\"trams\", \"lines\"] }")

    /// With `commit: batch`, what a run has renamed stays when it fails later.
    @Test func aDefinitionIsTakenBack() throws {
        let settings = "\"commit\": \"batch\", \"batchSize\": 1,"
        let earlier = Self.definition(settings: settings)
        #expect(try run("run", earlier).status == 0)
        let renamed = Self.definition(
            name: "\"title\": { \"type\": \"text\", \"from\": \"name\", \"was\": \"name\" }", settings: settings)
        _ = try folder.write(
            "feed.json", "{\"stops\": [{\"id\": 1, \"name\": \"uno\"}, {\"id\": 3, \"name\": \"tre\"}, {")
        #expect(try run("run", renamed).status == 65)
        _ = try folder.write(
            "feed.json", "{\"stops\": [{\"id\": 1, \"name\": \"eins\"}], \"lines\": [{\"id\": \"a\"}]}")
        let refused = try run("run", earlier)
        #expect(refused.status == 78 && refused.errors.contains("Stop.name is called title"), "\(refused.errors)")
        let back = Self.definition(name: "\"name\": { \"type\": \"text\", \"was\": \"title\" }", settings: settings)
        #expect(try run("run", back).status == 0)
        let database = try Database(store)
        #expect(try database.integer("SELECT count(name) FROM Stop WHERE id IN (1, 3)") == 2)
        #expect(try database.rows("SELECT 1 FROM sluice_model WHERE description LIKE '%was%'").isEmpty)
    }

    @Test func aStoreIsRenamedAlong() throws {
        #expect(try run("run", Self.definition()).status == 0)
        let files = folder.names
        let before = try Database(store).snapshot()
        let check = try run("check", Self.renamed)
        #expect(check.status == 0, "\(check.errors)")
        #expect(try Database(store).snapshot() == before)
        #expect(folder.names == files)
        // A run that fails leaves the old names.
        _ = try folder.write("feed.json", "{\"stops\": [{\"id\": 1}, {}], \"lines\": []}")
        #expect(try run("run", Self.renamed).status == 65)
        #expect(try Database(store).snapshot() == before)
        _ = try folder.write("feed.json", Self.feed)
        let outcome = try Sluice.run(["run", folder.file("one.jsonc"), "--format", "json"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.count("Halt", "unchanged") == 2)
        let database = try Database(store)
        #expect(try database.tables() == ["Halt", "Halt_routes", "Line"])
        #expect(
            try database.rows("SELECT id, title, up FROM Halt ORDER BY id") == [
                ["1", "one", "3"], ["2", "∅", "∅"], ["3", "three", "∅"],
            ])
        #expect(try database.rows("SELECT entity, relationship FROM sluice_unresolved") == [["Halt", "routes"]])
        #expect(try database.rows("SELECT entity FROM sluice_stub") == [["Halt"]])
        let version = try database.rows("PRAGMA schema_version")
        #expect(try run("run", Self.renamed).status == 0)
        #expect(try Database(store).rows("PRAGMA schema_version") == version)
        #expect(try Database(store).isSound())
    }

    /// Found by `check` and by a run, before a feed is read, with the place in the definition.
    @Test(arguments: ["check", "run"])
    func aContradictionHasItsPlace(command: String) throws {
        #expect(try run("run", Self.definition()).status == 0)
        let (before, files) = try (Database(store).snapshot(), folder.names)
        _ = try folder.write("feed.json", "not JSON")
        let outcome = try run(command, Self.definition(name: "\"name\": \"date\""))
        #expect(outcome.status == 78)
        let message =
            "one.jsonc:10:40: the attribute Stop.name is text in the store \(store) (pipeline one), and the definition"
            + " makes it date"
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
        #expect(try Database(store).snapshot() == before)
        #expect(folder.names == files)
    }

    /// The page shows each table of sluice's own that a store's users may write to as it is.
    @Test func thePageShowsTheTruth() throws {
        #expect(try run("run", Self.definition()).status == 0)
        let page = try String(contentsOfFile: Sluice.path("Documentation/store.md"), encoding: .utf8)
        let sql = try Database(store).rows("SELECT sql FROM sqlite_schema WHERE name = 'sluice_model'")[0][0]
        #expect(page.contains("```sql\n\(sql)\n```"))
        let description = try Database(store).rows(
            "SELECT description FROM sluice_model WHERE entity = 'Stop'")[0][0]
        #expect(page.contains("```json\n\(description)\n```"), "\(description)")
        // What the page says of a pipeline with another name, and of a type that changes, works.
        let blocks = page.components(separatedBy: "```sql\n").dropFirst().map { $0.components(separatedBy: "\n```")[0] }
        let rename = try #require(blocks.first { $0.hasPrefix("UPDATE sluice_model") })
        let drop = try #require(blocks.first { $0.hasPrefix("ALTER TABLE") })
        let new = Self.definition(name: "\"name\": \"json\"")
        #expect(try run("run", new).status == 78)
        for sql in [rename, drop] { _ = try Database(store).rows(sql) }
        #expect(try Database(store).rows("SELECT DISTINCT pipeline FROM sluice_model") == [["timetable"]])
        #expect(try run("run", new, "timetable.jsonc").status == 0)
        #expect(try Database(store).rows("SELECT name FROM Stop WHERE id = 1") == [["\"one\""]])
    }

    @Test func twoPipelinesShareAStore() throws {
        #expect(try run("run", Self.definition()).status == 0)
        let other = Self.definition(name: "\"level\": { \"type\": \"integer\", \"from\": \"up\" }")
        #expect(try run("run", other, "two.jsonc").status == 0)
        let database = try Database(store)
        #expect(try database.rows("SELECT name, level FROM Stop WHERE id = 1") == [["one", "2"]])
        let rows = try database.rows("SELECT pipeline, entity, run FROM sluice_model")
        #expect(rows == [["one", "Line", "1"], ["one", "Stop", "1"], ["two", "Line", "2"], ["two", "Stop", "2"]])
        // The second pipeline renames; the first must follow.
        #expect(try run("run", Self.renamed, "two.jsonc").status == 0)
        let outcome = try run("check", Self.definition())
        #expect(outcome.status == 78)
        #expect(
            outcome.errors.contains("one.jsonc:6:5: the entity Stop is called Halt in the store"), "\(outcome.errors)")
        #expect(outcome.errors.contains("has renamed it (two)"))
        // A definition by another name is another pipeline.
        #expect(try run("run", Self.renamed, "three.jsonc").status == 0)
        #expect(try run("run", Self.renamed, "one.jsonc").status == 0)
        #expect(try Database(store).isSound())
    }
}
