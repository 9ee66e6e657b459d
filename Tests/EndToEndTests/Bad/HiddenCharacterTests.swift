import Foundation
import Testing

/// Whatever a definition or a feed holds, what is shown can be seen, and does nothing to a terminal.
@Suite struct HiddenCharacterTests {
    private static let hidden = "\u{1B}[2J\u{202E}\u{200B}\u{FEFF}\u{9B}"
    private static let shown = #"\u001b[2J\u202e\u200b\ufeff\u009b"#

    @Test func nothingHiddenIsShown() throws {
        let folder = TemporaryFolder()
        let name = "A" + HiddenCharacterTests.hidden
        let escaped = "A" + HiddenCharacterTests.shown
        _ = try folder.write(
            "p.jsonc",
            """
            { "name": "\(escaped)", "source": { "file": "f.json" }, "store": { "sqlite": "s.sqlite" },
              "limits": { "rejects": null }, "findings": "found.ndjson",
              "entities": { "\(escaped)": { "records": "$[*]", "identifier": "id",
                "attributes": { "id": "text", "\(escaped)n": { "type": "integer", "from": "n" } },
                "relationships": { "\(escaped)r": { "to": "\(escaped)", "from": "r" } } } } }
            """)
        _ = try folder.write(
            "f.json",
            """
            [{"id": "\(name.dropFirst(5))", "r": "\(name.dropFirst(5))x", "n": 1},
             {"id": "b", "n": "\(name.dropFirst(5))", "\(name.dropFirst(5))": 1},
             {"id": "b\(name.dropFirst(5))", "n": 2, "r": "b"}, {"id": "b\(name.dropFirst(5))", "n": 3}]
            """)
        let outputs = ["--report", "r.html", "--metrics", "m.prom"]
        let commands = [
            ["preview", "p.jsonc"], ["preview", "p.jsonc", "--format", "json"], ["check", "p.jsonc"],
            ["check", "p.jsonc", "--against", "f.json"], ["run", "p.jsonc", "--log", "json"] + outputs,
            ["run", "p.jsonc", "--force", "--format", "json"], ["run", "p.jsonc", "--force", "--limit"],
            ["runs", "p.jsonc"], ["runs", "p.jsonc", "--format", "json"], ["runs", "p.jsonc", "--report", "runs.html"],
            ["unresolved", "p.jsonc"], ["unresolved", "p.jsonc", "--format", "json"],
            ["run", "p.jsonc", "--feed", name], ["run", "p.jsonc", "--force", "--findings", "-"],
            ["swift", "p.jsonc"], ["plan", "p.jsonc"], ["init", "f.json"], ["init", "f.json", "--add", "p.jsonc"],
            ["init", "f.json", "--output", name], ["init", name], [name], ["run", "--" + name],
        ]
        for command in commands {
            let outcome = try Sluice.run(command, folder: folder.path, through: ["/usr/bin/env"])
            #expect(isHarmless(outcome.output + outcome.errors), "\(command)")
        }
        for file in ["r.html", "m.prom", "runs.html", "found.ndjson"] {
            #expect(isHarmless(try String(contentsOfFile: folder.file(file), encoding: .utf8)), "\(file)")
        }
        // The store has every text as it is.
        let ids = try Database(folder.file("s.sqlite")).rows("SELECT id FROM \"\(name)\" ORDER BY id")
        #expect(ids.contains([String(name.dropFirst(5))]))
    }

    private func isHarmless(_ text: String) -> Bool {
        let hidden = Set(HiddenCharacterTests.hidden.unicodeScalars).subtracting("[2J".unicodeScalars)
        return text.unicodeScalars.allSatisfy { !hidden.contains($0) }
    }
}
