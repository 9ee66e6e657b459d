import Foundation
import StoreMirror
import TestSupport
import Testing

/// References to one of several entities of which some are known by one value, and others by several.
@Suite struct KeyHistoryTests {
    private let folder = TemporaryFolder()

    private func run(_ store: String, _ items: String) throws {
        let path = try folder.write(
            "p.jsonc",
            """
            { "source": { "file": "f.json" }, "store": \(store), "history": true, "entities": {
              "Item": { "records": "$.items[*]", "identifier": "id", "attributes": { "id": "integer" },
                "relationships": {
                  "of": { "to": [{ "Part": "place", "from": "place" }, { "Kind": "code", "from": "of" }] } } },
              "Part": { "records": "$.parts[*]", "identifier": ["code", "place"],
                "attributes": { "code": "text", "place": "integer" } },
              "Kind": { "records": "$.kinds[*]", "identifier": "code", "attributes": { "code": "text" } } } }
            """)
        let kinds = #""kinds": [{ "code": "t1" }, { "code": "5" }, { "code": "null" }], "parts": []"#
        _ = try folder.write("f.json", #"{ "items": [\#(items)], \#(kinds) }"#)
        let outcome = try Sluice.run(["run", path, "--quiet", "--allow", "records=0"])
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    private func lines(_ arguments: String...) throws -> [[String: Any]] {
        let outcome = try Sluice.run([arguments[0], folder.file("p.jsonc")] + arguments.dropFirst())
        #expect(outcome.status == 0, "\(outcome.errors)")
        return try outcome.output.split(separator: "\n").map { line in
            try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
        }
    }

    /// A text stays one, whatever it says.
    @Test(arguments: [false, true]) func aTextIsNoJSON(onServer: Bool) throws {
        let server = onServer ? try TestServer(name: "keys") : nil
        defer { try? server?.drop() }
        let store = server?.definition ?? #"{ "sqlite": "s.sqlite" }"#
        try run(store, #"{ "id": 1 }, { "id": 2 }, { "id": 3 }"#)
        try run(store, #"{ "id": 1, "of": "t1" }, { "id": 2, "of": "5" }, { "id": 3, "of": "null" }"#)
        for (id, key) in [(1, "t1"), (2, "5"), (3, "null")] {
            let changes = try lines("diff", "1", "2", "--format", "ndjson").first { $0["identifier"] as? Int == id }
            let change = (changes?["changes"] as? [String: [String: Any]])?["of"]
            #expect(change?["to"] as? String == key, "\(String(describing: changes))")
            let versions = try lines("history", "Item", String(id), "--format", "json")
            let values = versions.first?["values"] as? [String: Any]
            #expect(values?["of"] as? String == key, "\(versions)")
        }
    }
}
