import Foundation
import Testing

/// One list of records of several entities, told by a field: `kind`, and what they have in common: `like`.
@Suite struct KindTests {
    @Test func entitiesByADiscriminator() throws {
        let scene = try LanguageScene(
            """
            { "Tool": { "like": "Object", "is": ["tool", "malware"] }, "campaign": { "like": "Object" },
              "Link": { "like": "Object", "is": "link",
                "attributes": { "name": null },
                "relationships": { "from": { "to": "Object" }, "by": { "to": "Object", "from": "to" } } } }
            """,
            """
            "bases": { "Object": { "records": "$[*]", "kind": "type", "identifier": "id", "absent": "delete",
              "attributes": { "id": "text", "name": "text" } } }, "limits": { "deletes": null }
            """)
        let outcome = try scene.run(
            """
            [{"type": "link", "id": "l", "from": "t", "to": "c"}, {"type": "tool", "id": "t", "name": "T"},
             {"type": "malware", "id": "m"}, {"type": "campaign", "id": "c"}, {"type": "other", "id": "o"}, {"id": "p"}]
            """)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try scene.lines("SELECT id, name FROM Tool ORDER BY 1") == ["m ∅", "t T"])
        #expect(try scene.lines("SELECT id FROM campaign") == ["c"])
        #expect(try scene.lines("SELECT id, from_entity, by_entity FROM Link") == ["l Tool campaign"])
        try scene.run(#"[{"type": "tool", "id": "m"}, {"type": "campaign", "id": "c"}, {"type": "link", "id": "l"}]"#)
        #expect(try scene.lines("SELECT id FROM Tool") == ["m"])
    }

    @Test func whatIsWrongIsToldWhereItStands() throws {
        let scene = try LanguageScene(
            #"{ "A": { "like": "Object" }, "B": { "like": "Object" } }"#,
            "\"bases\": { \"Object\": { \"records\": \"$[*]\", \"identifier\": \"id\",\n\"attributes\": { \"id\": \"txt\" } } }"
        )
        let outcome = try scene.check()
        #expect(outcome.status == 78)
        #expect(outcome.errors.split(separator: "\n").count == 1)
        #expect(outcome.errors.contains("p.jsonc:2:23: \"id\" must be"))
    }
}
