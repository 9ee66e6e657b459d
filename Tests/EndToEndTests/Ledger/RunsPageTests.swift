import Foundation
import Testing

/// The ledger as a page.
@Suite struct RunsPageTests {
    private let folder = TemporaryFolder()

    /// Runs on a feed of so many records; the entity has a name that a page must not take for more than a text.
    private func run(_ records: Int, wrong: Int = 0) throws {
        _ = try folder.write(
            "p.jsonc",
            """
            { "name": "<p>", "source": { "file": "f.json" }, "store": { "sqlite": "s.sqlite" },
              "entities": { "A<b>\\u202e": { "records": "$[*]", "identifier": "id",
                "attributes": { "id": "integer" }, "relationships": { "next": { "to": "A<b>\\u202e" } } } } }
            """)
        let good = (0..<records).map { "{\"id\": \($0), \"next\": \($0 + 1)}" }
        let bad = (0..<wrong).map { _ in #"{"id": "x"}"# }
        _ = try folder.write("f.json", "[\((good + bad).joined(separator: ","))]")
        let outcome = try Sluice.run(["run", "p.jsonc", "--force"], folder: folder.path)
        #expect(outcome.status == (wrong > 0 ? 65 : 0))
    }

    private func page(_ more: String...) throws -> String {
        let outcome = try Sluice.run(["runs", "p.jsonc", "--report", "x.html"] + more, folder: folder.path)
        #expect(outcome.status == 0 && outcome.output == "", "\(outcome.errors)")
        return try String(contentsOfFile: folder.file("x.html"), encoding: .utf8)
    }

    @Test func itShowsWhatIsUnusual() throws {
        for records in [20, 20, 21] { try run(records) }
        try run(19, wrong: 2)
        #expect(!(try page()).contains("; usual are"))
        try run(10)
        let page = try page()
        let sentence = "A&lt;b&gt;\\u202e has 10 records; usual are 20"
        #expect(page.contains("<section class=\"attention\"><p>Run 5: \(sentence)</p></section>"))
        #expect(
            page.contains("<tr id=\"run-5\" class=\"unusual\">") && page.contains("<tr id=\"run-4\" class=\"bad\">"))
        #expect(page.contains("the limit of 0 rejects is exceeded: there are 2"))
        // Each bar leads to a run that is there, and says what it is.
        let links = page.matches(of: /<a href="#(run-\d)"><title>run/).map { String($0.1) }
        #expect(Set(links) == ["run-1", "run-2", "run-3", "run-4", "run-5"])
        #expect(links.allSatisfy { page.contains("id=\"\($0)\"") })
        #expect(page.contains(/run 5, [-:0-9TZ]+: 10 records</))
        #expect(page.contains(/run 3, [-:0-9TZ]+: [1-9]\d* memory, MiB</))
        // Of a run of which nothing is stored, nothing was created.
        #expect(page.contains(/run 4, [-:0-9TZ]+: none</))
        #expect(page.contains("<rect class=\"value odd\"") && page.contains("<rect class=\"value failed\""))
        // Nothing but texts comes from the definition, and no script is there.
        #expect(!page.contains("<p>\"") && !page.contains("A<b>") && !page.contains("\u{202e}"))
        #expect(!page.contains("<script") && page.contains("script-src 'none'"))
        let fewer = try self.page("--rows", "2")
        #expect(fewer.contains("id=\"run-4\"") && !fewer.contains("id=\"run-3\""))
    }

    @Test func memoryIsInTheLedger() throws {
        try run(3)
        let rows = try Database(folder.file("s.sqlite")).rows("SELECT peak_memory > 1000000 FROM sluice_run")
        #expect(rows == [["1"]])
        let list = try Sluice.run(["runs", "p.jsonc", "--format", "json"], folder: folder.path)
        #expect(list.output.contains(/"peakMemory": \d{7,}/))
    }

    /// To the system, a process has had the memory of the one that started it.
    @Test func memoryIsThatOfTheRunAlone() throws {
        try run(3)
        let start = "import subprocess, sys; large = b'x' * (400 << 20); sys.exit(subprocess.call(sys.argv[1:]))"
        let outcome = try Sluice.run(
            ["run", "p.jsonc", "--force"], folder: folder.path, through: ["/usr/bin/env", "python3", "-c", start])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let rows = try Database(folder.file("s.sqlite")).rows("SELECT peak_memory < 300 << 20 FROM sluice_run")
        #expect(rows == [["1"], ["1"]])
    }

    @Test func onlyAPageShowsManyRuns() throws {
        try run(1)
        let outcome = try Sluice.run(["runs", "p.jsonc", "--report", "x.json"], folder: folder.path)
        #expect(outcome.status == 64)
        #expect(outcome.errors.hasPrefix("sluice: --report without --run N writes a page, whose name ends in .html\n"))
        #expect(!folder.names.contains("x.json"))
    }
}
