import Foundation
import TestSupport
import Testing

/// What the past of an object says of references to objects that were forgotten: not that there were none.
@Suite struct ForgottenTargetTests {
    private let folder = TemporaryFolder()
    private let names = ["b", "c", "d"]

    private func definition() throws -> String {
        try folder.write(
            "d.json",
            """
            { "source": { "file": "f.json" }, "store": { "sqlite": "s.sqlite" }, "history": true,
              "limits": { "deletes": null, "records": 0 }, "entities": {
                "T": { "records": "$.t[*]", "identifier": "id", "absent": "delete", "attributes": { "id": "text" } },
                "U": { "records": "$.u[*]", "identifier": "id", "attributes": { "id": "text" } },
                "P": { "records": "$.p[*]", "identifier": "id", "attributes": { "id": "text" },
                  "relationships": {
                    "r": { "to": "T", "onDelete": "nullify" },
                    "s": { "to": ["T", "U"], "onDelete": "nullify", "entity": "kind" } } } } }
            """)
    }

    /// Nights in which `r` leads to one of the targets that are there, or to none, and targets that are gone are
    /// forgotten at times.
    @Test(arguments: 0..<12) func whereItLedIsNotKnown(seed: Int) throws {
        var random = SeededRandom(8200 + seed)
        let definition = try definition()
        // By run, from 1 on: where the reference led; runs of `forget` change nothing.
        var states: [String?] = [nil]
        var forgotten: [String: Int] = [:]
        for _ in 0..<8 {
            let targets = names.filter { _ in random.below(3) > 0 }
            let target = random.below(4) == 0 ? nil : targets.randomElement(using: &random)
            let feed: [String: Any] = [
                "t": targets.map { ["id": $0] }, "u": [["id": "b"]],
                "p": [["id": "A", "r": target as Any? ?? NSNull(), "s": target as Any? ?? NSNull(), "kind": "T"]],
            ]
            let data = try JSONSerialization.data(withJSONObject: feed)
            _ = try folder.write("f.json", String(decoding: data, as: UTF8.self))
            let outcome = try Sluice.run(["run", definition, "--force"])
            #expect(outcome.status == 0, "\(outcome.errors)")
            states.append(target)
            for name in names where !targets.contains(name) && random.below(2) == 0 {
                guard try Sluice.run(["forget", definition, "T", name]).status == 0 else { continue }
                let runs = try Database(folder.file("s.sqlite")).rows("SELECT max(run) FROM sluice_run")
                if runs != [["\(states.count - 1)"]] { states.append(target) }
                forgotten[name] = states.count
            }
            try check(definition, states, forgotten, "\(seed), run \(states.count - 1)")
        }
    }

    private func check(_ definition: String, _ states: [String?], _ forgotten: [String: Int], _ place: String) throws {
        let outcome = try Sluice.run(["history", definition, "P", "A", "--format", "json"])
        for line in outcome.output.split(separator: "\n") {
            let version = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            let from = try #require((version["from"] as? [String: Any])?["run"] as? Int)
            let to = (version["to"] as? [String: Any])?["run"] as? Int ?? states.count
            let values = try #require(version["values"] as? [String: Any])
            for name in ["r", "s"] {
                for run in from..<to {
                    let isRight =
                        switch (values[name], states[run]) {
                        case (let told as String, let led?): told == led
                        case (let told as [String: Bool], let led?):
                            told == ["unknown": true] && forgotten[led, default: 0] > run
                        case (is NSNull, nil): true
                        default: false
                        }
                    #expect(isRight, "\(place), \(name) at \(run): \(values[name] ?? ""), not \(states[run] ?? "none")")
                }
            }
        }
    }

    @Test func differencesSayThatItIsNotKnown() throws {
        let definition = try definition()
        for name in ["b", "c"] {
            _ = try folder.write("f.json", #"{"t":[{"id":"\#(name)"}],"u":[],"p":[{"id":"A","r":"\#(name)"}]}"#)
            #expect(try Sluice.run(["run", definition]).status == 0)
        }
        #expect(try Sluice.run(["diff", definition, "1", "2", "P"]).output.contains(#"r: "b" → "c""#))
        #expect(try Sluice.run(["forget", definition, "T", "b"]).status == 0)
        #expect(
            try Sluice.run(["diff", definition, "1", "2", "P"]).output.contains(#"r: { "unknown": true } → "c""#))
        let lines = try Sluice.run(["diff", definition, "1", "2", "P", "--format", "ndjson"]).output
        #expect(lines.contains(#""r": { "from": { "unknown": true }, "to": "c" }"#), "\(lines)")
    }

    /// A call that died behind its commit has left what it erased in free pages: the next one takes it from there.
    @Test func whatADeadCallHasLeftGoes() throws {
        let definition = try definition()
        for name in ["b", "c"] {
            _ = try folder.write("f.json", #"{"t":[{"id":"\#(name)"}],"u":[],"p":[{"id":"A","r":"\#(name)"}]}"#)
            #expect(try Sluice.run(["run", definition]).status == 0)
        }
        #expect(try Sluice.run(["forget", definition, "T", "b"]).status == 0)
        let store = try Database(folder.file("s.sqlite"))
        for statement in [
            "PRAGMA secure_delete = OFF", "CREATE TABLE x (a)",
            "INSERT INTO x VALUES ('\(String(repeating: "KEPT", count: 4000))')",
            "DROP TABLE x", "PRAGMA wal_checkpoint(TRUNCATE)",
        ] { _ = try store.rows(statement) }
        func holds() throws -> Bool {
            try Data(contentsOf: URL(fileURLWithPath: folder.file("s.sqlite"))).range(of: Data("KEPTKEPT".utf8)) != nil
        }
        #expect(try holds())
        #expect(try Sluice.run(["forget", definition, "T", "c"]).status == 0)
        #expect(try !holds())
    }
}
