import Foundation
import StoreMirror
import Testing

/// Values in lists, such as identifiers of targets and what links have of their own, are written alike of both stores,
/// and as those of attributes.
@Suite struct ListValueTests {
    private let folder = TemporaryFolder()

    private func define(_ store: String, _ name: String) throws -> String {
        try folder.write(
            name,
            """
            { "name": "p", "source": { "file": "f.json" }, "store": \(store), "history": true, "views": true,
              "entities": {
                "T": { "records": "$[*]", "identifier": "id", "attributes": { "id": "real", "r": "real", "j": "json" },
                  "relationships": {
                    "one": { "to": ["T", "U"], "from": "id" },
                    "any": { "to": ["T", "U"], "many": true, "from": "m[*].x" },
                    "m": { "to": "T", "many": true, "from": "m[*].x",
                      "with": { "n": { "type": "real", "from": "n" }, "j": { "type": "json", "from": "j" },
                        "d": { "type": "decimal", "from": "n" }, "b": { "type": "boolean", "from": "b" } } } } },
                "U": { "records": "$[*].u[*]", "identifier": "a", "attributes": { "a": "real" } } } }
            """)
    }

    private static let numbers = ["1", "-2", "0", "2.5", "1e15", "1e300", "1e-7", "0.1234567890123456", "5e-324"]

    @Test func areAlike() throws {
        let server = try TestServer(name: "lists")
        defer { try? server.drop() }
        let all = Self.numbers.map { #"{ "x": \#($0), "n": \#($0), "b": true, "j": { "b": 1.50, "a": 1 } }"# }
        let records = Self.numbers.map {
            #"{ "id": \#($0), "r": \#($0), "j": { "b": 1.50, "a": 1 }, "m": [\#(all.joined(separator: ","))], "u": [{ "a": 7 }] }"#
        }
        _ = try folder.write("f.json", "[\(records.joined(separator: ",\n"))]")
        var told: [[String]] = []
        for (store, name) in [(#"{ "sqlite": "s.sqlite" }"#, "s.jsonc"), (server.definition, "g.jsonc")] {
            let definition = try define(store, name)
            let run = try Sluice.run(["run", definition, "--quiet"])
            #expect(run.status == 0, "\(run.errors)")
            var outputs: [String] = []
            for words in [
                ["diff", definition, "0", "1", "--format", "ndjson"], ["history", definition, "T", "1"],
                ["history", definition, "T", "2.5", "--format", "json"],
            ] {
                let outcome = try Sluice.run(words)
                #expect(outcome.status == 0 && !outcome.output.isEmpty, "\(words): \(outcome.errors)")
                outputs.append(outcome.output.replacing(/20\d\d-\d\d-\d\d[T ]\d\d:\d\d(:\d\dZ)?/, with: ""))
            }
            told.append(outputs)
        }
        #expect(told[0] == told[1])
        // As attributes are written.
        let real = try #require(told[0][0].matches(of: /"r": ([^,]+),/).map { String($0.1) }.sorted() as [String]?)
        let list = try #require(told[0][0].firstMatch(of: /"m.n": \[(.*?)\]/)).1.split(separator: ",").map(String.init)
        #expect(list.sorted() == real)
    }

    /// Views have the point, too, on a server as in a file.
    @Test func viewsOfAServer() throws {
        let server = try TestServer(name: "lists")
        defer { try? server.drop() }
        _ = try folder.write("f.json", #"[{ "id": 1, "m": [{ "x": 1, "n": 2 }, { "x": 2.5 }] }, { "id": 2.5 }]"#)
        #expect(try Sluice.run(["run", try define(server.definition, "g.jsonc"), "--quiet"]).status == 0)
        #expect(
            try server.rows(#"SELECT m FROM @"T_view" ORDER BY id"#).first?.replacing(" ", with: "") == "[1.0,2.5]")
        // What no feed can hold, programs may write.
        _ = try server.rows(#"UPDATE @"T" SET id = 'NaN' WHERE id = 2.5"#)
        #expect(
            try server.rows(#"SELECT m FROM @"T_view" ORDER BY id"#).first?.replacing(" ", with: "") == #"[1.0,"NaN"]"#)
    }
}
