import Foundation
import Testing

/// What `sluice unresolved` lists of a long waiting list, in both stores.
@Suite struct UnresolvedTests {
    /// What waits longest comes first: by run, source, file and place; those of no place before the others.
    private static let order = """
        run, source NULLS FIRST, file NULLS FIRST, "offset" NULLS FIRST, entity, "objectID", relationship, position
        """

    /// Entries of objects that are not there, those of an entity, and of a relationship, that the definition does not
    /// have among them.
    private static let entries = """
        SELECT CASE WHEN i % 10 = 0 THEN 'Gone' ELSE 'Item' END, CASE WHEN i % 30 = 1 THEN 'gone' ELSE 'parent' END, 100 + (i * 7919) % 400, i,
        CAST(500 + i % 7 AS TEXT), NULL, 1 + (i * 31) % 3,
        CASE WHEN i % 5 > 0 THEN 0 END, CASE WHEN i % 5 > 0 THEN 0 END, i, i, 1,
        CASE WHEN i % 5 > 0 THEN (i * 17) % 50 END, '$.items[0]', NULL
        """
    private static let known = "entity = 'Item' AND relationship = 'parent'"
    private static let columns = """
        entity, relationship, "objectID", position, value, target, run, source, file, record, line, "column", "offset",
        path, keys
        """

    /// - Parameter sql: what a statement gives, a row a line.
    private func check(_ run: ([String]) throws -> Sluice.Outcome, _ sql: (String) throws -> [String]) throws {
        let all = try run(["--format", "json"]).output.split(separator: "\n").map(String.init)
        let expected = try sql(
            "SELECT run, \"value\" FROM sluice_unresolved WHERE \(UnresolvedTests.known) ORDER BY \(UnresolvedTests.order)"
        )
        let listed = try all.map { line -> String in
            let row = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            #expect(row["entity"] as? String == "Item")
            return "\(row["run"] ?? "") \(row["value"] ?? "")"
        }
        #expect(listed == expected && listed.count > 250)
        for rows in [1, 7, 200] {
            let some = try run(["--format", "json", "--rows", String(rows)]).output.split(separator: "\n")
            #expect(some.map(String.init) == Array(all.prefix(rows)))
        }
        let text = try run([]).output
        #expect(text.hasSuffix("… and \(all.count - 100) more\n"), "\(text.suffix(100))")
        #expect(text.matches(of: /(?m)^ +\d+ .* Item \d+/).count == 100)
        #expect(try !run(["--rows", String(all.count)]).output.contains("more"))
        #expect(try run(["--entity", "Item", "--relationship", "parent", "--rows", "2"]).output.contains("more"))
        let targets = try run(["--by-target", "--format", "json"]).output.split(separator: "\n")
        let groups = try sql(
            "SELECT \"value\", count(*) FROM sluice_unresolved WHERE \(UnresolvedTests.known) GROUP BY \"value\"")
        #expect(targets.count == groups.count)
    }

    /// Loads items into a file; returns where they are, and their definition.
    private func load(_ relationships: String, _ feed: String) throws -> (folder: TemporaryFolder, definition: String) {
        let folder = TemporaryFolder()
        let definition = try folder.write(
            "p.jsonc",
            """
            { "source": { "file": "feed.json" }, "store": { "sqlite": "s.sqlite" },
              "entities": { "Item": { "records": "$[*]", "identifier": "id", "attributes": { "id": "integer" },
                "relationships": { \(relationships) } } } }
            """)
        _ = try folder.write("feed.json", feed)
        #expect(try Sluice.run(["run", definition]).status == 0)
        return (folder, definition)
    }

    @Test func inAFile() throws {
        let (folder, definition) = try load(#""parent": { "to": "Item" }"#, #"[{"id": 1, "parent": 9}]"#)
        let database = try Database(folder.file("s.sqlite"))
        _ = try database.rows(
            """
            WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
            INSERT INTO sluice_unresolved (\(UnresolvedTests.columns)) \(UnresolvedTests.entries) FROM n
            """)
        try check {
            try Sluice.run(["unresolved", definition] + $0)
        } _: { sql in
            try database.rows(sql).map { $0.joined(separator: " ") }
        }
    }

    /// Of two relationships, those of one: the list, what is left out of it, and the targets.
    @Test func oneRelationshipIsListedAlone() throws {
        let (folder, definition) = try load(
            #""parent": { "to": "Item" }, "twin": { "to": "Item" }"#,
            #"[{"id": 1, "parent": 7, "twin": 8}, {"id": 2, "twin": 9}]"#)
        defer { withExtendedLifetime(folder) {} }
        func values(_ words: String...) throws -> [String] {
            let output = try Sluice.run(["unresolved", definition, "--format", "json"] + words).output
            return output.split(separator: "\n").compactMap { $0.firstMatch(of: /"value": (\d)/).map { String($0.1) } }
                .sorted()
        }
        #expect(try values() == ["7", "8", "9"])
        #expect(try values("--relationship", "twin") == ["8", "9"])
        #expect(try values("--relationship", "parent") == ["7"])
        #expect(try values("--by-target", "--relationship", "parent") == ["7"])
        let text = try Sluice.run(["unresolved", definition, "--relationship", "twin", "--rows", "1"]).output
        #expect(text.hasSuffix("… and 1 more\n"), "\(text)")
    }

    /// What waits is one line each for a program that searches it, however long the names are.
    @Test func aReferenceIsOneLine() throws {
        let (folder, definition) = try load(
            #""a_relationship_of_a_long_name": { "to": "Item", "from": "p" }"#,
            #"[{"id": 123456789012, "p": 234567890123}]"#)
        defer { withExtendedLifetime(folder) {} }
        for words in [[], ["--by-target"]] {
            let lines = try Sluice.run(["unresolved", definition] + words).output.split(separator: "\n")
            #expect(lines.count == 2, "\(lines)")
            #expect(lines.last?.contains(/a_relationship_of_a_long_name .*234567890123/) == true, "\(lines)")
        }
    }

    @Test func onAServer() throws {
        let scene = try ServerScene()
        #expect(try scene.run().status == 0)
        _ = try scene.sql(
            """
            INSERT INTO @.sluice_unresolved (\(UnresolvedTests.columns)) \(UnresolvedTests.entries)
            FROM generate_series(1, 300) n(i)
            """)
        try check {
            try Sluice.run(["unresolved", scene.definition] + $0)
        } _: { sql in
            try scene.sql(sql.replacing("sluice_", with: "@.sluice_")).split(separator: "\n")
                .map { String($0.replacing("\t", with: " ")) }
        }
    }
}
