import Foundation
import Testing

/// The page for assistants: its definition is right, and each of its mistakes is told in the words that the page has.
@Suite struct AssistantTests {
    private let scratch = TemporaryFolder()
    private let page: String
    private let definition: String

    init() throws {
        page = try String(contentsOfFile: Sluice.path("Documentation/assistants.md"), encoding: .utf8)
        let feed = try #require(page.firstMatch(of: /```json plays\.json\n([\s\S]*?)```/)).1
        definition = String(try #require(page.firstMatch(of: /```jsonc plays\.jsonc\n([\s\S]*?)```/)).1)
        _ = try scratch.write("plays.json", String(feed))
    }

    /// What `check` says of a definition, and else a dry run, without line ends.
    private func said(_ text: String) throws -> (status: Int32, text: String) {
        _ = try scratch.write("plays.jsonc", text)
        let check = try Sluice.run(["check", "plays.jsonc"], folder: scratch.path)
        if check.status != 0 { return (check.status, check.errors) }
        let run = try Sluice.run(["run", "--dry-run", "plays.jsonc"], folder: scratch.path)
        let output = run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return (run.status, run.errors + output)
    }

    @Test func theDefinitionIsRight() throws {
        let (status, text) = try said(definition)
        #expect(status == 0)
        for word in ["rejected record", "finds nothing", "no record has", "does not use", "without"] {
            #expect(!text.contains(word), "\(text)")
        }
    }

    @Test func theMistakesAreTold() throws {
        let rows = page.matches(of: /\n\| `(.*?)` \| `(.*?)` \| `+ ?(.*?) ?`+ \|/)
        #expect(rows.count == 20)
        for row in rows {
            let (written, meant, message) = (String(row.1), String(row.2), String(row.3))
            #expect(definition.components(separatedBy: meant).count == 2, "\(meant)")
            let (_, text) = try said(definition.replacing(meant, with: written))
            #expect(text.contains(message), "\(written): \(text)")
            if text.hasPrefix("sluice: plays.jsonc:") {
                let first = text.replacing(#/^sluice: plays\.jsonc:\d+:\d+: /#, with: "")
                #expect(first.hasPrefix(message), "\(written): \(text)")
            }
        }
    }

    /// The commands that it names are there, and so are the pages that `llms.txt` lists.
    @Test func whatIsNamedIsThere() throws {
        for match in page.matches(of: #/(?m)^sluice (\w+) /#) { #expect(commandNames.contains(String(match.1))) }
        let list = try String(contentsOfFile: Sluice.path("llms.txt"), encoding: .utf8)
        #expect(list.hasPrefix("# Sluice\n\n> "))
        let links = list.matches(of: /\n- \[[^\]]+\]\(([^)]+)\)(: .+)?/).map { String($0.1) }
        let pages = try FileManager.default.contentsOfDirectory(atPath: Sluice.path("Documentation"))
            .filter { $0.hasSuffix(".md") }.map { "Documentation/\($0)" }
        #expect(Set(pages).isSubset(of: links), "\(Set(pages).subtracting(links))")
        for link in links { #expect(FileManager.default.fileExists(atPath: Sluice.path(link)), "\(link)") }
    }
}
