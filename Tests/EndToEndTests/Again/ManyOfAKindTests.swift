import Foundation
import Testing

/// What a run does some at a time is done for more than that, too: each chunk once, and none twice.
@Suite struct ManyOfAKindTests {
    private let folder = TemporaryFolder()
    private var definition: String { folder.file("items.jsonc") }
    private var database: Database { get throws { try Database(folder.file("s.sqlite")) } }

    private func define(_ settings: String, entity: String = "") throws {
        _ = try folder.write(
            "items.jsonc",
            """
            { "source": { "file": "feed.json" }, "store": { "sqlite": "s.sqlite" },\(settings)
              "entities": { "Item": { "records": "$.items[*]", "identifier": "id",\(entity)
                "attributes": { "id": "integer", "name": "text" } } } }
            """)
    }

    /// A feed of items whose names are what a function says.
    private func feed(_ count: Int, _ name: (Int) -> String) -> String {
        let items = (0..<count).map { "{\"id\": \($0), \"name\": \"\(name($0))\"}" }
        return "{\"items\": [\(items.joined(separator: ",\n"))]}"
    }

    private func run(_ text: String, _ more: String...) throws -> Sluice.Outcome {
        _ = try folder.write("feed.json", text)
        return try Sluice.run(["run", definition, "--quiet"] + more)
    }

    /// The numbers in ranges, each as `first last`.
    private func numbers(_ ranges: [[String]]) -> [Int] {
        ranges.flatMap { Array((Int($0[0]) ?? 0)...(Int($0[1]) ?? 0)) }
    }

    /// Every second object changes: no two of them are one range.
    @Test func changesInManyRanges() throws {
        try define("\"changes\": 5,")
        #expect(try run(feed(5000) { "old \($0)" }).status == 0)
        #expect(try run(feed(5000) { $0 % 2 == 0 ? "new \($0)" : "old \($0)" }).status == 0)
        let ranges = try database.rows("SELECT first, last FROM sluice_changed WHERE kind = 'updated' ORDER BY first")
        let changed = try database.rows("SELECT objectID FROM Item WHERE id % 2 = 0 ORDER BY objectID")
        #expect(ranges.count == 2500)
        #expect(numbers(ranges) == changed.compactMap { Int($0[0]) })
    }

    @Test func changesInManyRangesOnAServer() throws {
        let scene = try ServerScene("\"changes\": 5,")
        for names in [{ "old \($0)" }, { $0 % 2 == 0 ? "new \($0)" : "old \($0)" }] as [(Int) -> String] {
            _ = try scene.folder.write("feed.json", feed(5000, names))
            #expect(try scene.run().status == 0)
        }
        let missing = try scene.sql(
            """
            SELECT count(*) FROM @."Item" t FULL JOIN (
              SELECT generate_series(first, last) AS number FROM @.sluice_changed WHERE kind = 'updated'
            ) c ON c.number = t."objectID" WHERE (t.id % 2 = 0) <> (c.number IS NOT NULL)
            """)
        #expect(missing == "0")
        #expect(try scene.sql("SELECT count(*) FROM @.sluice_changed WHERE kind = 'updated'") == "2500")
    }

    /// More edits that contradict the feed than are looked at together: each is a finding, once.
    @Test func manyConflicts() throws {
        let count = 17_000
        try define("\"limits\": { \"rejects\": null },", entity: "\"edits\": \"keep\",")
        #expect(try run(feed(count) { "old \($0)" }).status == 0)
        try database.execute(
            """
            CREATE TABLE sluice_edit (entity TEXT NOT NULL, objectID INTEGER NOT NULL, attribute TEXT NOT NULL, base ANY,
            imported ANY, PRIMARY KEY (entity, objectID, attribute)) STRICT, WITHOUT ROWID;
            INSERT INTO sluice_edit SELECT 'Item', objectID, 'name', name, NULL FROM Item;
            UPDATE Item SET name = 'own ' || id
            """)
        let findings = folder.file("findings")
        let outcome = try run(feed(count) { "new \($0)" }, "--findings", findings)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let lines = try String(contentsOfFile: findings, encoding: .utf8).split(separator: "\n")
        let told = try lines.map { line in
            try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        .filter { $0["kind"] as? String == "conflict" }
        #expect(told.count == count)
        #expect(Set(told.compactMap { $0["identifier"] as? Int }).count == count)
        #expect(try database.integer("SELECT count(*) FROM Item WHERE name LIKE 'own %'") == count)
    }

    /// More links than are inserted by a statement, to targets of one entity and of several, with what links have of
    /// their own: both stores hold what the feed says.
    @Test(arguments: ["\"Item\"", "[\"Item\", \"Other\"]"])
    func manyLinks(_ targets: String) throws {
        let relationships = """
            , "relationships": { "next": { "to": \(targets), "from": "next[*].id", "many": true, \
            "with": { "weight": { "type": "integer", "from": "weight" } } } }
            """
        let records = (0..<900).map { number in
            let next = (1...3).map { "{\"id\": \((number + $0) % 900), \"weight\": \(number * $0)}" }
            return "{\"id\": \(number), \"next\": [\(next.joined(separator: ", "))]}"
        }
        let feed = "{\"items\": [\(records.joined(separator: ",\n"))], \"others\": [{\"id\": -1}]}"
        let expected = (0..<900).flatMap { number in
            (1...3).map { "\(number) \($0) \((number + $0) % 900) \(number * $0)" }
        }
        let query = """
            SELECT s.id || ' ' || (l.position + 1) || ' ' || t.id || ' ' || l.weight FROM $_next l
            JOIN $ s ON s.# = l.source JOIN $ t ON t.# = l.target ORDER BY s.id, l.position
            """
        let other =
            ", \"Other\": { \"records\": \"$.others[*]\", \"identifier\": \"id\", \"attributes\": { \"id\": \"integer\" } }"
        let scene = try ServerScene()
        let cluster = scene.cluster
        let stores = [
            "{ \"sqlite\": \"s.sqlite\" }",
            "{ \"postgresql\": { \"database\": \"\(cluster.uri)\", \"schema\": \"\(scene.schema)\" } }",
        ]
        for store in stores {
            _ = try folder.write(
                "items.jsonc",
                """
                { "source": { "file": "feed.json" }, "store": \(store),
                  "entities": { "Item": { "records": "$.items[*]", "identifier": "id",
                    "attributes": { "id": "integer" }\(relationships) }\(other) } }
                """)
            let outcome = try run(feed)
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        let own = query.replacing("$", with: "Item").replacing("#", with: "objectID")
        #expect(try database.rows(own).map { $0[0] } == expected)
        let theirs = query.replacing("$_next", with: "@.\"Item_next\"").replacing("$", with: "@.\"Item\"")
        #expect(
            try scene.sql(theirs.replacing("#", with: "\"objectID\"")).split(separator: "\n").map(String.init)
                == expected)
    }
}
