import Foundation
import Testing

/// Entities without `records`, whose objects belong to programs.
@Suite struct ProgramsEntityTests {
    private let folder = TemporaryFolder()
    private var store: String { folder.file("store.sqlite") }

    private func define(_ attributes: String = "", stop: String = "", note: String = "") throws -> String {
        try folder.write(
            "notes.jsonc",
            """
            {
              "source": { "file": "feed.json" }, "store": { "sqlite": "store.sqlite" }, "limits": { "deletes": null },
              "entities": {
                "Note": {
                  "identifier": "id", "attributes": { "id": "text", "text": "text"\(attributes) },
                  "relationships": { "stop": { "to": "Stop" }, "others": { "to": "Stop", "many": true } }\(note)
                },
                "Stop": {
                  "records": "$[*]", "identifier": "id", "absent": "delete", "attributes": { "id": "integer" }\(stop)
                }
              }
            }
            """)
    }

    private func run(_ feed: String, _ definition: String) throws -> Sluice.Outcome {
        _ = try folder.write("feed.json", feed)
        let outcome = try Sluice.run(["run", definition])
        #expect(outcome.status == 0, "\(outcome)")
        return outcome
    }

    private func write(_ sql: String) throws { _ = try Database(store).rows(sql) }

    /// Runs make the table, and whatever they do to others, its rows stay; but no reference leads to nothing.
    @Test func runsLeaveRowsAlone() throws {
        let definition = try define()
        #expect(!(try run(#"[{"id":1},{"id":2},{"id":3}]"#, definition)).output.contains("Note"))
        try write("INSERT INTO Note (id, text, stop) VALUES ('a', 'one', 1), ('b', 'two', 2)")
        try write("INSERT INTO Note_others (source, target, position) VALUES (1, 2, 0), (1, 3, 1)")
        let rows = "SELECT n.id, n.text, s.id FROM Note n LEFT JOIN Stop s ON s.objectID = n.stop ORDER BY 1"
        let links = "SELECT s.id FROM Note_others l JOIN Stop s ON s.objectID = l.target ORDER BY l.position"
        _ = try run(#"[{"id":1},{"id":3}]"#, definition)
        #expect(try Database(store).rows(rows) == [["a", "one", "1"], ["b", "two", "∅"]])
        #expect(try Database(store).rows(links) == [["3"]])
        let back = try run(#"[{"id":1},{"id":2},{"id":3}]"#, definition)
        #expect(!back.output.contains("Note"), "\(back.output)")
        #expect(try Database(store).rows(rows) == [["a", "one", "1"], ["b", "two", "2"]])
        #expect(try Database(store).rows(links) == [["2"], ["3"]])
        #expect(try Database(store).isSound())
    }

    /// A reference that became null with its target waits for it, but what a program has chosen since stays; so does
    /// what it has put at the place of a link, or taken away.
    @Test func choicesStay() throws {
        let definition = try folder.write(
            "notes.jsonc",
            """
            {
              "source": { "file": "feed.json" }, "store": { "sqlite": "store.sqlite" }, "limits": { "deletes": null },
              "entities": {
                "Note": {
                  "identifier": "id", "attributes": { "id": "text" },
                  "relationships": { "stop": { "to": "Stop" }, "others": { "to": "Stop", "many": true } }
                },
                "Stop": {
                  "records": "$[*]", "identifier": "id", "absent": "delete", "attributes": { "id": "integer" }
                }
              }
            }
            """)
        let whole = #"[{"id":1},{"id":2},{"id":3}]"#
        _ = try run(whole, definition)
        try write("INSERT INTO Note (id, stop) VALUES ('chosen', 2), ('gone', 2), ('null', 2)")
        try write("INSERT INTO Note_others VALUES (1, 2, 0), (2, 2, 0), (3, 1, 0), (3, 2, 1)")
        _ = try run(#"[{"id":1},{"id":3}]"#, definition)
        try write("UPDATE Note SET stop = 1 WHERE id = 'chosen'")
        try write("DELETE FROM Note WHERE id = 'gone'")
        _ = try run(whole, definition)
        let rows = "SELECT n.id, s.id FROM Note n LEFT JOIN Stop s ON s.objectID = n.stop ORDER BY 1"
        #expect(try Database(store).rows(rows) == [["chosen", "1"], ["null", "2"]])
        let links = """
            SELECT n.id, s.id FROM Note_others l JOIN Stop s ON s.objectID = l.target JOIN Note n ON n.objectID = l.source
            ORDER BY l.source, l.position
            """
        #expect(try Database(store).rows(links) == [["chosen", "2"], ["null", "1"], ["null", "2"]])
        #expect(try Database(store).integer("SELECT count(*) FROM sluice_unresolved") == 0)
        #expect(try Database(store).isSound())
    }

    /// Where a pipeline has the entity, and keeps edits, what a program has created is the program's until a feed holds
    /// it; the references of all else are the feed's.
    @Test func choicesOfCreatedObjectsStay() throws {
        let definition = try folder.write(
            "notes.jsonc",
            """
            {
              "source": { "file": "feed.json" }, "store": { "sqlite": "store.sqlite" }, "limits": { "deletes": null },
              "entities": {
                "Note": {
                  "records": "$.notes[*]", "identifier": "id", "edits": "keep", "attributes": { "id": "text" },
                  "relationships": { "stop": { "to": "Stop" } }
                },
                "Stop": {
                  "records": "$.stops[*]", "identifier": "id", "absent": "delete", "attributes": { "id": "integer" }
                }
              }
            }
            """)
        _ = try run(#"{"stops":[{"id":1},{"id":2}],"notes":[{"id":"fed","stop":2}]}"#, definition)
        try write("INSERT INTO Note (id, stop) VALUES ('made', 2)")
        try write(
            """
            CREATE TABLE sluice_edit (entity TEXT NOT NULL, objectID INTEGER NOT NULL, attribute TEXT NOT NULL, base ANY,
            imported ANY, PRIMARY KEY (entity, objectID, attribute)) STRICT, WITHOUT ROWID
            """)
        try write("INSERT INTO sluice_edit (entity, objectID, attribute) VALUES ('Note', 2, 'objectID')")
        _ = try run(#"{"stops":[{"id":1}],"notes":[]}"#, definition)
        try write("UPDATE Note SET stop = 1")
        _ = try run(#"{"stops":[{"id":1},{"id":2}],"notes":[]}"#, definition)
        let rows = "SELECT n.id, s.id FROM Note n LEFT JOIN Stop s ON s.objectID = n.stop ORDER BY 1"
        #expect(try Database(store).rows(rows) == [["fed", "2"], ["made", "1"]])
    }

    /// What programs have written is absent from every feed: no run takes the entity over while it is there.
    @Test func noFeedFillsThem() throws {
        _ = try run(#"[{"id":1}]"#, try define())
        func filled(_ keys: String) throws -> String {
            try folder.write(
                "notes.jsonc",
                """
                { "source": { "file": "feed.json" }, "store": { "sqlite": "store.sqlite" }, "limits": { "deletes": null },
                  "entities": { "Note": { "records": "$[*]", "identifier": "id",\(keys) "attributes": { "id": "text" } } } }
                """)
        }
        try write("INSERT INTO Note (id) VALUES ('of a program')")
        for keys in [#" "absent": "delete","#, #" "absent": "mark","#, ""] {
            let definition = try filled(keys)
            for command in ["check", "run"] {
                let refused = try Sluice.run([command, definition])
                #expect(refused.status == 78, "\(refused)")
                #expect(
                    (refused.output + refused.errors).contains("the entity Note belongs to programs in the store"),
                    "\(refused)")
            }
        }
        // Left out of the definition for a time, it is theirs all the same.
        _ = try run(
            "[]",
            try folder.write(
                "notes.jsonc",
                """
                { "source": { "file": "feed.json" }, "store": { "sqlite": "store.sqlite" }, "limits": { "records": 0 },
                  "entities": { "Other": { "records": "$[*]", "identifier": "id", "attributes": { "id": "text" } } } }
                """))
        #expect(try Sluice.run(["run", try filled(#" "absent": "delete","#)]).status == 78)
        #expect(try Database(store).rows("SELECT id FROM Note") == [["of a program"]])
        try write("DELETE FROM Note")
        _ = try run(#"[{"id":"1"}]"#, try filled(#" "absent": "delete","#))
        #expect(try Database(store).rows("SELECT id FROM Note") == [["1"]])
    }

    /// A definition that has lost the `records` of an entity leaves nothing to programs, and needs nothing but the
    /// line: its objects are those of the feed until somebody says otherwise.
    @Test func recordsAreLost() throws {
        func definition(_ records: String) throws -> String {
            try folder.write(
                "notes.jsonc",
                """
                { "source": { "file": "feed.json" }, "store": { "sqlite": "store.sqlite" }, "entities": {
                    "Stop": { "records": "$[*]", "identifier": "id", "attributes": { "id": "integer" } },
                    "Note": { \(records) "identifier": "id", "attributes": { "id": "text" } } } }
                """)
        }
        let records = #""records": "$[*]","#
        _ = try run(#"[{"id":1}]"#, try definition(records))
        for command in ["check", "run"] {
            let refused = try Sluice.run([command, try definition("")])
            #expect(refused.status == 78)
            #expect(
                (refused.output + refused.errors).replacing(/\n +/, with: " ").contains(
                    "the entity Note has objects of a feed in the store \(store) (pipeline notes)"), "\(refused)")
        }
        #expect(try Sluice.run(["run", try definition(records)]).status == 0)
        try write("DELETE FROM sluice_model WHERE pipeline = 'notes' AND entity = 'Note'")
        _ = try run(#"[{"id":2}]"#, try definition(""))
        #expect(try Database(store).rows("SELECT id FROM Note") == [["1"]])
    }

    /// A reference to one of several entities waits for the object that it led to, and for no other of that name.
    @Test func referencesToSeveralEntities() throws {
        let definition = try folder.write(
            "notes.jsonc",
            """
            {
              "source": { "file": "feed.json" }, "store": { "sqlite": "store.sqlite" }, "limits": { "deletes": null },
              "entities": {
                "Note": {
                  "identifier": "id", "attributes": { "id": "text" },
                  "relationships": { "any": { "to": ["Stop", "Line"] }, "all": { "to": ["Stop", "Line"], "many": true } }
                },
                "Stop": {
                  "records": "$.stops[*]", "identifier": "id", "absent": "delete", "attributes": { "id": "integer" }
                },
                "Line": { "records": "$.lines[*]", "identifier": "id", "attributes": { "id": "text" } }
              }
            }
            """)
        let whole = #"{"stops":[{"id":1},{"id":2}],"lines":[{"id":"1"}]}"#
        _ = try run(whole, definition)
        try write("INSERT INTO Note (id, \"any\", any_entity) VALUES ('a', 1, 'Stop')")
        try write("INSERT INTO Note_all (source, target, target_entity, position) VALUES (1, 1, 'Stop', 0)")
        let rows = "SELECT any_entity, \"any\" IS NULL, (SELECT count(*) FROM Note_all) FROM Note"
        _ = try run(#"{"stops":[{"id":2}],"lines":[{"id":"1"}]}"#, definition)
        #expect(try Database(store).rows(rows) == [["∅", "1", "0"]])
        _ = try run(whole, definition)
        #expect(try Database(store).rows(rows) == [["Stop", "0", "1"]])
    }

    /// A definition that has grown extends the table.
    @Test func tablesGrow() throws {
        _ = try run("[]", try define(stop: #", "limits": { "records": 0 }"#))
        try write("INSERT INTO Note (id, text) VALUES ('a', 'one')")
        let grown = try define(
            #", "stars": { "type": "integer", "index": true }"#, stop: #", "limits": { "records": 0 }"#)
        _ = try run("[]", grown)
        #expect(try Database(store).rows("SELECT id, text, stars FROM Note") == [["a", "one", "∅"]])
        #expect(try Database(store).integer("SELECT count(*) FROM sqlite_schema WHERE name = 'Note(stars)'") == 1)
    }

    /// No seed has anything of it, and building one has nothing to say of it.
    @Test func seedsAreWithoutThem() throws {
        let definition = try define()
        _ = try run(#"[{"id":1}]"#, definition)
        try write("INSERT INTO Note (id, text, stop) VALUES ('a', 'what nobody else reads', 1)")
        let outcome = try Sluice.run(["seed", "build", definition, "--output", folder.file("seeds")])
        #expect(outcome.status == 0 && outcome.output.hasPrefix("notes 1: 1 objects"), "\(outcome)")
        #expect(!outcome.errors.contains("Note"), "\(outcome.errors)")
        let place = folder.file("app.sqlite")
        let manifest = folder.file("seeds/notes.seed.json")
        let install = try Sluice.run(["seed", "install", manifest, "--store", place, "--requires", definition])
        #expect(install.status == 0, "\(install)")
        let bytes = try Data(contentsOf: URL(filePath: place))
        #expect(bytes.range(of: Data("what nobody".utf8)) == nil)
        #expect(bytes.range(of: Data("Note".utf8)) == nil)
        #expect(!(try String(contentsOfFile: manifest, encoding: .utf8)).contains("Note"))
    }

    /// What belongs to programs in one pipeline, no other fills.
    @Test func twoPipelines() throws {
        _ = try run(#"[{"id":1}]"#, try define())
        let other = try folder.write(
            "other.jsonc",
            """
            { "source": { "file": "feed.json" }, "store": { "sqlite": "store.sqlite" },
              "entities": { "Note": { "records": "$[*]", "identifier": "id", "attributes": { "id": "text" } } } }
            """)
        let outcome = try Sluice.run(["run", other])
        #expect(outcome.status == 78)
        #expect(
            (outcome.errors + outcome.output).replacing(/\n +/, with: " ").contains(
                "the entity Note belongs to programs in the store \(store) (pipeline notes), and the definition fills it"
            ),
            "\(outcome)")
    }

    // MARK: Without a source

    private func alone() throws -> String {
        try folder.write(
            "users.jsonc",
            """
            {
              "store": { "sqlite": "store.sqlite" },
              "entities": {
                "Visit": {
                  "identifier": ["country", "day"], "attributes": { "day": "date" },
                  "relationships": {
                    "country": { "to": "Country", "across": true, "identifier": { "code": "text" } },
                    "region": { "to": "Region", "across": true, "identifier": { "country": "text", "number": "integer" } }
                  }
                }
              }
            }
            """)
    }

    /// A run makes the store, and that is all; again and again, whatever programs have written.
    @Test func aRunMakesTheStore() throws {
        let definition = try alone()
        #expect(try Sluice.run(["check", definition]).status == 0)
        let dry = try Sluice.run(["run", "--dry-run", definition])
        #expect(dry.status == 0 && folder.names == ["users.jsonc"], "\(dry)")
        for number in 1...2 {
            let outcome = try Sluice.run(["run", definition])
            #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
            let lines = outcome.output.split(separator: "\n")
            #expect(lines.count == 2 && lines[0].hasPrefix("users: succeeded (run \(number), "), "\(outcome.output)")
            try write("INSERT INTO Visit (country, day, region_number) VALUES ('FR', '2026-11-2\(number)', 7)")
        }
        let json = try Sluice.run(["run", definition, "--format", "json"])
        #expect(json.output.contains(#""sources": {}"#) && json.output.contains(#""entities": {}"#), "\(json)")
        #expect(try Database(store).integer("SELECT count(*) FROM Visit") == 2)
        let preview = try Sluice.run(["preview", definition])
        #expect(preview.output == "Visit\n  no records: its objects belong to programs\n", "\(preview)")
        let runs = try Sluice.run(["runs", definition])
        #expect(runs.status == 0 && runs.output.contains("succeeded"), "\(runs)")
    }

    /// What names a feed is refused.
    @Test(arguments: [["run", "--feed", "x.json"], ["replay", "--feed", "x.json"], ["preview", "--feed", "x.json"]])
    func thereIsNoFeed(_ command: [String]) throws {
        let outcome = try Sluice.run([command[0], try alone()] + command.dropFirst())
        #expect([64, 66].contains(outcome.status), "\(outcome)")
    }

    /// The columns of references into another store: typed, indexed, without foreign keys.
    @Test func references() throws {
        #expect(try Sluice.run(["run", try alone()]).status == 0)
        let database = try Database(store)
        #expect(
            try database.rows("SELECT name, type FROM pragma_table_info('Visit')") == [
                ["objectID", "INTEGER"], ["day", "TEXT"], ["country", "TEXT"], ["region_country", "TEXT"],
                ["region_number", "INTEGER"],
            ])
        #expect(try database.rows("SELECT * FROM pragma_foreign_key_list('Visit')").isEmpty)
        #expect(
            try database.rows("SELECT name FROM pragma_index_list('Visit') ORDER BY 1") == [
                ["Visit(country, day)"], ["Visit(region_country)"], ["Visit(region_number)"],
            ])
    }
}
