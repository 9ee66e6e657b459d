import Foundation
import TestSupport
import Testing

/// The list of runs tells replays from nights.
struct ReplayListTests {
    private let folder = TemporaryFolder()

    /// A night with a reject, a replay of its feed from the archive, one of a file, and one of the mended reject.
    private func nights() throws -> String {
        let definition = try folder.write(
            "p.jsonc",
            """
            { "source": { "file": "p.json" }, "store": { "sqlite": "p.sqlite" }, "archive": { "directory": "a" },
              "limits": { "rejects": 3 },
              "entities": { "S": { "records": "$[*]", "identifier": "id", "attributes": { "id": "integer", "n": "integer" } } } }
            """)
        let good = (1...40).map { #"{"id": \#($0), "n": 1}"# }.joined(separator: ",")
        let feed = try folder.write("p.json", #"[\#(good), {"id": 41, "n": "bad"}]"#)
        func sluice(_ words: String...) throws {
            let outcome = try Sluice.run(words + ["--quiet"])
            try #require(outcome.status == 0, "\(outcome.errors)")
        }
        try sluice("run", definition, "--findings", folder.file("f.ndjson"))
        let mended = try String(contentsOfFile: folder.file("f.ndjson"), encoding: .utf8)
            .replacing(#""n":"bad""#, with: #""n":1"#)
        try sluice("replay", definition, "--run", "1")
        try sluice("replay", definition, feed)
        try sluice("replay", definition, "--rejects", folder.write("m.ndjson", mended))
        return definition
    }

    @Test func replaysAreMarked() throws {
        let definition = try nights()
        let text = try Sluice.run(["runs", definition]).output.split(separator: "\n").map(String.init)
        #expect(text[0].hasSuffix("  Replay of"))
        let ends = ["    rejects", "     a feed", "          1", "           "]
        for (line, end) in zip(text.dropFirst(), ends) {
            #expect(line.padding(toLength: text[0].count, withPad: " ", startingAt: 0).hasSuffix(end), "\(text)")
        }
        let json = try Sluice.run(["runs", definition, "--format", "json"]).output
        let runs = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]])
        #expect(runs.map { $0["replay"] as? Bool } == [true, true, true, false])
        #expect(runs.map { $0["mended"] as? Bool } == [true, false, false, false])
        let shown = try Sluice.run(["runs", definition, "--run", "4"]).output
        #expect(shown.contains(" UTC, a replay of rejects\n"), "\(shown)")
    }

    /// One record is not unusual for a replay of rejects.
    @Test func thePageMarksReplays() throws {
        let page = folder.file("runs.html")
        #expect(try Sluice.run(["runs", nights(), "--report", page]).status == 0)
        let text = try String(contentsOfFile: page, encoding: .utf8)
        #expect(text.contains(">Replay of</th>") && text.contains(">rejects</td>") && text.contains(">a feed</td>"))
        #expect(!text.contains("usual are"))
    }
}
