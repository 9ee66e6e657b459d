import Foundation
import StoreMirror
import Testing

/// A waiting reference finds its target with the next run, even one that a run which failed after it had saved batches,
/// or a program, has brought.
@Suite struct LateTargetTests {
    private let folder = TemporaryFolder()

    private func define(_ server: TestServer?, _ settings: String = "") throws -> String {
        try folder.write(
            "p.jsonc",
            """
            { "source": { "file": "feed.ndjson" }, "store": \(server?.definition ?? #"{ "sqlite": "s.sqlite" }"#),
              "limits": { "records": 0, "missing": null }\(settings),
              "entities": {
                "Stop": { "records": "$", "where": { "kind": "stop" }, "identifier": "id", "attributes": { "id": "text" },
                  "relationships": { "line": { "to": "Line" }, "lines": { "to": "Line", "many": true, "from": "lines[*]" } } },
                "Line": { "records": "$", "where": { "kind": "line" }, "identifier": "id", "attributes": { "id": "text" } } } }
            """)
    }

    private func run(_ lines: String..., more: [String] = []) throws -> Sluice.Outcome {
        _ = try folder.write("feed.ndjson", lines.joined(separator: "\n"))
        return try Sluice.run(["run", folder.file("p.jsonc")] + more)
    }

    private func isLinked(_ server: TestServer?) throws -> Bool {
        try folder.rows("SELECT count(line) FROM @\"Stop\"", on: server) == ["1"]
            && folder.rows("SELECT count(*) FROM @\"Stop_lines\"", on: server) == ["1"]
            && folder.rows("SELECT count(*) FROM @sluice_unresolved", on: server) == ["0"]
    }

    private static let stop = #"{"kind": "stop", "id": "a", "line": "x", "lines": ["x"]}"#
    private static let line = #"{"kind": "line", "id": "x"}"#

    @Test(arguments: [false, true], [[], ["--force"]])
    func aFailedRunHasBroughtIt(onServer: Bool, more: [String]) throws {
        let server = onServer ? try TestServer(name: "late") : nil
        defer { try? server?.drop() }
        _ = try define(server, #", "commit": "batch", "batchSize": 1"#)
        #expect(try run(LateTargetTests.stop).status == 0)
        #expect(try run(LateTargetTests.line, #"{"kind": "line", "id": "y"}"#, #"{"kind":"#).status == 65)
        #expect(try folder.rows("SELECT count(*) FROM @\"Line\" WHERE id = 'x'", on: server) == ["1"])
        let outcome = try run(LateTargetTests.line, #"{"kind": "line", "id": "y"}"#, more: more)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try isLinked(server))
    }

    /// The night does not read it, nor anything else of its entity.
    @Test(arguments: [false, true], ["", #", "fingerprints": false"#])
    func aProgramHasBroughtIt(onServer: Bool, settings: String) throws {
        let server = onServer ? try TestServer(name: "late") : nil
        defer { try? server?.drop() }
        _ = try define(server, settings)
        #expect(try run(LateTargetTests.stop).status == 0)
        _ = try folder.rows("INSERT INTO @\"Line\" (\"objectID\", id) VALUES (77, 'x')", on: server)
        let dry = try run(#"{"kind": "stop", "id": "b"}"#, more: ["--dry-run", "--format", "json"])
        let outcome = try run(#"{"kind": "stop", "id": "b"}"#, more: ["--format", "json"])
        #expect(dry.status == 0 && outcome.status == 0, "\(outcome.errors)")
        #expect(try isLinked(server))
        for outcome in [dry, outcome] {
            let entities = outcome.report["entities"] as? [String: [String: Any]]
            let relationships = entities?["Stop"]?["relationships"] as? [String: [String: Int]]
            #expect(relationships?["line"]?["late"] == 1 && relationships?["lines"]?["late"] == 1, "\(outcome.report)")
        }
    }
}
