import Foundation
import Testing

/// What a feed holds that the definition does not expect, in the report.
@Suite struct DriftTests {
    private let scratch = TemporaryFolder()

    private func drift(_ arguments: [String]) throws -> [String] {
        let outcome = try Sluice.run(["run", scratch.file("p.jsonc"), "--format", "json"] + arguments)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let examples = outcome.report["examples"] as? [[String: Any]] ?? []
        let drift = examples.filter { $0["kind"] as? String == "drift" }
        #expect((outcome.report["findings"] as? [String: Int])?["drift"] == drift.count)
        return drift.map { finding in
            let at = finding["at"] as? [String: Any] ?? [:]
            let words = ["entity", "reason", "field", "attribute", "records"].compactMap { finding[$0] }
            return (words + [at["source"] ?? "", at["record"] ?? ""]).map { "\($0)" }.joined(separator: " ")
        }
    }

    /// Counted once for each entity and field, in all files and sources together.
    @Test(arguments: ["1", "5000"]) func filesAndSourcesAreCountedTogether(batchSize: String) throws {
        _ = try scratch.write("a1.ndjson", #"{"id": 1, "x": 1, "name": "a"} {"id": 2, "id": 3, "name": "b"}"#)
        _ = try scratch.write("a2.ndjson", #"{"id": 4, "x": 2, "y": {"z": 1}, "tag": null}"#)
        _ = try scratch.write("b.ndjson", #"{"id": 5, "x": 3, "code": "c"}"#)
        _ = try scratch.write(
            "p.jsonc",
            """
            { "sources": { "a": { "file": "a*.ndjson" }, "b": { "file": "b.ndjson" } },
              "store": { "sqlite": "s.sqlite" },
              "entities": {
                "Item": {
                  "source": ["a", "b"], "records": "$", "identifier": "id",
                  "attributes": {
                    "id": "integer", "name": "text", "code": "text", "tag": "text",
                    "label": { "type": "text", "from": ["lable", "title"] }, "half": { "join": ["id", "no"], "type": "text" }
                  },
                  "relationships": { "parent": { "to": "Item" } }
                },
                "None": { "source": "b", "records": "$.none", "identifier": "n", "attributes": { "n": "text" } }
              } }
            """)
        let expected: Set = [
            "Item unknown x 3 a 0", "Item unknown y 1 a 2", "Item repeated id 1 a 1",
            "Item missing lable, title label 0 a 0", "Item missing parent parent 0 a 0",
        ]
        #expect(Set(try drift(["--batch-size", batchSize])) == expected)
    }

    @Test func whatIsAsExpectedIsNoDrift() throws {
        _ = try scratch.write("a.json", #"[{"id": 1, "of": {"id": 1}}]"#)
        _ = try scratch.write(
            "p.jsonc",
            """
            { "source": { "file": "a.json" }, "store": { "sqlite": "s.sqlite" },
              "entities": {
                "Item": {
                  "records": "$[*]", "identifier": "id", "attributes": { "id": "integer" },
                  "relationships": { "of": { "to": "Item", "from": "of.id" } }
                } } }
            """)
        #expect(try drift([]) == [])
    }

    /// `check --against` finds what a run would, and looks at no store.
    @Test func aFeedCanBeCheckedAlone() throws {
        let (definition, feed) = (
            Sluice.path("Pipelines/berlin-transit.jsonc"), Sluice.path("Samples/berlin-transit.json")
        )
        let findings = scratch.file("findings")
        _ = try Sluice.run([
            "run", definition, "--feed", feed, "--store", scratch.file("s"), "--findings", findings, "-q",
        ])
        let expected = try String(contentsOfFile: findings, encoding: .utf8).split(separator: "\n")
            .filter { $0.contains("\"kind\": \"drift\"") }
        let outcome = try Sluice.run(
            ["check", definition, "--against", feed, "--store", scratch.file("none"), "--format", "json"])
        #expect(outcome.status == 0)
        #expect(Set(outcome.output.split(separator: "\n")) == Set(expected))
        #expect(!expected.isEmpty)
        #expect(!scratch.names.contains("none"))
        let text = try Sluice.run(["check", definition, "--against", feed]).output.replacing(/\s+/, with: " ")
        #expect(text.contains("66 records of StopTime have the field"))
    }

    @Test func whatACheckedFeedMayBe() throws {
        _ = try scratch.write(
            "p.jsonc",
            """
            { "sources": { "a": { "file": "none" }, "b": { "file": "none" } }, "store": { "sqlite": "s" },
              "entities": {
                "A": { "source": "a", "records": "$[*]", "identifier": "id", "attributes": { "id": "text" } },
                "B": { "source": "b", "records": "$[*]", "identifier": "id", "attributes": { "id": "text" } } } }
            """)
        let feed = try scratch.write("feed.json", #"[{"id": "1", "x": 1}]"#)
        func check(_ more: String...) throws -> Sluice.Outcome {
            try Sluice.run(["check", scratch.file("p.jsonc")] + more)
        }
        #expect(
            try check("--against", "b=\(feed)").output.replacing(/\s+/, with: " ").contains(
                "1 record of B has the field x"))
        #expect(try !check("--against", "b=\(feed)").output.contains("of A"))
        #expect(try check("--against", feed).status == 64)
        #expect(try check("--format", "xml").status == 64)
        #expect(try check("--against", "b=\(scratch.file("missing"))").status == 66)
        let broken = try scratch.write("broken.json", #"[{"id": "1", "x": 1}"#)
        #expect(try check("--against", "b=\(broken)").status == 65)
    }
}
