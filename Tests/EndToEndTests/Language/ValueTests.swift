import Foundation
import Testing

/// Values that are not in the record, and values that are one or several.
@Suite struct ValueTests {
    @Test func oneValueOrAListOfThem() throws {
        let scene = try LanguageScene(
            """
            { "Book": { "records": "$.books[*]", "identifier": "id", "attributes": { "id": "integer" },
                "relationships": {
                  "refs": { "to": "Book", "many": true, "from": "meta.refs", "oneOrMany": true },
                  "authors": { "to": "Author", "many": true, "missing": "stub",
                    "identifier": [{ "from": "author[*].name", "oneOrMany": true },
                      { "from": "author[*].born", "oneOrMany": true, "default": 0 }] } } },
              "Author": { "records": "$.none[*]", "identifier": ["name", "born"],
                "attributes": { "name": "text", "born": "integer" } } }
            """, #""limits": { "records": null }"#)
        let outcome = try scene.run(
            """
            {"books": [
              {"id": 1, "meta": {"refs": 2}, "author": {"name": "a", "born": 1}},
              {"id": 2, "meta": {"refs": [1, 3]}, "author": [{"name": "a", "born": 1}, {"name": "b"}, {"born": 9}]},
              {"id": 3, "meta": {"refs": []}, "author": []}, {"id": 4, "meta": {"refs": null}, "author": {}},
              {"id": 5} ]}
            """)
        #expect(outcome.count("Book", "created") == 5)
        #expect(
            try scene.lines("SELECT source, target FROM Book_refs ORDER BY source, position") == ["1 2", "2 1", "2 3"])
        #expect(
            try scene.lines(
                "SELECT source, name, born FROM Book_authors JOIN Author ON objectID = target ORDER BY 1, 2") == [
                    "1 a 1", "2 a 1", "2 b 0",
                ])
        // Where nothing is said of them, they stay; but a part that has a default says something.
        try scene.run(#"{"books": [{"id": 1}, {"id": 2, "meta": {}, "author": null}]}"#)
        #expect(try scene.lines("SELECT source, target FROM Book_refs ORDER BY 1, 2") == ["1 2", "2 1", "2 3"])
        #expect(try scene.lines("SELECT source FROM Book_authors") == [])
    }

    @Test func filesLinesAndConstants() throws {
        let scene = try LanguageScene(
            #"""
            { "Entry": { "records": "$[*]", "identifier": ["night", "line"], "attributes": {
                "night": { "type": "date", "from": "$file", "match": "\\d{4}-\\d{2}", "format": "%Y-%m" },
                "line": { "type": "integer", "from": "$line" }, "file": { "type": "text", "from": "$file" },
                "origin": { "type": "text", "from": ["origin", { "value": "unknown" }] },
                "tenant": { "type": "integer", "value": 7 } } } }
            """#, source: #"{ "file": "feeds/*.json" }"#)
        try FileManager.default.createDirectory(atPath: scene.file("feeds"), withIntermediateDirectories: true)
        try scene.write("feeds/a-2026-10.json", "[{},\n{\"origin\": \"x\"}]")
        try scene.write("feeds/b-2026-11.json", "\n[{}]")
        #expect(try scene.run(nil, "--batch-size", "1").status == 0)
        #expect(
            try scene.lines("SELECT night, line, file, origin, tenant FROM Entry ORDER BY 1, 2") == [
                "2026-10-01 1 a-2026-10.json unknown 7", "2026-10-01 2 a-2026-10.json x 7",
                "2026-11-01 2 b-2026-11.json unknown 7",
            ])
    }
}
