import Foundation
import StoreMirror
import TestSupport
import Testing

/// Views on a server show what those of SQLite do, follow the definition, and stay whose they are.
@Suite struct ServerViewTests {
    private let folder = TemporaryFolder()
    private let server: TestServer
    private var cluster: Cluster { get throws { try Cluster.shared.get() } }

    private static let feed = #"""
        {"items": [
          {"id": 1, "at": "2026-01-01T00:00:00Z", "note": "x", "next": 2, "nextAt": "2026-01-01T00:00:00.5Z", "group": 7,
           "of": "a'b", "groups": [8, 7], "any": [7, "a'b"], "days": ["2026-02-28", "0099-12-31"],
           "items": [{"id": 2, "at": "2026-01-01T00:00:00.5Z"}, {"id": 1, "at": "2026-01-01T00:00:00Z"}]},
          {"id": 2, "at": "2026-01-01T00:00:00.5Z", "of": 8, "file": "YWI=", "prices": ["1.50"], "flags": [true]}],
         "groups": [{"code": 7}, {"code": 8}], "tags": [{"code": "a'b"}], "files": [{"hash": "YWI="}],
         "days": [{"day": "2026-02-28"}, {"day": "0099-12-31"}], "prices": [{"price": "1.50"}], "flags": [{"flag": true}]}
        """#

    private static let relationships = #"""
        "next": { "to": "Item", "identifier": ["next", "nextAt"] }, "group": { "to": "Group" },
        "of": { "to": ["Group", "Tag"], "from": "of" }, "groups": { "to": "Group", "many": true, "from": "groups[*]" },
        "any": { "to": ["Tag", "Group"], "many": true, "from": "any[*]" },
        "items": { "to": "Item", "many": true, "identifier": ["items[*].id", "items[*].at"] },
        "file": { "to": "File" }, "files": { "to": ["File", "Group"], "many": true, "from": "file" },
        "days": { "to": "Day", "many": true, "from": "days[*]" },
        "prices": { "to": "Price", "many": true, "from": "prices[*]" },
        "flags": { "to": "Flag", "many": true, "from": "flags[*]" }
        """#

    init() throws {
        server = try TestServer(name: "views")
        _ = try folder.write("feed.json", Self.feed)
    }

    private func define(
        _ store: String, views: String = #""views": true,"#, more: String = "", item: String = #""Item": {"#,
        relationships: String = Self.relationships
    ) throws -> String {
        try folder.write(
            "items.jsonc",
            """
            { "name": "items", "source": { "file": "feed.json" }, "store": \(store), \(views) "entities": {
              \(item)
                "records": "$.items[*]", "identifier": ["id", "at"],
                "attributes": { "id": "integer", "at": { "type": "datetime", "fraction": 1 }\(more) },
                "relationships": { \(relationships) } },
              "Group": { "records": "$.groups[*]", "identifier": "code", "attributes": { "code": "integer" } },
              "Tag": { "records": "$.tags[*]", "identifier": "code", "absent": "mark", "attributes": { "code": "text" } },
              "File": { "records": "$.files[*]", "identifier": "hash", "attributes": { "hash": "bytes" } },
              "Day": { "records": "$.days[*]", "identifier": "day", "attributes": { "day": "date" } },
              "Price": { "records": "$.prices[*]", "identifier": "price",
                "attributes": { "price": { "type": "decimal", "scale": 2 } } },
              "Flag": { "records": "$.flags[*]", "identifier": "flag", "attributes": { "flag": "boolean" } } } }
            """)
    }

    private func run(_ definition: String) throws {
        let outcome = try Sluice.run(["run", definition, "--quiet", "--force"])
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    private func run(
        views: String = #""views": true,"#, more: String = "", item: String = #""Item": {"#,
        relationships: String = Self.relationships
    ) throws {
        try run(define(server.definition, views: views, more: more, item: item, relationships: relationships))
    }

    private func columns(_ view: String) throws -> [String] {
        try server.rows(
            """
            SELECT attname FROM pg_attribute WHERE attrelid = '@\(quoted(view))'::regclass AND attnum > 0 ORDER BY attnum
            """)
    }

    private func quoted(_ name: String) -> String { "\"\(name)\"" }

    private func views() throws -> String {
        try server.rows(
            "SELECT coalesce(string_agg(viewname, ' ' ORDER BY viewname COLLATE \"C\"), '') FROM pg_views"
                + " WHERE schemaname = '\(server.location.schema)'")[0]
    }

    /// In both stores, whatever a session shows times and bytes as.
    @Test func theyShowTheSame() throws {
        defer { try? server.drop() }
        try run(define(#"{ "sqlite": "store.sqlite" }"#))
        try run()
        let database = try Database(folder.file("store.sqlite"))
        let settings = "SET timezone = 'Asia/Tokyo'; SET datestyle = 'German'; SET bytea_output = 'escape'; "
        #expect(try views() == "Day_view File_view Flag_view Group_view Item_view Price_view Tag_view")
        let names = try database.rows("SELECT name FROM pragma_table_info('Item_view')").map { $0[0] }
        #expect(try columns("Item_view") == names)
        for name in names where !["at", "next_at", "file"].contains(name) {
            let here = try database.rows("SELECT \"\(name)\" FROM Item_view ORDER BY id").map { $0[0] }
            let isList = here[0].hasPrefix("[")
            let there = try cluster.sql(
                settings
                    + "SELECT coalesce(\"\(name)\"::text, '∅') FROM \(quoted(server.location.schema)).\"Item_view\" ORDER BY id"
            ).split(separator: "\n").map(String.init)
            #expect(there.map { isList ? $0.replacing(#/ ?([:,]) ?/#) { "\($0.1)" } : $0 } == here, "\(name)")
        }
        #expect(try server.rows("SELECT count(*) FROM @\"Item_view\" WHERE next_at > at AND file IS NULL") == ["1"])
        #expect(try columns("Tag_view") == ["code", "deleted_at"])
    }

    @Test func theyFollowTheDefinition() throws {
        defer { try? server.drop() }
        try run(views: "")
        _ = try server.rows("CREATE VIEW @mine AS SELECT id FROM @\"Item\"")
        #expect(try views() == "mine")
        try run()
        let oids =
            "SELECT oid FROM pg_class WHERE relkind = 'v' AND relnamespace = '\(quoted(server.location.schema))'::regnamespace ORDER BY 1"
        let before = try server.rows(oids)
        try run()
        #expect(try server.rows(oids) == before, "what is in step is not made anew")
        // Attributes come, something is renamed.
        let other = Self.relationships.replacing("\"group\"", with: "\"team\"").replacing(
            "\"to\": \"Group\" }", with: "\"to\": \"Group\", \"from\": \"group\", \"was\": \"group\" }"
        ).replacing("\"Item\"", with: "\"Thing\"")
        try run(more: #", "note": "text""#, item: #""Thing": { "was": "Item","#, relationships: other)
        #expect(try views() == "Day_view File_view Flag_view Group_view Price_view Tag_view Thing_view mine")
        #expect(try server.rows("SELECT team, note FROM @\"Thing_view\" WHERE id = 1") == ["7\tx"])
        try run(
            more: #", "note": "text", "more": { "type": "text", "from": "note" }"#,
            item: #""Thing": { "was": "Item","#, relationships: other)
        #expect(try columns("Thing_view").contains("more"))
        // They go with the key; what is not ours stays.
        try run(views: "", more: #", "note": "text""#, item: #""Thing": { "was": "Item","#, relationships: other)
        #expect(try views() == "mine")
    }

    /// A view that is made anew can be read by whom it could be read by.
    @Test func grantsStay() throws {
        defer { try? server.drop() }
        try run()
        let grants = "SELECT relacl FROM pg_class WHERE oid = '@\"Item_view\"'::regclass"
        _ = try server.rows(
            "GRANT SELECT ON @\"Item_view\" TO PUBLIC; GRANT SELECT ON @\"Item_view\" TO pg_monitor WITH GRANT OPTION")
        let before = try server.rows(grants)
        try run(more: #", "note": "text""#)
        #expect(try columns("Item_view").contains("note"))
        #expect(try server.rows(grants) == before)
        // Where columns get other names, or tables, the views go first; those of the past do so where columns come.
        let past = grants.replacing("_view", with: "_history")
        try run(views: #""views": true, "history": true,"#, more: #", "note": "text""#)
        _ = try server.rows(
            "GRANT SELECT ON @\"Item_history\" TO PUBLIC; GRANT SELECT ON @\"Item_history\" TO pg_monitor WITH GRANT OPTION"
        )
        try run(views: #""views": true, "history": true,"#, more: #", "note": "text", "more": "text""#)
        #expect(try server.rows(past) == before)
        try run(
            views: #""views": true, "history": true,"#,
            more: #", "remark": { "type": "text", "from": "note", "was": "note" }, "more": "text""#)
        #expect(try server.rows(past) == before && server.rows(grants) == before)
        try run(
            views: #""views": true, "history": true,"#,
            more: #", "remark": { "type": "text", "from": "note" }, "more": "text""#,
            item: #""Thing": { "was": "Item","#,
            relationships: Self.relationships.replacing(#""to": "Item""#, with: #""to": "Thing""#))
        for query in [past, grants] {
            #expect(try server.rows(query.replacing("Item", with: "Thing")) == before)
        }
    }

    @Test func whatHasTheNameStays() throws {
        defer { try? server.drop() }
        try run(views: "")
        _ = try server.rows("CREATE VIEW @\"Group_view\" AS SELECT 1 AS x")
        for command in ["check", "run"] {
            let outcome = try Sluice.run([command, try define(server.definition)])
            #expect(outcome.status == 78)
            #expect(
                (outcome.errors + outcome.output).contains("has a view named Group_view, which sluice has not made"),
                "\(outcome.errors)")
        }
        #expect(try server.rows("SELECT x FROM @\"Group_view\"") == ["1"])
        // What somebody has made over a view keeps it from being made anew.
        _ = try server.rows("DROP VIEW @\"Group_view\"")
        try run()
        _ = try server.rows("CREATE VIEW @over AS SELECT id FROM @\"Item_view\"")
        let outcome = try Sluice.run(["run", try define(server.definition, more: #", "note": "text""#), "--force"])
        #expect(outcome.status == 78 && outcome.errors.contains("something is made over it"), "\(outcome.errors)")
        #expect(try server.rows("SELECT count(*) FROM @over") == ["2"])
    }

    /// A run makes views before it reads: they are its own also where it fails, and no pipeline has said anything of
    /// them.
    @Test(arguments: [true, false]) func aRunThatFailsLeavesItsOwn(_ isWantedLater: Bool) throws {
        defer { try? server.drop() }
        try run(views: "")
        _ = try folder.write("feed.json", String(Self.feed.dropLast(2)))
        #expect(try Sluice.run(["run", define(server.definition), "--quiet"]).status == 65)
        _ = try folder.write("feed.json", Self.feed)
        let later = try define(server.definition, views: isWantedLater ? #""views": true,"# : "")
        #expect(try Sluice.run(["check", later]).status == 0)
        try run(later)
        let all = "Day_view File_view Flag_view Group_view Item_view Price_view Tag_view"
        #expect(try views() == (isWantedLater ? all : ""))
    }
}
