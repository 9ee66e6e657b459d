import Foundation
import Testing

/// An index that somebody has dropped is there again after the next run, which says in its plan that it adds it.
@Suite struct LostIndexTests {
    private let folder = TemporaryFolder()

    private func define(_ store: String) throws -> String {
        _ = try folder.write("feed.json", #"{"items": [{"id": 1, "next": [2, 3]}, {"id": 2, "next": [1]}, {"id": 3}]}"#)
        return try folder.write(
            "items.jsonc",
            """
            { "source": { "file": "feed.json" }, "store": \(store),
              "entities": { "Item": { "records": "$.items[*]", "identifier": "id", "attributes": { "id": "integer" },
                "relationships": { "next": { "to": "Item", "many": true, "from": "next[*]" } } } } }
            """)
    }

    @Test func ofLinks() throws {
        let definition = try define(#"{ "sqlite": "s.sqlite" }"#)
        #expect(try Sluice.run(["run", definition]).status == 0)
        let indexes =
            "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'Item_next' AND sql IS NOT NULL"
        let before = try Database(folder.file("s.sqlite")).rows(indexes)
        #expect(before.count == 1)
        try Database(folder.file("s.sqlite")).execute("DROP INDEX \"\(before[0][0])\"")
        let plan = try Sluice.run(["check", definition])
        #expect(plan.output.contains("an index on Item_next(target) is added"), "\(plan)")
        #expect(try Sluice.run(["run", definition, "--force"]).status == 0)
        #expect(try Database(folder.file("s.sqlite")).rows(indexes) == before)
    }

    @Test func ofLinksOnAServer() throws {
        let scene = try ServerScene()
        let definition = try define(
            "{ \"postgresql\": { \"database\": \"\(scene.cluster.uri)\", \"schema\": \"\(scene.schema)\" } }")
        #expect(try Sluice.run(["run", definition]).status == 0)
        let indexes = """
            SELECT indexname FROM pg_indexes WHERE schemaname = '\(scene.schema)' AND tablename = 'Item_next'
            AND indexdef LIKE '%(target)%'
            """
        let name = try scene.sql(indexes)
        try #require(!name.isEmpty && !name.contains("\n"))
        _ = try scene.sql("DROP INDEX @.\"\(name)\"")
        #expect(try Sluice.run(["run", definition, "--force"]).status == 0)
        #expect(try scene.sql(indexes) == name)
    }
}
