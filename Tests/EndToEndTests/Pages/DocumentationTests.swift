import Foundation
import Testing

/// What users can type and see is documented.
@Suite struct DocumentationTests {
    private func page(_ name: String) throws -> String {
        try String(contentsOfFile: Sluice.path(name), encoding: .utf8)
    }

    /// The words of a help text that a test looks for: commands, or options.
    private func words(_ help: String, under heading: String) -> [String] {
        let lines = help.components(separatedBy: "\n").drop { $0 != heading + ":" }.dropFirst().prefix { !$0.isEmpty }
        return lines.compactMap { $0.split(separator: " ").first.map(String.init) }
    }

    @Test func everyCommandAndOptionIsOnItsPage() throws {
        let text = try page("Documentation/command.md")
        let commands = words(try Sluice.run(["--help"]).output, under: "Commands")
        #expect(commands.count >= 2)
        for command in commands {
            let section = text.components(separatedBy: "## sluice \(command) ").dropFirst().first
            let body = try #require(section, "\(command)").components(separatedBy: "\n## ")[0]
            let help = try Sluice.run([command, "--help"]).output
            let options = help.components(separatedBy: "Options:\n")[1].components(separatedBy: .whitespacesAndNewlines)
                .filter { $0.hasPrefix("-") }.map { $0.replacingOccurrences(of: ",", with: "") }.filter { $0.count > 1 }
            #expect(options.contains("--help"))
            for option in options { #expect(body.contains("`\(option)"), "\(command) \(option)") }
        }
        #expect(text.contains("`sluice --version`"))
    }

    @Test func everyExitStatusIsInItsTable() throws {
        let source = try page("Sources/Records/Findings/Failure.swift")
        let statuses = source.matches(of: /case \w+ = (\d+)/).map { String($0.1) }
        #expect(statuses.count >= 10)
        let text = try page("Documentation/command.md")
        for status in statuses + ["0"] { #expect(text.contains("\n| \(status) | "), "\(status)") }
    }

    @Test func everyKeyOfTheReportIsOnItsPage() throws {
        let scratch = TemporaryFolder()
        let outcome = try Sluice.run(
            [
                "run", Sluice.path("Pipelines/berlin-transit.jsonc"), "--store", scratch.file("s.sqlite"), "--format",
                "json",
            ])
        let text = try page("Documentation/report.md")
        var keys = Set(outcome.report.keys)
        for entity in (outcome.report["entities"] as? [String: [String: Any]] ?? [:]).values {
            keys.formUnion(entity.keys)
            for part in ["duplicates", "relationships"] {
                for (key, value) in entity[part] as? [String: Any] ?? [:] {
                    keys.formUnion((value as? [String: Any])?.keys.map { $0 } ?? [key])
                }
            }
        }
        keys.formUnion((outcome.report["cache"] as? [String: Any] ?? [:]).keys)
        for source in (outcome.report["sources"] as? [String: [String: Any]] ?? [:]).values {
            keys.formUnion(source.keys)
        }
        for example in outcome.report["examples"] as? [[String: Any]] ?? [] {
            keys.formUnion(example.keys)
            keys.formUnion((example["at"] as? [String: Any])?.keys.map { $0 } ?? [])
        }
        #expect(keys.count > 40)
        for key in keys { #expect(text.contains("`\(key)`"), "\(key)") }
    }

    /// The map names every folder, and no other.
    @Test func everyFolderIsOnTheMap() throws {
        let text = try page("Documentation/architecture.md")
        let folders = try FileManager.default.subpathsOfDirectory(atPath: Sluice.path("Sources")).filter { name in
            var isFolder: ObjCBool = false
            _ = unsafe FileManager.default.fileExists(atPath: Sluice.path("Sources/\(name)"), isDirectory: &isFolder)
            return isFolder.boolValue
        }
        #expect(folders.count > 50)
        let rows = text.components(separatedBy: "## The folders")[1].components(separatedBy: "\n## ")[0]
            .split(separator: "\n").filter { $0.hasPrefix("| `") }.map { $0.split(separator: "|")[0] }
        let named = rows.flatMap { $0.matches(of: /`Sources\/([^`]+)`/).map { String($0.1) } }
        #expect(Set(named) == Set(folders), "\(Set(named).symmetricDifference(folders))")
    }

    /// What the map names in "Where to begin" is there: folders and types.
    @Test func whereToBeginIsThere() throws {
        let files = try FileManager.default.subpathsOfDirectory(atPath: Sluice.root.path).filter { !$0.hasPrefix(".") }
        let text = try page("Documentation/architecture.md")
        let table = text.components(separatedBy: "## Where to begin")[1].components(separatedBy: "\n\n`sluice")[0]
        let names = table.matches(of: /`([A-Z.][A-Za-z+.\/]+)`/).map { String($0.1) }.filter { $0 != ".ci/setup" }
        #expect(names.count > 20)
        for name in names {
            #expect(files.contains { "/\($0)".contains("/\(name)") }, "\(name)")
        }
    }

    /// Links between pages lead somewhere, to their headings too.
    @Test func linksLeadSomewhere() throws {
        let pages =
            try ["Documentation", "Packaging", "Samples", "Benchmarks"].flatMap { folder in
                try FileManager.default.contentsOfDirectory(atPath: Sluice.path(folder)).map { "\(folder)/\($0)" }
            }.filter { $0.hasSuffix(".md") } + ["README.md", "CHANGELOG.md"]
        for name in pages {
            let folder = URL(fileURLWithPath: Sluice.path(name)).deletingLastPathComponent()
            for link in try page(name).matches(of: /\]\(([^)\s#]*)(?:#([^)\s]*))?\)/) {
                if link.1.contains(":") { continue }
                let file = link.1.isEmpty ? Sluice.path(name) : folder.appendingPathComponent(String(link.1)).path
                #expect(FileManager.default.fileExists(atPath: file), "\(name): \(link.0)")
                guard let heading = link.2, let text = try? String(contentsOfFile: file, encoding: .utf8) else {
                    continue
                }
                let anchors = text.matches(of: /(?m)^#+ (.*)$/).map { match in
                    let kept = match.1.lowercased().filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
                    return kept.replacingOccurrences(of: " ", with: "-")
                }
                #expect(anchors.contains(String(heading)), "\(name): \(link.0)")
            }
        }
    }

    /// The output that the page about the demo shows is what the demo prints, apart from times.
    @Test(.enabled(if: Feeds.isThere(Feeds.isoCodes), "the package iso-codes is missing"))
    func theDemoShowsTheTruth() throws {
        let scratch = TemporaryFolder()
        let text = plain(try page("Documentation/demo.md"))
        for pipeline in ["iso-3166", "berlin-transit"] {
            let store = scratch.file("\(pipeline).sqlite")
            let outcome = try Sluice.run(
                ["run", "Pipelines/\(pipeline).jsonc", "--store", store], folder: Sluice.root.path)
            let shown = plain(outcome.output.replacingOccurrences(of: store, with: ".build/demo/\(pipeline).sqlite"))
            #expect(text.contains(shown), "\(shown)")
        }
    }

    /// And so is the output of its last part, to the byte of what is downloaded.
    @Test(.enabled(if: Feeds.isThere(Feeds.isoCodes) && NightlyPageTests.hasSQLite, "iso-codes or sqlite3 is missing"))
    func theDemoShowsTheSeed() throws {
        let scratch = TemporaryFolder()
        let store = scratch.file("iso-3166.sqlite")
        let run = ["run", "-q", "Pipelines/iso-3166.jsonc", "--store", store]
        #expect(try Sluice.run(run, folder: Sluice.root.path).status == 0)
        let script = [Sluice.path("Samples/places.sh"), Sluice.executable.path, scratch.path]
        let output = String(decoding: try Shell.output(script), as: UTF8.self)
        let shown = plain(output.replacingOccurrences(of: scratch.path, with: ".build/demo"))
        #expect(plain(try page("Documentation/demo.md")).contains("```\n\(shown)```"), "\(shown)")
        #expect(shown.contains("by the delta from version 1.") && shown.contains("|Normandy|"))
    }

    /// The picture of README is what a run says, apart from times, in light and in dark.
    @Test(arguments: ["light", "dark"]) func thePictureShowsTheTruth(_ colours: String) throws {
        let scratch = TemporaryFolder()
        let store = scratch.file("s.sqlite")
        let run = ["run", "Pipelines/berlin-transit.jsonc", "--store", store]
        let output = try Sluice.run(run, folder: Sluice.root.path).output
        let picture = try page("Documentation/pictures/night-\(colours).svg")
        let lines = picture.matches(of: /<text [^>]*>(.*)<\/text>/).map { line in
            line.1.replacing(/<[^>]*>/, with: "").replacing("&lt;", with: "<").replacing("&gt;", with: ">")
                .replacing("&amp;", with: "&")
        }
        #expect(lines.first == "$ sluice run Pipelines/berlin-transit.jsonc")
        let shown = lines.dropFirst().joined(separator: "\n") + "\n"
        #expect(plain(shown) == plain(output.replacing(store, with: "berlin-transit.sqlite")))
    }

    private func plain(_ text: String) -> String {
        text.replacing(/\d+\.\d\d s\)/, with: "… s)").replacing(/[-\d]{10} \d\d:\d\d UTC/, with: "… UTC")
    }
}
