import Foundation
import Testing

/// Objects that are known only because something refers to them.
@Suite struct StubTests {
    private static let entities = """
        { "Tag": { "identifier": "name", "attributes": { "name": "text" }, "orphans": "delete" },
          "Post": {
            "records": "$.posts[*]", "identifier": "id", "attributes": { "id": "integer" }, "absent": "delete",
            "relationships": { "tags": { "to": "Tag", "from": "tags[*]", "many": true, "missing": "stub" } } } }
        """

    /// An entity without records is made of stubs alone; what nothing refers to any more goes.
    @Test func anEntityOfStubs() throws {
        let scene = try LanguageScene(Self.entities, #""limits": { "deletes": null }"#)
        let first = try scene.run(
            #"{"posts": [{"id": 1, "tags": ["a", "b"]}, {"id": 2, "tags": ["b", "c"]}, {"id": 3, "tags": ["d"]}]}"#)
        #expect(first.status == 0, "\(first.errors)")
        #expect((first.count("Tag", "stubs"), first.count("Tag", "records")) == (4, 0))
        let next = try scene.run(#"{"posts": [{"id": 1, "tags": ["a"]}, {"id": 2, "tags": ["c", "e"]}]}"#)
        #expect((next.count("Tag", "stubs"), next.count("Tag", "deleted")) == (1, 2))
        #expect(try scene.lines("SELECT name FROM Tag ORDER BY 1") == ["a", "c", "e"])
        #expect(try scene.lines("SELECT count(*) FROM sluice_stub") == ["3"])
        try scene.run(#"{"posts": [{"id": 1, "tags": ["b"]}]}"#)
        #expect(try scene.lines("SELECT name FROM Tag") == ["b"])
    }

    /// What a record has completed stays, and what another pipeline refers to.
    @Test func whatIsNoOrphan() throws {
        let scene = try LanguageScene(
            """
            { "Person": { "records": "$.people[*]", "identifier": "id", "attributes": { "id": "integer", "name": "text" },
                          "orphans": "delete" },
              "Post": { "records": "$.posts[*]", "identifier": "id", "attributes": { "id": "integer" },
                        "relationships": { "by": { "to": "Person", "missing": "stub" } } } }
            """, #""limits": { "deletes": null, "records": null }"#)
        try scene.run(#"{"posts": [{"id": 1, "by": 1}, {"id": 2, "by": 2}, {"id": 3, "by": 3}]}"#)
        let other = try scene.other(
            #"{ "Star": { "records": "$[*]", "identifier": "id", "attributes": { "id": "integer" }, "relationships": { "who": { "to": "Person" } } }, "Person": { "records": "$.none[*]", "identifier": "id", "attributes": { "id": "integer" } } }"#,
            #"[{"id": 1, "who": 2}]"#)
        #expect(other.status == 0, "\(other.errors)\(other.output)")
        let outcome = try scene.run(
            #"{"posts": [{"id": 1, "by": null}, {"id": 2, "by": null}, {"id": 3, "by": null}], "people": [{"id": 1, "name": "x"}]}"#
        )
        #expect(outcome.count("Person", "deleted") == 1)
        #expect(try scene.lines("SELECT id FROM Person ORDER BY 1") == ["1", "2"])
        #expect(try scene.lines("SELECT count(*) FROM Star WHERE who IS NOT NULL") == ["1"])
    }
}
