import Foundation
import Testing

/// `check` for programs: what is wrong with definitions, as lines of JSON; and of several definitions.
@Suite struct CheckLinesTests {
    private let folder = TemporaryFolder()

    private func write(_ name: String, _ type: String, _ records: String = "records") throws -> String {
        try folder.write(
            name,
            """
            { "source": { "file": "f.json" }, "store": { "sqlite": "\(name).sqlite" },
              "entities": { "T": { "\(records)": "$[*]", "identifier": "id", "attributes": { "id": "\(type)" } } } }
            """)
    }

    private func lines(_ outcome: Sluice.Outcome) throws -> [[String: Any]] {
        try outcome.output.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
    }

    @Test func mistakesAreLines() throws {
        let wrong = try write("p.jsonc", "intger", "record")
        let outcome = try Sluice.run(["check", "--format", "json", wrong])
        let found = try lines(outcome)
        #expect(outcome.status == 78 && found.count == 2, "\(outcome.output)")
        #expect(found.allSatisfy { $0["kind"] as? String == "mistake" })
        let places = found.compactMap { $0["at"] as? [String: Any] }
        #expect(places.count == 2, "\(places)")
        #expect(places.allSatisfy { $0["file"] as? String == wrong && $0["line"] as? Int == 2 }, "\(places)")
        #expect(found.contains { ($0["message"] as? String)?.contains("did you mean \"integer\"") == true })
        // People see them as before.
        #expect(outcome.errors.split(separator: "\n").count == 2)
        #expect(try Sluice.run(["check", wrong]).output.isEmpty)
    }

    /// Each is checked, whatever is wrong with those before; the highest status counts.
    @Test func severalDefinitions() throws {
        let (good, wrong, other) = (
            try write("a.jsonc", "integer"), try write("b.jsonc", "intger"), try write("c.jsonc", "text")
        )
        let outcome = try Sluice.run(["check", good, wrong, other])
        #expect(outcome.status == 78 && outcome.errors.contains("b.jsonc:2:"))
        #expect(outcome.output.contains("a.jsonc: 1 entity") && outcome.output.contains("c.jsonc: 1 entity"))
        let json = try Sluice.run(["check", "--format", "json", good, wrong, other])
        #expect(json.status == 78)
        #expect(try lines(json).contains { $0["kind"] as? String == "mistake" })
        #expect(try Sluice.run(["check", good, other, "--quiet"]).status == 0)
        for option in ["--store", "--against"] {
            #expect(try Sluice.run(["check", good, other, option, "x"]).status == 64)
        }
        #expect(try Sluice.run(["check", good, other, "--ask"]).status == 64)
    }
}
