import Foundation
import StoreMirror
import TestSupport
import Testing

/// What a history tells of values, and by which it finds objects, is what they are: in both stores.
@Suite struct HistoryValueTests {
    private let folder = TemporaryFolder()

    private func define(_ server: TestServer?, _ entities: String) throws -> String {
        try folder.write(
            "p.jsonc",
            """
            { "name": "p", "source": { "file": "f.json" }, "store": \(server?.definition ?? #"{ "sqlite": "s.sqlite" }"#),
              "history": true, "views": true, "entities": { \(entities) } }
            """)
    }

    private func output(_ words: String...) throws -> String {
        let outcome = try Sluice.run(words)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return outcome.output
    }

    private func run(_ definition: String, _ feed: String) throws {
        _ = try folder.write("f.json", feed)
        _ = try output("run", definition, "--quiet")
    }

    /// Lists and JSON are shown as such; a text that reads like a list stays a text.
    @Test(arguments: [false, true]) func documentsAreShownAsTheyAre(onServer: Bool) throws {
        let server = onServer ? try TestServer(name: "documents") : nil
        defer { try? server?.drop() }
        let definition = try define(
            server,
            """
            "A": { "records": "$[*]", "identifier": "id", "attributes": { "id": "integer", "t": "text", "d": "json",
              "l": { "type": "text", "many": true, "from": "l[*]" } } }
            """)
        try run(definition, #"[{"id": 1, "t": "[1]", "d": {"a": [1]}, "l": ["x", "y"]}]"#)
        try run(definition, #"[{"id": 1, "t": "[2]", "d": {"a": [2]}, "l": ["x"]}]"#)
        let told = [try output("diff", definition, "1", "2"), try output("history", definition, "A", "1")]
        for text in told {
            let plain = text.replacing(" ", with: "")
            for words in [#""[1]""#, #"{"a":[1]}"#, #"["x","y"]"#] { #expect(plain.contains(words), "\(text)") }
            #expect(!text.contains("\\"), "\(text)")
        }
    }

    /// Texts that a number could be taken for, and bytes.
    @Test(arguments: [false, true]) func objectsAreFoundByWhatTheyAre(onServer: Bool) throws {
        let server = onServer ? try TestServer(name: "values") : nil
        defer { try? server?.drop() }
        let definition = try define(
            server,
            """
            "A": { "records": "$.a[*]", "identifier": "id", "attributes": { "id": "text", "v": "text" } },
            "B": { "records": "$.b[*]", "identifier": "id", "attributes": { "id": "bytes" } }
            """)
        try run(
            definition, #"{ "a": [{ "id": "1", "v": "one" }, { "id": "01", "v": "none" }], "b": [{ "id": "q80=" }] }"#)
        for (id, value) in [("1", "one"), ("01", "none")] {
            #expect(try output("history", definition, "A", id, "--format", "json").contains(#""v": "\#(value)""#))
        }
        #expect(try !output("history", definition, "B", "abcd").isEmpty)
        for (entity, id) in [("A", "001"), ("A", "+1"), ("A", "1.0"), ("B", "ab"), ("B", "abc"), ("B", "q80=")] {
            #expect(try Sluice.run(["history", definition, entity, id]).status == 66, "\(id)")
            #expect(try Sluice.run(["forget", definition, entity, id]).status == 66, "\(id)")
        }
    }

    /// An identifier of several parts is a list, with all digits of its numbers.
    @Test(arguments: [false, true]) func aReferenceToOneOfSeveralIsAList(onServer: Bool) throws {
        let server = onServer ? try TestServer(name: "values") : nil
        defer { try? server?.drop() }
        let target = { (name: String) in
            """
            "\(name)": { "records": "$.\(name)[*]", "identifier": ["k", "n"],
              "attributes": { "k": "text", "n": "real" } }
            """
        }
        let definition = try define(
            server,
            """
            "A": { "records": "$.A[*]", "identifier": "id", "attributes": { "id": "integer" }, "relationships": {
              "r": { "to": ["B", "C"], "identifier": ["k", "n"], "entity": "kind" } } },
            \(target("B")), \(target("C"))
            """)
        for place in [#""kind": "B", "k": "x", "n": 0.30000000000000004"#, #""kind": "C", "k": "x", "n": 2.5"#, ""] {
            try run(
                definition,
                """
                { "A": [{ "id": 1\(place.isEmpty ? #", "kind": null, "k": null, "n": null"# : ", " + place) }],
                  "B": [{ "k": "x", "n": 0.30000000000000004 }], "C": [{ "k": "x", "n": 2.5 }] }
                """)
        }
        let told = try output("diff", definition, "1", "2", "--format", "ndjson")
        #expect(told.contains(#""r": { "from": ["x",0.30000000000000004], "to": ["x",2.5] }"#), "\(told)")
        let gone = try output("diff", definition, "2", "3", "--format", "ndjson")
        #expect(gone.contains(#""r": { "from": ["x",2.5], "to": null }"#), "\(gone)")
        let versions = try output("history", definition, "A", "1", "--format", "json")
        #expect(versions.contains(#""r": ["x",0.30000000000000004]"#), "\(versions)")
    }

    /// Numbers have all their digits, and nothing is not an empty value.
    @Test(arguments: [false, true]) func linksAreToldAsTheyAre(onServer: Bool) throws {
        let server = onServer ? try TestServer(name: "values") : nil
        defer { try? server?.drop() }
        let definition = try define(
            server,
            """
            "B": { "records": "$.b[*]", "identifier": "k", "attributes": { "k": "real" } },
            "A": { "records": "$.a[*]", "identifier": "id", "attributes": { "id": "integer" }, "relationships": {
              "bs": { "to": "B", "many": true, "from": "l[*].k",
                "with": { "at": { "type": "real", "from": "at" }, "w": { "type": "bytes", "from": "w" } } },
              "either": { "to": ["A", "B"], "many": true, "from": "e[*].k", "entity": "e[*].kind" } } }
            """)
        let (first, second) = (1_732_060_800_123_456.0, 0.1 + 0.2)
        for (at, bytes) in [("\(first)", #""/w==""#), ("\(first + 1)", "null"), ("\(first + 1)", #""""#)] {
            try run(
                definition,
                """
                { "b": [{ "k": \(first) }, { "k": \(second) }], "a": [{ "id": 1,
                  "l": [{ "k": \(first), "at": \(at), "w": \(bytes) }, { "k": \(second), "at": 2.5 }],
                  "e": [{ "kind": "B", "k": \(second) }, { "kind": "A", "k": 1 }] }] }
                """)
        }
        func changes(_ from: String, _ to: String) throws -> [String: [String: [Any]]]? {
            let line = try output("diff", definition, from, to, "--format", "ndjson")
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return object?["changes"] as? [String: [String: [Any]]]
        }
        let one = try #require(try changes("1", "2"))
        #expect(one["bs.at"]?["from"] as? [Double] == [first, 2.5])
        #expect(one["bs.at"]?["to"] as? [Double] == [first + 1, 2.5])
        #expect(one["bs.w"]?["from"]?.first as? String == "ff" && one["bs.w"]?["to"]?.first is NSNull)
        let two = try #require(try changes("2", "3"))
        #expect(two["bs.w"]?["from"]?.first is NSNull && two["bs.w"]?["to"]?.first as? String == "")
        let versions = try output("history", definition, "A", "1", "--format", "json")
        #expect(versions.contains("0.30000000000000004"), "\(versions)")
        if !onServer {
            let shown = try Database(folder.file("s.sqlite")).rows("SELECT bs, either FROM A_view")
            #expect(
                shown == [
                    [
                        "[1732060800123456.0,0.30000000000000004]",
                        #"[{"entity":"B","identifier":0.30000000000000004},{"entity":"A","identifier":1}]"#,
                    ]
                ])
        }
    }

    /// An object whose identifier gets another type is the same object, and a value in another form the same value.
    @Test func typesThatChange() throws {
        func define(_ type: String) throws -> String {
            try self.define(
                nil,
                """
                "A": { "records": "$[*]", "identifier": "id", "attributes": { "id": "\(type)", "n": "\(type)" },
                  "relationships": { "a": { "to": "A" } } }
                """)
        }
        let feed = #"[{ "id": "1", "n": "5", "a": "2" }, { "id": "2", "n": "6" }]"#
        try run(define("text"), feed)
        let definition = try define("integer")
        try run(definition, feed.replacing("\"6\"", with: "7"))
        let told = try output("diff", definition, "1", "2", "--format", "ndjson")
        #expect(
            told
                == #"{ "entity": "A", "identifier": 2, "event": "changed", "changes": { "n": { "from": 6, "to": 7 } } }\#n"#
        )
        #expect(try output("diff", definition, "2", "1").contains("created") == false)
        let view = "SELECT typeof(id), n FROM A_history WHERE id = 2 ORDER BY from_run"
        #expect(try Database(folder.file("s.sqlite")).rows(view) == [["integer", "6"], ["integer", "7"]])
        try run(define("text"), feed)
        #expect(try output("diff", definition, "1", "3", "--format", "ndjson") == "")
    }

    @Test(arguments: ["text", "ndjson", "sql"]) func beforeTheHistory(_ format: String) throws {
        let definition = try define(
            nil, #""A": { "records": "$[*]", "identifier": "id", "attributes": { "id": "text" } }"#)
        let without = try String(contentsOfFile: definition, encoding: .utf8)
            .replacing("\"history\": true", with: "\"history\": false")
        let earlier = try folder.write("q.jsonc", without)
        for id in ["1", "2"] { try run(earlier, "[{ \"id\": \"\(id)\" }]") }
        try run(definition, #"[{ "id": "3" }]"#)
        let outcome = try Sluice.run(["diff", definition, "1", "2", "--format", format])
        #expect(outcome.status == 66 && outcome.output == "", "\(outcome.errors)")
    }
}
