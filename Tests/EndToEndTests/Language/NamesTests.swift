import Foundation
import TestSupport
import Testing

/// With `names`, the store has the definition's names in snake case, and an existing one gets them.
@Suite struct NamesTests {
    static let feed = """
        {"stops": [
          {"stopId": 1, "nameEnglish": "One", "parentStop": 9, "anyThing": 2,
           "lineShares": [{"line": "a", "shareOfTotal": 5}, {"line": "z", "shareOfTotal": 7}]},
          {"stopId": 2, "nameEnglish": "Two", "anyThing": "a"}],
         "stopTimes": [{"stopRef": 1, "stopSequence": 4, "Case": "x"}], "lines": [{"lineCode": "a"}],
         "more": {"stops": [{"stopId": 9}], "lines": [{"lineCode": "z"}]}}
        """

    /// With everything in it whose name is in the store.
    static func definition(_ names: String, store: String = #"{ "sqlite": "store.sqlite" }"#, more: Bool = false)
        -> String
    {
        let paths = more ? #"["$.stops[*]", "$.more.stops[*]"]"# : #""$.stops[*]""#
        let lines = more ? #"["$.lines[*]", "$.more.lines[*]"]"# : #""$.lines[*]""#
        return """
            { "name": "names", \(names) "source": { "file": "feed.json" }, "store": \(store), "views": true, "entities": {
              "Stop": { "records": \(paths), "identifier": "stopId",
                "attributes": { "stopId": "integer", "nameEnglish": { "type": "text", "index": true } },
                "relationships": { "parentStop": { "to": "Stop" }, "anyThing": { "to": ["Line", "Stop"] },
                  "lineShares": { "to": "Line", "many": true, "from": "lineShares[*].line",
                    "with": { "shareOfTotal": { "type": "integer" } } } } },
              "StopTime": { "records": "$.stopTimes[*]", "identifier": ["stopRef", "stopSequence"],
                "attributes": { "stopSequence": "integer", "Case": "text" },
                "relationships": { "stopRef": { "to": "Stop" } } },
              "Line": { "table": "TheLines", "records": \(lines), "identifier": "lineCode",
                "attributes": { "lineCode": "text" } } } }
            """
    }

    private let folder = TemporaryFolder()
    private var store: String { folder.file("store.sqlite") }

    init() throws { _ = try folder.write("feed.json", NamesTests.feed) }

    private func run(_ names: String, more: Bool = false) throws {
        let definition = try folder.write("names.jsonc", NamesTests.definition(names, more: more))
        let outcome = try Sluice.run(["run", definition, "--quiet", "--force"])
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    private func schema() throws -> [String] {
        try Database(store).rows(
            "SELECT lower(type || ' ' || name || ' ' || coalesce(sql, '')) FROM sqlite_schema "
                + "WHERE name NOT LIKE 'sluice%' ORDER BY 1"
        ).map { $0[0] }
    }

    private func content() throws -> [[String]] {
        try ["stop_view", "stop_time_view", "TheLines_view", "stop_line_shares"]
            .flatMap { try Database(store).rows("SELECT * FROM \($0)") }
    }

    @Test func aNewStoreHasThem() throws {
        try run(#""names": "snake_case","#)
        let columns = try Database(store).rows("SELECT name FROM pragma_table_info('stop')").map { $0[0] }
        #expect(
            columns == [
                "objectID", "stop_id", "name_english", "parent_stop", "any_thing", "any_thing_entity",
            ])
        #expect(
            try Database(store).rows("SELECT * FROM stop_view") == [
                ["1", "One", "∅", "Stop", "2", #"["a"]"#], ["2", "Two", "∅", "Line", "a", "[]"],
            ])
        let times = try Database(store).rows("SELECT stop_ref, stop_ref_stop_id, \"case\" FROM stop_time_view")
        #expect(times == [["1", "1", "x"]])
        #expect(try Database(store).rows("SELECT share_of_total FROM stop_line_shares") == [["5"]])
    }

    /// What waits is linked under its new name, too.
    @Test func anExistingStoreGetsThemAndGivesThemBack() throws {
        try run("")
        let before = try schema()
        try run(#""names": "snake_case","#)
        let renamed = try (schema(), content())
        try FileManager.default.moveItem(atPath: store, toPath: folder.file("renamed.sqlite"))
        try run(#""names": "snake_case","#)
        #expect(try content() == renamed.1)
        let tables = { (schema: [String]) in schema.filter { $0.hasPrefix("view") } }
        #expect(try tables(schema()) == tables(renamed.0))
        try FileManager.default.removeItem(atPath: store)
        try FileManager.default.moveItem(atPath: folder.file("renamed.sqlite"), toPath: store)
        try run(#""names": "snake_case","#, more: true)
        let linked = try Database(store).rows("SELECT target, share_of_total FROM stop_line_shares ORDER BY position")
        #expect(linked.map { $0[1] } == ["5", "7"])
        #expect(try Database(store).rows("SELECT parent_stop FROM stop_view WHERE stop_id = 1") == [["9"]])
        #expect(try Database(store).rows("SELECT count(*) FROM sluice_unresolved") == [["0"]])
        try run(#""names": "as_written","#, more: true)
        #expect(try schema() == before)
    }

    @Test func typesOfProgramsStayAndColumnsAreThoseOfTheStore() throws {
        let definition = try folder.write("names.jsonc", NamesTests.definition(#""names": "snake_case","#))
        let text = try Sluice.run(["swift", definition]).output
        #expect(text.contains(#"public let nameEnglish = Column<Stop, String?>("name_english")"#))
        #expect(text.contains(#"public let lineShares = Links<Stop, Line>("stop_line_shares")"#))
        let plain = try folder.write("plain.jsonc", NamesTests.definition(""))
        let properties = { (text: String) in text.split(separator: "\n").filter { $0.contains("public var ") } }
        #expect(try properties(text) == properties(Sluice.run(["swift", plain]).output))
        let plan = try Sluice.run(["plan", "--dialect", "duckdb", definition])
        #expect(plan.errors.contains("names.jsonc:1:20: a plan does not do \"names\""), "\(plan.errors)")
    }

    /// Of each column, that of the definition stands at the place of a contradiction.
    @Test func aContradictionHasThePlaceOfTheWrittenName() throws {
        try run(#""names": "snake_case","#)
        let text = NamesTests.definition(#""names": "snake_case","#)
            .replacing(#""nameEnglish": { "type": "text","#, with: #""nameEnglish": { "type": "bytes","#)
        let outcome = try Sluice.run(["check", folder.write("names.jsonc", text)])
        #expect(outcome.status == 78)
        #expect(outcome.errors.contains("names.jsonc:3:59: "), "\(outcome.errors)")
        #expect(outcome.errors.contains("name_english"), "\(outcome.errors)")
    }
}
