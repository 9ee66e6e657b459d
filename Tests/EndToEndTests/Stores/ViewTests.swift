import Foundation
import Testing

/// Views with what identifies things in place of objectIDs, and in step with the definition.
@Suite struct ViewTests {
    private let folder = TemporaryFolder()
    private var store: String { folder.file("store.sqlite") }

    private static let feed = #"""
        {"items": [
          {"id": 1, "at": "2026-01-01T00:00:00Z", "note": "x", "next": 2, "nextAt": "2026-01-01T00:00:00.5Z", "group": 7,
           "of": "a'b", "groups": [8, 7], "any": [7, "a'b"],
           "items": [{"id": 2, "at": "2026-01-01T00:00:00.5Z"}, {"id": 1, "at": "2026-01-01T00:00:00Z"}]},
          {"id": 2, "at": "2026-01-01T00:00:00.5Z", "of": 8, "file": "YWI="}],
         "groups": [{"code": 7}, {"code": 8}], "tags": [{"code": "a'b"}], "files": [{"hash": "YWI="}]}
        """#

    private static let relationships = #"""
        "next": { "to": "Item", "identifier": ["next", "nextAt"] }, "group": { "to": "Group" },
        "of": { "to": ["Group", "Tag"], "from": "of" }, "groups": { "to": "Group", "many": true, "from": "groups[*]" },
        "any": { "to": ["Tag", "Group"], "many": true, "from": "any[*]" },
        "items": { "to": "Item", "many": true, "identifier": ["items[*].id", "items[*].at"] },
        "file": { "to": "File" }, "files": { "to": ["File", "Group"], "many": true, "from": "file" }
        """#

    private func define(
        _ settings: String = #""views": true,"#, attributes: String = "", item: String = #""Item": {"#,
        name: String = "items", relationships: String = Self.relationships
    ) throws {
        _ = try folder.write(
            "\(name).jsonc",
            """
            { "source": { "file": "feed.json" }, "store": { "sqlite": "store.sqlite" }, \(settings) "entities": {
              \(item)
                "records": "$.items[*]", "identifier": ["id", "at"],
                "attributes": { "id": "integer", "at": { "type": "datetime", "fraction": 1 }\(attributes) },
                "relationships": { \(relationships) } },
              "Group": { "records": "$.groups[*]", "identifier": "code", "attributes": { "code": "integer" } },
              "Tag": { "records": "$.tags[*]", "identifier": "code", "absent": "mark", "attributes": { "code": "text" } },
              "File": { "records": "$.files[*]", "identifier": "hash", "attributes": { "hash": "bytes" } } } }
            """)
    }

    init() throws { _ = try folder.write("feed.json", Self.feed) }

    private func run(_ name: String = "items") throws {
        let outcome = try Sluice.run(["run", folder.file("\(name).jsonc"), "--quiet", "--force"])
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    private func views() throws -> [String] {
        try Database(store).rows("SELECT name FROM sqlite_schema WHERE type = 'view' ORDER BY name").map { $0[0] }
    }

    private func columns(_ view: String) throws -> [String] {
        try Database(store).rows("SELECT name FROM pragma_table_info('\(view)')").map { $0[0] }
    }

    /// Views of others over those of sluice stay what they are while something gets another name.
    @Test func viewsOverViewsWhereSomethingIsRenamed() throws {
        let settings = #""views": true, "history": true,"#
        try define(settings, attributes: #", "note": "text""#)
        try run()
        let database = try Database(store)
        _ = try database.rows("CREATE VIEW mine AS SELECT id, next_id FROM Item_view")
        _ = try database.rows("CREATE VIEW past AS SELECT id, from_run FROM Item_history")
        _ = try database.rows("CREATE VIEW own AS SELECT id, note FROM Item")
        try define(settings, attributes: #", "remark": { "type": "text", "from": "note", "was": "note" }"#)
        try run()
        #expect(try database.rows("SELECT id, next_id FROM mine ORDER BY id") == [["1", "2"], ["2", "∅"]])
        #expect(try database.rows("SELECT DISTINCT id FROM past ORDER BY id") == [["1"], ["2"]])
        #expect(try database.rows("SELECT * FROM own ORDER BY id") == [["1", "x"], ["2", "∅"]])
        #expect(try columns("Item_view").contains("remark") && columns("Item_history").contains("remark"))
        // Another name of the entity is another name of its views: what reads these reads nothing any more.
        _ = try database.rows("DROP VIEW past")
        _ = try database.rows("DROP VIEW mine")
        try define(
            settings, attributes: #", "remark": { "type": "text", "from": "note" }"#,
            item: #""Thing": { "was": "Item","#,
            relationships: ViewTests.relationships.replacing(#""to": "Item""#, with: #""to": "Thing""#))
        try run()
        #expect(try views().contains("Thing_view") && !views().contains("Item_view"))
        #expect(try database.rows("SELECT * FROM own ORDER BY id") == [["1", "x"], ["2", "∅"]])
    }

    @Test func referencesAreIdentifiers() throws {
        try define(attributes: #", "note": "text""#)
        try run()
        #expect(try views() == ["File_view", "Group_view", "Item_view", "Tag_view"])
        let columns = ["id", "at", "note", "next_id", "next_at", "group", "of_entity", "of", "file"]
        #expect(try self.columns("Item_view") == columns + ["any", "files", "groups", "items"])
        #expect(try self.columns("Tag_view") == ["code", "deleted_at"])
        let (one, two) = ("2026-01-01T00:00:00.0Z", "2026-01-01T00:00:00.5Z")
        let any = #"[{"entity":"Group","identifier":7},{"entity":"Tag","identifier":"a'b"}]"#
        let file = #"[{"entity":"File","identifier":"6162"}]"#
        #expect(
            try Database(store).rows("SELECT * FROM Item_view ORDER BY id") == [
                [
                    "1", one, "x", "2", two, "7", "Tag", "a'b", "∅", any, "[]", "[8,7]",
                    "[[2,\"\(two)\"],[1,\"\(one)\"]]",
                ],
                ["2", two, "∅", "∅", "∅", "∅", "Group", "8", "ab", "[]", file, "[]", "[]"],
            ])
    }

    @Test func theyFollowTheDefinition() throws {
        try define("")
        try run()
        _ = try Database(store).rows(#"CREATE VIEW mine AS SELECT id FROM Item"#)
        #expect(try views() == ["mine"])
        try define()
        try run()
        #expect(try views().count == 5)
        let version = try Database(store).rows("PRAGMA schema_version")
        try run()
        #expect(try Database(store).rows("PRAGMA schema_version") == version)
        // Attributes come, something is renamed, values take another form.
        let other = Self.relationships.replacing("\"group\"", with: "\"team\"").replacing(
            "\"to\": \"Group\" }", with: "\"to\": \"Group\", \"from\": \"group\", \"was\": \"group\" }"
        )
        .replacing("\"Item\"", with: "\"Thing\"")
        try define(
            attributes: #", "note": "text""#, item: #""Thing": { "was": "Item","#,
            relationships: other)
        let text = try String(contentsOfFile: folder.file("items.jsonc"), encoding: .utf8)
        _ = try folder.write("items.jsonc", text.replacing("\"fraction\": 1", with: "\"fraction\": 2"))
        try run()
        #expect(try views() == ["File_view", "Group_view", "Tag_view", "Thing_view", "mine"])
        #expect(try columns("Thing_view").contains("team") && columns("Thing_view").contains("note"))
        #expect(
            try Database(store).rows("SELECT at, team, note FROM Thing_view WHERE id = 1") == [
                ["2026-01-01T00:00:00.00Z", "7", "x"]
            ])
        // They go with the key; what is not ours stays.
        _ = try folder.write(
            "items.jsonc",
            text.replacing("\"views\": true,", with: "").replacing("\"fraction\": 1", with: "\"fraction\": 2"))
        try run()
        #expect(try views() == ["mine"])
        #expect(try Database(store).rows("SELECT count(*) FROM mine") == [["2"]])
    }

    /// Two pipelines make the same views, of all that both know; the views stay as long as one of them wants them.
    @Test func twoPipelinesMakeTheSame() throws {
        let keep = { (text: String) in text.replacing(", \"absent\": \"mark\"", with: "") }
        for (name, attributes) in [
            ("items", #", "note": "text""#), ("others", #", "more": { "type": "text", "from": "note" }"#),
        ] {
            try define(attributes: attributes, name: name)
            let text = try String(contentsOfFile: folder.file("\(name).jsonc"), encoding: .utf8)
            _ = try folder.write("\(name).jsonc", keep(text))
            try run(name)
        }
        let columns = try columns("Item_view")
        #expect(columns.contains("note") && columns.contains("more"))
        let version = try Database(store).rows("PRAGMA schema_version")
        for name in ["items", "others"] { try run(name) }
        #expect(try Database(store).rows("PRAGMA schema_version") == version)
        for (name, count) in [("items", 4), ("others", 0)] {
            let text = try String(contentsOfFile: folder.file("\(name).jsonc"), encoding: .utf8)
            _ = try folder.write("\(name).jsonc", text.replacing("\"views\": true,", with: ""))
            try run(name)
            #expect(try views().count == count)
        }
    }

    @Test func whatHasTheNameStays() throws {
        try define("")
        try run()
        _ = try Database(store).rows("CREATE VIEW group_VIEW AS SELECT 1")
        let before = try Database(store).snapshot()
        try define()
        for command in ["check", "run"] {
            let outcome = try Sluice.run([command, folder.file("items.jsonc")])
            #expect(outcome.status == 78)
            #expect(
                outcome.errors.contains(
                    "items.jsonc:1:77: the store \(store) has a view named Group_view, which sluice has not made, and \"views\" needs the name"
                ), "\(outcome.errors)")
        }
        #expect(try Database(store).snapshot() == before)
    }

    @Test func theQueriesOfThePageWork() throws {
        let definition = try String(contentsOfFile: Sluice.path("Pipelines/berlin-transit.jsonc"), encoding: .utf8)
        _ = try folder.write(
            "transit.jsonc", definition.replacing("\"entities\":", with: "\"views\": true, \"entities\":"))
        let outcome = try Sluice.run([
            "run", folder.file("transit.jsonc"), "--store", store, "--feed", Sluice.path("Samples/berlin-transit.json"),
            "--quiet",
        ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let page = try String(contentsOfFile: Sluice.path("Documentation/store.md"), encoding: .utf8)
        let section = try #require(page.components(separatedBy: "## Views").last)
        let block = try #require(section.components(separatedBy: "```sql\n").dropFirst().first)
        let queries = block.components(separatedBy: "\n```")[0].components(separatedBy: "\n\n")
        #expect(queries.count == 3)
        let times = try Database(store).rows(queries[0])
        #expect(times.first == ["000002320101", "04:30:00"], "\(times)")
        #expect(try Database(store).rows(queries[1]).count == 3)
    }
}
