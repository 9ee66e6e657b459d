import Foundation
import Testing

/// Rejects that are replayed as they were are rejects of their own entity, and of no other.
@Suite struct UnmendedTests {
    private let scratch = TemporaryFolder()

    @Test func othersHaveNoRowOfThem() throws {
        let definition = try scratch.write(
            "p.jsonc",
            """
            { "source": { "file": "f.json" }, "store": { "sqlite": "s.sqlite" }, "limits": { "rejects": null },
              "entities": {
                "P": { "records": "$[*]", "where": { "t": "P" }, "identifier": "id", "duplicates": "reject",
                  "attributes": { "id": "text", "v": "text" } },
                "C": { "records": "$[*]", "where": { "t": "C" }, "identifier": "id", "absent": "delete",
                  "attributes": { "id": "text", "v": "text" } } } }
            """)
        let records = (0..<60).map { index in
            let kind = index < 40 ? "P" : "C"
            return #"{"t": "\#(kind)", "id": "\#(kind)\#(index % 20) of some length", "v": "\#(index)"}"#
        }
        _ = try scratch.write("f.json", "[\(records.joined(separator: ","))]")
        #expect(try Sluice.run(["run", definition, "--findings", scratch.file("found.ndjson")]).status == 0)
        let found = try String(contentsOfFile: scratch.file("found.ndjson"), encoding: .utf8)
        let rejects = found.split(separator: "\n").filter { $0.contains("\"reject\"") }
        #expect(rejects.count == 20)
        let same = try scratch.write("same.ndjson", rejects.joined(separator: "\n") + "\n")
        for _ in 0..<4 {
            let replay = try Sluice.run([
                "replay", definition, "--rejects", same, "--findings", scratch.file("again"), "--format", "json",
            ])
            #expect(replay.status == 0, "\(replay.errors)")
            #expect(replay.count("P", "rejected") == 20 && replay.count("C", "rejected") == 0, "\(replay.report)")
        }
    }
}
