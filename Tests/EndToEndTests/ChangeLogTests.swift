import Foundation
import Testing

/// What the store keeps of the objects that runs have changed, against the objects that are there.
@Suite struct ChangeLogTests {
    /// References to objects that never come are promised numbers between those of the others.
    private static let feed = """
        {"items": [{"id": 1, "parent": 90}, {"id": 2, "parent": 1}, {"id": 3, "parent": 91}, {"id": 4}, {"id": 5, "parent": 4},
        {"id": 6, "parent": 92}, {"id": 7, "parent": 6}]}
        """

    /// The numbers that ranges name.
    private func named(_ ranges: [String]) -> [Int] {
        ranges.flatMap { range in
            let bounds = range.split(separator: " ").compactMap { Int($0) }
            return Array(bounds[0]...bounds[1])
        }
    }

    @Test func objectsThatNeverWereAreNotNamed() throws {
        let folder = TemporaryFolder()
        let definition = try folder.write(
            "p.jsonc",
            """
            { "source": { "file": "feed.json" }, "store": { "sqlite": "s.sqlite" }, "changes": 5, "batchSize": 1,
              "entities": { "Item": { "records": "$.items[*]", "identifier": "id", "attributes": { "id": "integer" },
                "relationships": { "parent": { "to": "Item" } } } } }
            """)
        _ = try folder.write("feed.json", ChangeLogTests.feed)
        #expect(try Sluice.run(["run", definition]).status == 0)
        let database = try Database(folder.file("s.sqlite"))
        let ranges = try database.rows("SELECT first, last FROM sluice_changed WHERE kind = 'created' ORDER BY first")
        let there = try database.rows("SELECT objectID FROM Item ORDER BY 1").compactMap { Int($0[0]) }
        #expect(named(ranges.map { $0.joined(separator: " ") }) == there)
        // Otherwise nothing is tried here.
        #expect(there.last ?? 0 > there.count)
    }

    @Test func norOnAServer() throws {
        let scene = try ServerScene("\"changes\": 5, \"batchSize\": 1,")
        _ = try scene.folder.write("feed.json", ChangeLogTests.feed)
        #expect(try scene.run().status == 0)
        let ranges = try scene.sql(
            "SELECT first || ' ' || last FROM @.sluice_changed WHERE kind = 'created' ORDER BY first")
        let there = try scene.sql("SELECT \"objectID\" FROM @.\"Item\" ORDER BY 1")
        #expect(named(ranges.split(separator: "\n").map(String.init)) == there.split(separator: "\n").map { Int($0) })
    }
}
