import StoreMirror
import TestSupport
import Testing

/// Tables that others have made in an SQLite store, and that refer to its objects: as on a server, nothing of theirs
/// goes without their having said so.
@Suite struct StrangersTablesTests {
    private static let smaller = "{\"items\": [{\"id\": 1, \"name\": \"one\"}, {\"id\": 3, \"parent\": 9}]}"

    private func scene() throws -> Scene {
        try Scene(.existing, settings: "\"limits\": { \"deletes\": null },")
    }

    /// Another definition of the same pipeline, which deletes what is absent.
    private func run(_ scene: Scene, _ more: [String] = []) throws -> Sluice.Outcome {
        let text = try scene.folder.write("feed.json", StrangersTablesTests.smaller)
        let definition = Scene.definition(settings: "\"name\": \"items\", \"limits\": { \"deletes\": null },")
            .replacing("\"identifier\": \"id\",", with: "\"identifier\": \"id\", \"absent\": \"delete\",")
        let pipeline = try scene.folder.write("smaller.jsonc", definition)
        return try Sluice.run(["run", pipeline, "--quiet", "--feed", text] + more)
    }

    @Test(arguments: [
        "a INTEGER NOT NULL REFERENCES Item (objectID)", "a INTEGER REFERENCES Item ON DELETE RESTRICT",
        "a INTEGER REFERENCES item (id)", "a INTEGER REFERENCES Item (id) ON DELETE SET DEFAULT",
        "a INTEGER, objectID INTEGER PRIMARY KEY, FOREIGN KEY (a) REFERENCES Item (id)",
    ])
    func foreignKeysOfOthersRefuse(_ column: String) throws {
        let scene = try scene()
        let database = try Database(scene.store)
        _ = try database.rows("CREATE TABLE favourite (\(column))")
        _ = try database.rows("INSERT INTO favourite (a) SELECT objectID FROM Item WHERE id IN (1, 2)")
        for more in [["--dry-run"], []] {
            let outcome = try run(scene, more)
            #expect(outcome.status == 78, "\(more): \(outcome.errors)")
            #expect(
                outcome.errors.contains("the foreign key of favourite.a does not let the store"), "\(outcome.errors)")
        }
        #expect(try database.rows("SELECT count(a) FROM favourite") == [["2"]])
        #expect(try database.rows("SELECT count(*) FROM Item") == [["3"]])
        _ = try database.rows("DELETE FROM favourite WHERE a = 2")
        #expect(try run(scene).status == 0)
        #expect(try database.rows("SELECT count(*) FROM Item") == [["2"]])
    }

    @Test func foreignKeysOfOthersAct() throws {
        let scene = try scene()
        let database = try Database(scene.store)
        for (table, action) in [("cascading", "CASCADE"), ("nullified", "SET NULL")] {
            _ = try database.rows("CREATE TABLE \(table) (note, a INTEGER REFERENCES Item (id) ON DELETE \(action))")
            _ = try database.rows("INSERT INTO \(table) SELECT name, id FROM Item WHERE id IN (1, 2)")
        }
        #expect(try run(scene).status == 0)
        #expect(try database.rows("SELECT note, a FROM cascading") == [["one", "1"]])
        #expect(try database.rows("SELECT note, a FROM nullified ORDER BY note") == [["one", "1"], ["two", "∅"]])
    }

    /// Somebody drops a table, to have it filled anew: what still refers to its objects would lead to others.
    @Test(arguments: [false, true]) func aDroppedTableIsMissed(onServer: Bool) throws {
        let folder = TemporaryFolder()
        let server = onServer ? try TestServer(name: "dropped") : nil
        defer { try? server?.drop() }
        let store = server?.definition ?? #"{ "sqlite": "s.sqlite" }"#
        func define(
            _ note: String = #""note": "text""#, a: String = #""A": {"#, m: String = #""m": {"#
        ) throws -> String {
            try folder.write(
                "p.jsonc",
                """
                { "source": { "file": "feed.json" }, "store": \(store), "entities": {
                  \(a) "records": "$.a[*]", "identifier": "id", "attributes": { "id": "text" },
                    "relationships": { \(m) "to": "B", "many": true, "from": "m[*]" } } },
                  "B": { "records": "$.b[*]", "identifier": "id", "attributes": { "id": "text" },
                    "relationships": { "a": { "to": ["\(a.split(separator: "\"")[0])", "C"] } } },
                  "C": { "records": "$.c[*]", "identifier": "id", "attributes": { "id": "text", \(note) } } } }
                """)
        }
        let pipeline = try define()
        _ = try folder.write(
            "feed.json",
            #"{ "a": [{ "id": "a1", "m": ["b1"] }], "b": [{ "id": "b1", "a": "a1" }], "c": [{ "id": "c1" }] }"#)
        #expect(try Sluice.run(["run", pipeline, "--quiet"]).status == 0)
        func sql(_ text: String) throws {
            if let server {
                _ = try server.rows(text)
                return
            }
            _ = try Database(folder.file("s.sqlite")).rows(text.replacing("@", with: ""))
        }
        // Nobody refers to it: it is filled anew.
        try sql(#"DROP TABLE @"C""# + (onServer ? " CASCADE" : ""))
        #expect(try Sluice.run(["run", pipeline, "--force", "--quiet"]).status == 0)
        try sql(#"DROP TABLE @"A""# + (onServer ? " CASCADE" : ""))
        for definition in [
            { try define() }, { try define(#""remark": { "type": "text", "from": "note", "was": "note" }"#) },
            { try define(m: #""many": { "was": "m","#) },
        ] as [() throws -> String] {
            _ = try definition()
            for command in ["check", "run"] {
                let outcome = try Sluice.run([command, pipeline])
                let text = (outcome.errors + outcome.output).replacing(/\n +/, with: " ")
                let told = "the store has lost the table A of A, and A_m, B.a still have objectIDs of its objects"
                #expect(outcome.status == 78 && text.contains(told), "\(command) \(text)")
            }
        }
        _ = try define()
        try sql(#"DELETE FROM @"A_m""#)
        try sql(#"UPDATE @"B" SET a = NULL, a_entity = NULL"#)
        #expect(try Sluice.run(["run", pipeline, "--force", "--quiet"]).status == 0)
    }

    /// A column that takes texts for equal that are not finds wrong objects.
    @Test func collationsOfIdentifiers() throws {
        let folder = TemporaryFolder()
        let store = folder.file("store.sqlite")
        let pipeline = try folder.write(
            "items.jsonc",
            """
            { "source": { "file": "feed.json" }, "store": { "sqlite": "store.sqlite" },
              "entities": { "Item": { "records": "$[*]", "identifier": "id", "attributes": { "id": "text" } } } }
            """)
        _ = try folder.write("feed.json", "[{\"id\": \"a\"}]")
        #expect(try Sluice.run(["run", pipeline, "--quiet"]).status == 0)
        let database = try Database(store)
        _ = try database.rows("DROP TABLE Item")
        _ = try database.rows(
            "CREATE TABLE Item (objectID INTEGER PRIMARY KEY, id TEXT COLLATE NOCASE NOT NULL) STRICT")
        _ = try database.rows("CREATE UNIQUE INDEX ids ON Item (id)")
        for command in ["check", "run"] {
            let outcome = try Sluice.run([command, pipeline])
            let text = (outcome.errors + outcome.output).replacing(/\n +/, with: " ")
            #expect(outcome.status == 78 && text.contains("has the column id with the collation NOCASE"), "\(text)")
        }
    }
}
