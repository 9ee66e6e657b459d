import Foundation
import StoreMirror
import Testing

/// A run that would delete more than it may names some of the objects: whoever is told of it wants to look them up.
@Suite struct NamedDeletionTests {
    private let folder = TemporaryFolder()

    @Test(arguments: [false, true], ["delete", "mark"])
    func someAreNamed(onServer: Bool, absent: String) throws {
        let server = try TestServer(name: "named")
        defer { try? server.drop() }
        let definition = try write(absent, onServer ? server.definition : #"{ "sqlite": "s.sqlite" }"#)
        try feed(Array(0..<40))
        #expect(try Sluice.run(["run", definition]).status == 0)
        try feed([1] + Array(3..<40))
        let report = folder.file("report.json")
        let expected = """
            the limit of 1 deletes is exceeded: there are 2: Item ["a", 0], Item ["a", 2] (limits.deletes; \
            --allow deletes=2 for one run)
            """
        for words in [["--dry-run"], []] {
            let outcome = try Sluice.run(["run", definition, "--report", report] + words)
            #expect(outcome.status == 65 && outcome.errors == "sluice: \(expected)\n", "\(outcome.errors)")
            let json = try String(contentsOfFile: report, encoding: .utf8)
            #expect(json.contains(#"{ "entity": "Item", "identifier": ["a", 2] }]"#), "\(json.prefix(900))")
        }
        // Of an earlier run, the reason stays; a list of runs has it in short.
        let shown = try Sluice.run(["runs", definition, "--run", "2"]).output.replacing("\n  ", with: " ")
        #expect(shown.contains(#"there are 2: Item ["a", 0], Item ["a", 2] ("#), "\(shown)")
        #expect(try !Sluice.run(["runs", definition]).output.contains(#"["a", 0]"#))
    }

    /// Of many, a message has a few and the report some more, whatever batches they go in.
    @Test func ofManyAFewAreNamed() throws {
        let definition = try write("delete", #"{ "sqlite": "s.sqlite" }"#)
        try feed(Array(0..<60))
        #expect(try Sluice.run(["run", definition]).status == 0)
        try feed([59])
        let outcome = try Sluice.run(["run", definition, "--batch-size", "7", "--format", "json"])
        #expect(outcome.errors.contains(#"there are 59, among them Item ["a", 0], Item ["a", 1]"#), "\(outcome.errors)")
        #expect(outcome.errors.contains(#"Item ["a", 4] (limits"#), "\(outcome.errors)")
        let exceeded = try #require((outcome.report["exceeded"] as? [[String: Any]])?.first)
        #expect((exceeded["objects"] as? [Any])?.count == 20)
    }

    private func write(_ absent: String, _ store: String) throws -> String {
        try folder.write(
            "p.jsonc",
            """
            { "source": { "file": "feed.json" }, "store": \(store), "limits": { "deletes": 1 },
              "entities": { "Item": { "records": "$[*]", "identifier": ["kind", "id"], "absent": "\(absent)",
                "attributes": { "kind": "text", "id": "integer" } } } }
            """)
    }

    private func feed(_ ids: [Int]) throws {
        let records = ids.map { #"{"kind": "a", "id": \#($0)}"# }
        _ = try folder.write("feed.json", "[\(records.joined(separator: ","))]")
    }
}
