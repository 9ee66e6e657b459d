import Foundation
import Testing

/// Records that are no objects, in feeds as they come: header rows, identifiers that are null, drafts.
@Suite struct WhereTests {
    /// An export of a content system.
    private static let articles = """
        [ {"id": "ID", "title": "Title", "state": "State"},
          {"id": 1, "title": "One", "state": "published", "updated": "2026-03-01T09:00:00+01:00", "tags": ["a", "b"]},
          {"id": 2, "title": "Two", "state": "draft", "updated": "2026-03-02T09:00:00Z", "tags": []},
          {"id": null, "title": "None", "state": "published", "updated": "2026-03-03T09:00:00Z"},
          {"title": "No key", "state": "published"},
          {"id": 5, "title": "Old", "state": "published", "updated": "2025-12-31T23:30:00-01:00", "tags": ["test"]},
          {"id": 6, "title": "Older", "state": "published", "updated": "2025-12-31T23:30:00Z"},
          {"id": 7, "title": "Seven", "state": "review", "priority": 9, "updated": "2026-05-01T00:00:00Z"},
          {"id": 8, "title": "Eight", "state": "review", "priority": 2.5, "updated": "2026-05-01T00:00:00Z"},
          {"id": "x9", "title": "A true reject", "state": "published", "updated": "2026-05-01T00:00:00Z"} ]
        """

    private func scene(_ conditions: String) throws -> LanguageScene {
        try LanguageScene(
            """
            { "Article": {
                "records": "$[*]", \(conditions), "identifier": "id",
                "attributes": { "id": "integer", "title": "text" } } }
            """, #""limits": { "rejects": null }"#)
    }

    @Test(arguments: [
        (#""id": { "type": ["number", "string"], "not": "ID" }"#, "1 2 5 6 7 8", 1),
        (#""id": { "present": true, "not": [null, { "match": "^[A-Z]+$" }] }"#, "1 2 5 6 7 8", 1),
        (#""updated": { ">=": "2026-01-01T00:00:00Z" }, "id": { "type": "number" }"#, "1 2 5 7 8", 0),
        (
            #""id": { "type": "number" }, "any": [{ "state": "published" }, { "state": "review", "priority": { ">": 5 } }]"#,
            "1 5 6 7", 0
        ),
        (#""tags[*]": ["b", "test"]"#, "1 5", 0),
        (#""not": { "tags[*]": "test" }, "tags": { "type": "array" }"#, "1 2", 0),
        (#""priority": { ">=": 2.5, "<": 9 }"#, "8", 0),
    ])
    func takesSome(_ conditions: String, _ expected: String, _ rejects: Int) throws {
        let scene = try scene("\"where\": { \(conditions) }")
        let outcome = try scene.run(WhereTests.articles)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try scene.lines("SELECT id FROM Article ORDER BY id").joined(separator: " ") == expected)
        #expect(outcome.count("Article", "rejected") == rejects)
    }

    @Test func deletesSome() throws {
        let scene = try scene(
            #""deleteWhere": { "state": { "not": ["published", "draft"] } }, "where": { "id": { "type": "number" } }"#)
        try scene.run(
            #"[{"id": 7, "title": "Seven", "state": "draft"}, {"id": 2, "title": "Two", "state": "draft"}]"#, "--force")
        let outcome = try scene.run(WhereTests.articles)
        #expect(outcome.status == 65, "one of two objects goes")
        #expect(outcome.undone("Article", "deleted") == 1 && outcome.count("Article", "deleted") == 0)
    }

    @Test func mistakesHaveTheirPlace() throws {
        let outcome = try scene(#""where": { "id": { "macth": "x" }, "b": { "<": [] } }"#).check()
        #expect(outcome.status == 78)
        #expect(outcome.errors.contains(#":3:43: unknown key "macth" in the condition of "id": did you mean "match"?"#))
        #expect(outcome.errors.contains(#""<" must be a number or a text, not an empty list"#))
    }
}
