import Foundation
import Testing

/// Of a record that is a reject, the other values are what the definition makes of them.
@Suite struct RejectedTypesTests {
    private let scratch = TemporaryFolder()

    private func night(_ cost: (Int) -> String, _ more: String = "") throws -> [String] {
        let records = (1...20).map {
            #"{"id": \#($0), "cost": \#(cost($0)), "cd": \#($0 % 2 == 0 ? "4" : "false"), "to": \#($0 % 2 == 0 ? "1" : "false")}"#
        }
        _ = try scratch.write("f.json", "[\((records + [more]).filter { !$0.isEmpty }.joined(separator: ",\n"))]")
        let outcome = try Sluice.run(["run", scratch.file("p.jsonc"), "--format", "json"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let examples = outcome.report["examples"] as? [[String: Any]] ?? []
        return examples.filter { $0["reason"] as? String == "type" }.compactMap { $0["attribute"] as? String }
    }

    /// What `match` takes nothing of is null, whatever else the record has; a value that is refused is what it is.
    @Test func whatIsNullInARejectIsNull() throws {
        _ = try scratch.write(
            "p.jsonc",
            """
            { "source": { "file": "f.json" }, "store": { "sqlite": "s.sqlite" }, "limits": { "rejects": 21 },
              "entities": { "Item": { "records": "$[*]", "identifier": "id",
                "attributes": { "id": "integer", "cost": "integer", "cd": { "type": "integer", "match": "^\\\\d+$" } },
                "relationships": { "to": { "to": "Item", "match": "^\\\\d+$" } } } } }
            """)
        #expect(try night { "\($0)" } == [])
        #expect(try night { $0 % 2 == 0 ? "\($0)" : "\"\($0) gold\"" } == ["cost"])
        // Of a record that the reader rejects, nothing is converted.
        #expect(try night({ "\($0)" }, #"{"id": "\ud800", "cost": 1, "cd": false, "to": false}"#) == ["id"])
    }
}
