import Foundation
import TestSupport
import Testing

/// The tutorial and the recipes, word by word: what they tell to save is saved, what they tell to run is run, and says
/// what stands there. Commands that need root or another machine are left out.
@Suite struct WalkthroughTests {
    private enum Block {
        case file(name: String, text: String)
        case commands(String)
        case output(String)
    }

    /// Of a block that begins with three backquotes, what follows them says what it is.
    private func blocks(_ text: String) -> [Block] {
        text.matches(of: /(?m)^```([^\n]*)\n((?:(?!```).*\n)*)```$/).compactMap { match in
            let words = match.1.split(separator: " ").map(String.init)
            if words.count == 2 { return .file(name: words[1], text: String(match.2)) }
            if words.isEmpty { return .output(String(match.2)) }
            let needsMore = match.2.contains("sudo") || match.2.contains("https://")
            return words == ["sh"] && !needsMore ? .commands(String(match.2)) : nil
        }
    }

    private func withoutTimes(_ text: String) -> String {
        text.replacing(/\d+\.\d\d s\)/, with: "… s)").replacing(/[-\d]{10} \d\d:\d\d UTC/, with: "… UTC")
            .replacing(#/\d{4}-\d\d-\d\d \d\d:\d\d +\d+\.\d\d/#, with: "…")
    }

    /// Follows a text in a folder of its own; returns how many outputs were compared.
    private func follow(_ text: String) throws -> Int {
        let (folder, path) = (TemporaryFolder(), Sluice.executable.deletingLastPathComponent().path)
        var (shown, compared) = ("", 0)
        for block in blocks(text) {
            switch block {
            case .file(let name, let text): _ = try folder.write(name, text)
            case .commands(let commands):
                let script = commands.replacing("/usr/share/doc/sluice/examples", with: Sluice.root.path)
                let setUp = "export PATH='\(path)':$PATH LC_ALL=C.UTF-8; cd '\(folder.path)'; exec 2>&1 </dev/null\n"
                shown = String(decoding: try Shell.output(["bash", "-c", setUp + script]), as: UTF8.self)
            case .output(let expected):
                #expect(withoutTimes(shown) == withoutTimes(expected))
                // A page could show that faithfully, too; but for the targets that a report tells of.
                let told = shown.replacing(/refers to the \w+ "\w+", which\s+does not exist/, with: "")
                for mishap in ["does not exist", "no such", "not found"] { #expect(!told.contains(mishap)) }
                compared += 1
            }
        }
        return compared
    }

    private func page(_ name: String) throws -> String {
        try String(contentsOfFile: Sluice.path("Documentation/\(name).md"), encoding: .utf8)
    }

    @Test(.enabled(if: NightlyPageTests.hasSQLite, "sqlite3 is missing")) func theTutorial() throws {
        #expect(try follow(page("tutorial")) == 12)
    }

    @Test(.enabled(if: NightlyPageTests.hasSQLite, "sqlite3 is missing")) func theReadme() throws {
        let text = try String(contentsOfFile: Sluice.path("README.md"), encoding: .utf8)
        #expect(try follow(text.components(separatedBy: "\n## ")[1]) == 3)
    }

    /// The definition of README's fresh start, with its store on a server.
    @Test func theFirstServer() throws {
        let start = try String(contentsOfFile: Sluice.path("README.md"), encoding: .utf8)
            .components(separatedBy: "\n## ")
        let sections = try page("postgresql").components(separatedBy: "\n## ")
        let server = try #require(sections.first { $0.hasPrefix("A database on a server") })
        let store = try #require(server.firstMatch(of: /```jsonc\n([^\n]*)\n/)).1
        let cluster = try Cluster.shared.get()
        defer { _ = try? cluster.sql("DROP SCHEMA timetable CASCADE") }
        let setUp = """
            ```sh
            sluice init timetable.json > timetable.jsonc
            sed -i 's|.*"store":.*|\(store)|' timetable.jsonc
            (umask 077; echo secret > db-password)
            ```
            """
        let feed = try #require(start[1].firstMatch(of: /```json timetable.json\n(?:(?!```).*\n)*```\n/)).0
        let text = (feed + setUp + "\n" + server)
            .replacing("postgresql://db.example.org/transit/", with: "postgresql:///postgres/")
        let uri = "postgresql://importer@db.example.org/transit"
        // Of the shell and of sed, the database's own URI would be something else.
        #expect(
            try follow(
                text.replacing("psql \(uri)", with: "psql '\(cluster.uri)'")
                    .replacing(uri, with: cluster.uri.replacing("&", with: "\\&"))) == 1)
    }

    /// The figures of the page about performance are measured ones, and so are those of README's chart.
    @Test func theFigures() throws {
        let text = try page("performance").components(separatedBy: "\n## ")[1]
        let results = try String(contentsOfFile: Sluice.path("Benchmarks/RESULTS.md"), encoding: .utf8)
        let rows = text.matches(of: /\n\| ([^|]+) \| (\d+\.\d+) \| (\d+\.\d+) \|/)
        #expect(rows.count == 6)
        for row in rows {
            let line = results.split(separator: "\n").first { $0.hasPrefix("| a | \(row.1) | \(row.2) |") }
            #expect(line?.contains(" \(row.3) |") == true, "\(row.1)")
        }
        let nights = try #require(text.firstMatch(of: /takes Sluice (\S+) s; with 1 % of it changed, (\S+) s/))
        let first = try String(contentsOfFile: Sluice.path("README.md"), encoding: .utf8)
        for row in rows {
            let (seconds, memory) = (Double(row.2) ?? 0, Double(row.3) ?? 0)
            let whole = memory.rounded().formatted(.number.locale(Locale(identifier: "en_US")))
            let shown = String(format: "%.1f s and ", seconds) + whole + " MiB"
            #expect(first.contains(shown) || ["DuckDB, typed"].contains(row.1), "\(shown)")
        }
        for (workload, seconds) in [("c", nights.1), ("d", nights.2)] {
            #expect(results.contains("\n| \(workload) | sluice | \(seconds) |"), "\(workload)")
        }
    }

    /// Each page about definitions begins with an example, before its table of keys.
    @Test(
        .enabled(if: NightlyPageTests.hasSQLite, "sqlite3 is missing"),
        arguments: [
            "sources", "entities", "conditions", "paths", "values", "attributes", "relationships", "deletions", "edits",
            "limits", "keeping", "history", "hooks", "fingerprints", "glossary", "definition",
        ]) func theFirstExample(_ name: String) throws
    {
        let beginning = try page(name).components(separatedBy: "\n\n").prefix {
            !$0.hasPrefix("|") && !$0.hasPrefix("- ")
        }
        #expect(try follow(beginning.joined(separator: "\n\n") + "\n") == 1)
    }

    /// The page about services, too: with a port that nobody else has.
    @Test func theFirstService() throws {
        let beginning = try #require(page("services").components(separatedBy: "\n## ").first)
        #expect(beginning.contains(":8123/"))
        #expect(try follow(beginning.replacing("8123", with: "\(Int.random(in: 20_000..<30_000))")) == 1)
    }

    @Test(.enabled(if: NightlyPageTests.hasSQLite, "sqlite3 is missing")) func theRecipes() throws {
        let recipes = try page("recipes").components(separatedBy: "\n## ").dropFirst()
        #expect(recipes.count >= 6)
        for recipe in recipes { #expect(try follow(recipe) >= 1, "\(recipe.prefix { $0 != "\n" })") }
    }
}
