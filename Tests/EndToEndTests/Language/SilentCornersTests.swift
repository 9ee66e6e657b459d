import Foundation
import Testing

/// Corners that the page about definitions names.
@Suite struct SilentCornersTests {
    @Test(arguments: [
        ("0545", "545"), ("+5", "5"), ("5.", "5"), ("5.0", "5"), ("5e0", "5"), (" 5", nil), ("1,000", nil),
        ("0x1F", nil), ("NaN", nil), ("1_000", nil), ("", nil), (".5", nil),
    ])
    func textsThatAreNumbers(_ text: String, _ expected: String?) throws {
        let scene = try LanguageScene(
            #"{ "A": { "records": "$[*]", "identifier": "id", "attributes": { "id": "integer" } } }"#,
            #""limits": { "rejects": null }"#)
        let outcome = try scene.run("[{\"id\": \"\(text)\"}]")
        #expect(outcome.count("A", "rejected") == (expected == nil ? 1 : 0))
        #expect(try scene.lines("SELECT id FROM A") == (expected.map { [$0] } ?? []))
    }

    @Test func trimCutsUnicodeWhiteSpace() throws {
        let scene = try LanguageScene(
            """
            { "A": { "records": "$[*]", "identifier": "id", "attributes": {
                "id": { "type": "text", "from": "@", "trim": true } } } }
            """)
        try scene.run(#"["\u00a0\u2028a\u3000", "\u200bb\ufeff"]"#)
        #expect(try scene.lines("SELECT id FROM A ORDER BY objectID") == ["a", "\u{200b}b\u{feff}"])
    }

    /// What is joined of nothing is absent, and of something null.
    @Test func absentParts() throws {
        let scene = try LanguageScene(
            """
            { "A": { "records": "$[*]", "identifier": "id", "attributes": {
                "id": "integer", "code": { "type": "text", "join": ["a", "b"] } } } }
            """)
        try scene.run(#"[{"id": 1, "a": "x", "b": "y"}, {"id": 2, "a": "x", "b": "y"}]"#)
        try scene.run(#"[{"id": 1}, {"id": 2, "a": "z"}]"#)
        #expect(try scene.lines("SELECT id, code FROM A ORDER BY id") == ["1 x/y", "2 ∅"])
    }

    @Test func aByteOrderMarkHasThreeColumns() throws {
        let scene = try LanguageScene(
            #"{ "A": { "records": "$[*]", "identifier": "id", "attributes": { "id": "integer" } } }"#)
        let outcome = try scene.run("\u{feff}[{\"id\": \"x\"}]")
        let example = (outcome.report["examples"] as? [[String: Any]])?.first?["at"] as? [String: Any]
        #expect([example?["offset"] as? Int, example?["column"] as? Int] == [4, 5])
    }
}
