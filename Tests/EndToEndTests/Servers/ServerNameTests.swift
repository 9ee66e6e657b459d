import StoreMirror
import TestSupport
import Testing

/// With `names`, a schema of a server gets the names that SQLite has, in those letters.
@Suite struct ServerNameTests {
    private let folder = TemporaryFolder()
    private let server: TestServer

    init() throws {
        server = try TestServer(name: "names")
        _ = try folder.write("feed.json", NamesTests.feed)
    }

    private func run(_ names: String, more: Bool = false) throws {
        let text = NamesTests.definition(names, store: server.definition, more: more)
        let outcome = try Sluice.run(["run", folder.write("names.jsonc", text), "--quiet", "--force"])
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    private func columns() throws -> [String] {
        try server.rows(
            """
            SELECT table_name || '.' || column_name FROM information_schema.columns
            WHERE table_schema = '\(server.location.schema)' AND table_name NOT LIKE 'sluice%' ORDER BY 1
            """)
    }

    @Test func anExistingSchemaGetsThemAndGivesThemBack() throws {
        defer { try? server.drop() }
        try run("")
        let before = try columns()
        try run(#""names": "snake_case","#, more: true)
        let now = try columns().filter { !$0.hasPrefix("TheLines") && !$0.hasSuffix(".objectID") }
        #expect(now.allSatisfy { !$0.contains(where: \.isUppercase) }, "\(now)")
        #expect(try server.rows("SELECT share_of_total FROM @stop_line_shares ORDER BY position") == ["5", "7"])
        #expect(try server.rows("SELECT name_english, parent_stop FROM @stop_view WHERE stop_id = 1") == ["One\t9"])
        try run(#""names": "as_written","#, more: true)
        #expect(try columns() == before)
    }

    /// The links of a relationship that the definition has lost are called by their entity, in whatever letters.
    @Test(arguments: [("snake_case", "as_written"), ("as_written", "snake_case")])
    func linksThatAreGivenUpFollow(_ before: String, _ after: String) throws {
        defer { try? server.drop() }
        func night(_ names: String, _ relationships: String, _ feed: String, _ more: [String] = []) throws {
            _ = try folder.write("feed.json", feed)
            let definition = try folder.write(
                "links.jsonc",
                """
                { "name": "links", "source": { "file": "feed.json" }, "store": \(server.definition),
                  "names": "\(names)", "limits": { "records": 0, "deletes": null }, "entities": {
                    "From": { "records": "$.f[*]", "identifier": "id", "attributes": { "id": "integer" },
                      "relationships": { \(relationships) } },
                    "Towards": { "records": "$.t[*]", "identifier": "id", "absent": "delete",
                      "attributes": { "id": "integer" } } } }
                """)
            let outcome = try Sluice.run(["run", definition, "--quiet"] + more)
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        let both = #"{"f": [{"id": 1, "r": [1, 2]}], "t": [{"id": 1}, {"id": 2}]}"#
        try night(before, #""r": { "to": "Towards", "many": true, "from": "r[*]" }"#, both)
        try night(before, "", both)
        try night(after, "", both + " ")
        let table = after == "snake_case" ? "from_r" : "From_r"
        let targets = "SELECT target FROM @\"\(table)\" ORDER BY position"
        #expect(try server.rows(targets).count == 2)
        let fewer = #"{"f": [{"id": 1}], "t": [{"id": 1}]}"#
        try night(after, "", fewer, ["--dry-run"])
        try night(after, "", fewer)
        #expect(try server.rows(targets).count == 1)
    }
}
