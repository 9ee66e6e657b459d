import Foundation
import Testing

/// Attributes that hold several values.
@Suite struct ListAttributeTests {
    private static let entities = """
        { "Book": {
            "records": "$[*]", "identifier": "id",
            "attributes": {
              "id": "integer",
              "tags": { "type": "text", "many": true },
              "names": { "type": "text", "many": true, "from": "authors[*].name" },
              "full": { "type": "text", "many": true, "join": ["authors[*].name", "authors[*].role"], "with": " " },
              "years": { "type": "integer", "many": true, "split": ";", "min": 1000 },
              "prices": { "type": "decimal", "many": true, "scale": 2 },
              "weights": { "type": "real", "many": true },
              "flags": { "type": "boolean", "many": true },
              "lengths": { "type": "duration", "many": true },
              "days": { "type": "date", "many": true, "format": "%d.%m.%Y" },
              "german": { "type": "text", "many": true, "from": "titles[?lang == 'de'].text" } } } }
        """

    private func scene() throws -> LanguageScene {
        try LanguageScene(ListAttributeTests.entities, #""limits": { "rejects": null }"#)
    }

    private static let feed = #"""
        [ {"id": 1, "tags": ["a", null, "say \"x\"\n", 7, true], "authors": [{"name": "A", "role": "x"}, {"role": "y"}, {"name": "C", "role": "z"}],
           "years": "1999; 2001;", "prices": [1, "2.5"], "weights": [1e2, 0.1, 1E-7], "flags": [true, 0, "1"],
           "lengths": ["1:00:00", "PT1M", 5], "days": ["20.11.2026"],
           "titles": [{"lang": "en", "text": "E"}, {"lang": "de", "text": "D"}, {"lang": "de", "text": "F"}]},
          {"id": 2, "tags": [], "authors": [], "years": "", "weights": 2.5, "days": null, "titles": []},
          {"id": 3, "tags": ["a", {"b": 1}]},
          {"id": 4, "years": "1999;12"},
          {"id": 5, "tags": null} ]
        """#

    /// The keys of an object, and the indices of a list, in an attribute as in a relationship.
    @Test func keysAndIndices() throws {
        let scene = try LanguageScene(
            """
            { "Part": { "identifier": "name", "attributes": { "name": "text" } },
              "Thing": {
                "records": "$[*]", "identifier": "id",
                "attributes": {
                  "id": "integer", "names": { "type": "text", "many": true, "from": "parts.*~" },
                  "numbers": { "type": "integer", "many": true, "from": "list[*]~" },
                  "own": { "type": "text", "many": true, "from": "list~" } },
                "relationships": { "parts": { "to": "Part", "many": true, "from": "parts.*~", "missing": "stub" } } } }
            """)
        let outcome = try scene.run(
            #"""
            [ {"id": 1, "parts": {"x": 1, "y": {"z": null}}, "list": [5, [6]]}, {"id": 2, "parts": {}, "list": []},
              {"id": 3, "parts": null}, {"id": 4} ]
            """#)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(
            try scene.rows("SELECT id, names, numbers, own FROM Thing ORDER BY id") == [
                ["1", #"["x","y"]"#, "[0,1]", #"["list"]"#], ["2", "[]", "[]", #"["list"]"#], ["3", "[]", "∅", "∅"],
                ["4", "∅", "∅", "∅"],
            ])
        let links = "SELECT t.id, p.name FROM Thing_parts l JOIN Thing t ON t.objectID = l.source"
        #expect(
            try scene.rows("\(links) JOIN Part p ON p.objectID = l.target ORDER BY l.position")
                == [["1", "x"], ["1", "y"]])
    }

    @Test func listsBecomeJSON() throws {
        let scene = try scene()
        let outcome = try scene.run(ListAttributeTests.feed, "--findings", scene.file("f.ndjson"))
        #expect(outcome.status == 0, "\(outcome.errors)")
        let rows = try scene.rows("SELECT * FROM Book ORDER BY id").map { Array($0.dropFirst()) }
        #expect(
            rows[0] == [
                "1", #"["a",null,"say \"x\"\n","7","true"]"#, #"["A","C"]"#, #"["A x",null,"C z"]"#, "[1999,2001]",
                #"["1.00","2.50"]"#, "[100,0.1,1e-7]", "[true,false,true]", "[3600,60,5]", #"["2026-11-20"]"#,
                #"["D","F"]"#,
            ])
        #expect(rows[1] == ["2", "[]", "[]", "[]", "[]", "∅", "[2.5]", "∅", "∅", "∅", "[]"])
        #expect(rows[2].first == "5" && rows[2].dropFirst().allSatisfy { $0 == "∅" })
        let findings = try String(contentsOfFile: scene.file("f.ndjson"), encoding: .utf8)
        #expect(findings.contains(#"{ "attribute": "tags", "reason": "text expected, found an object: "#))
        #expect(
            findings.contains(#"{ "attribute": "years", "reason": "at least 1000 expected, found the string \"12\"" }"#)
        )
    }

    @Test func whatIsAbsentStays() throws {
        let scene = try scene()
        try scene.run(ListAttributeTests.feed)
        let same = try scene.run(ListAttributeTests.feed)
        #expect(same.count("Book", "unchanged") == 3)
        let outcome = try scene.run(#"[{"id": 1, "tags": ["b"], "flags": null}]"#)
        #expect(outcome.count("Book", "updated") == 1)
        let row = try scene.rows("SELECT tags, names, flags FROM Book WHERE id = 1")
        #expect(row == [[#"["b"]"#, #"["A","C"]"#, "∅"]])
    }

    @Test func aListMayBecomeTheColumnOfText() throws {
        let scene = try scene()
        try scene.run(ListAttributeTests.feed)
        let text = try String(contentsOfFile: scene.file("p.jsonc"), encoding: .utf8)
        try scene.write(
            "p.jsonc", text.replacing(#""tags": { "type": "text", "many": true }"#, with: #""tags": "text""#))
        let outcome = try scene.run(#"[{"id": 1, "tags": "x"}]"#)
        #expect(outcome.status == 78, "what was a list is JSON, which is another type")
        try scene.write(
            "p.jsonc", text.replacing(#""tags": { "type": "text", "many": true }"#, with: #""tags": "json""#))
        #expect(try scene.run(#"[{"id": 1, "tags": ["y"]}]"#).status == 0)
    }

    /// Every match of a pattern, in attributes and in relationships.
    @Test func matchesAreSeveralValues() throws {
        let scene = try LanguageScene(
            """
            { "Tag": { "identifier": "name", "attributes": { "name": "text" } },
              "Post": { "records": "$[*]", "identifier": "id", "attributes": {
                  "id": "integer",
                  "years": { "type": "integer", "many": true, "from": "text", "matches": "\\\\b[0-9]{4}\\\\b" },
                  "letters": { "type": "text", "many": true, "from": "text", "split": " ", "matches": "^(.)" } },
                "relationships": {
                  "tags": { "to": "Tag", "from": "text", "many": true, "matches": "#(\\\\w+)", "missing": "stub" } } } }
            """, #""limits": { "records": null }"#)
        let outcome = try scene.run(
            """
            [{"id": 1, "text": "in 1999 and 2001: #a, #b and #a é"}, {"id": 2, "text": "none 12345"},
             {"id": 3, "text": 2020}, {"id": 4}]
            """)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(
            try scene.lines("SELECT id, years, letters FROM Post ORDER BY id") == [
                ##"1 [1999,2001] ["i","1","a","2","#","#","a","#","é"]"##, #"2 [] ["n","1"]"#, #"3 [2020] ["2"]"#,
                "4 ∅ ∅",
            ])
        #expect(
            try scene.lines("SELECT source, name FROM Post_tags JOIN Tag ON Tag.objectID = target ORDER BY 1, 2") == [
                "1 a", "1 b",
            ])
    }

    /// A field may be one value or a list of them, however its path is written, also where its texts are split.
    @Test(arguments: ["tags", "tags[*]"]) func oneValueOrAList(_ path: String) throws {
        let scene = try LanguageScene(
            """
            { "Post": { "records": "$[*]", "identifier": "id", "attributes": {
                  "id": "integer",
                  "plain": { "type": "text", "many": true, "from": "\(path)" },
                  "split": { "type": "text", "many": true, "from": "\(path)", "split": ";" },
                  "words": { "type": "text", "many": true, "from": "\(path)", "matches": "[a-z]+" },
                  "both": { "type": "text", "many": true, "from": "\(path)", "split": ";", "matches": "^." },
                  "some": { "type": "text", "many": true, "from": ["none", "\(path)"], "split": ";" }
            } } }
            """, #""limits": { "rejects": null }"#)
        let outcome = try scene.run(
            """
            [{"id": 1, "tags": "p q;r"}, {"id": 2, "tags": ["p q;r", null, "s"]}, {"id": 3, "tags": []},
             {"id": 4, "tags": null}, {"id": 5}, {"id": 6, "tags": 7}, {"id": 7, "tags": ""}]
            """)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(
            try scene.lines("SELECT id, plain, split, words, both, some FROM Post ORDER BY id") == [
                ##"1 ["p q;r"] ["p q","r"] ["p","q","r"] ["p","r"] ["p q","r"]"##,
                ##"2 ["p q;r",null,"s"] ["p q","r","s"] ["p","q","r","s"] ["p","r","s"] ["p q","r","s"]"##,
                ##"3 [] [] [] [] ∅"##, ##"4 ∅ ∅ ∅ ∅ ∅"##, ##"5 ∅ ∅ ∅ ∅ ∅"##,
                ##"6 ["7"] ["7"] [] ["7"] ["7"]"##, ##"7 [""] [] [] [] []"##,
            ])
    }

    /// `[*]` and `.*` are the members of an object as they are the elements of a list; a path without them is no
    /// object.
    @Test func membersAreValues() throws {
        let scene = try LanguageScene(
            """
            { "Tag": { "identifier": "name", "attributes": { "name": "text" } },
              "Post": { "records": "$[*]", "identifier": "id", "attributes": {
                  "id": "integer",
                  "any": { "type": "text", "many": true, "from": "names.*" },
                  "each": { "type": "text", "many": true, "from": "names[*]" },
                  "keys": { "type": "text", "many": true, "from": "o.*~" },
                  "deep": { "type": "integer", "many": true, "from": "o.*.x" } },
                "relationships": {
                  "tags": { "to": "Tag", "from": "names.*", "many": true, "oneOrMany": true, "missing": "stub" } } } }
            """, #""limits": { "rejects": null }"#)
        let outcome = try scene.run(
            """
            [{"id": 1, "names": {"de": "Feld", "en": "Field"}, "o": {"k": {"x": 1}, "l": {"x": 2}}},
             {"id": 2, "names": ["a", "b"], "o": [{"x": 3}]}, {"id": 3, "names": "c", "o": {"x": 4}},
             {"id": 4, "names": {}, "o": {}}, {"id": 5, "names": {"de": {"x": "no text"}}}]
            """)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.count("Post", "rejected") == 1)
        #expect(
            try scene.lines("SELECT id, \"any\", \"each\", keys, deep FROM Post ORDER BY id") == [
                ##"1 ["Feld","Field"] ["Feld","Field"] ["k","l"] [1,2]"##, ##"2 ["a","b"] ["a","b"] ["0"] [3]"##,
                ##"3 ["c"] ["c"] ["x"] [4]"##, ##"4 [] [] [] []"##,
            ])
        #expect(
            try scene.lines("SELECT source, name FROM Post_tags JOIN Tag ON Tag.objectID = target ORDER BY 1, 2") == [
                "1 Feld", "1 Field", "2 a", "2 b", "3 c",
            ])
    }
}
