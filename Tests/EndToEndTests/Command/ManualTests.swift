import Foundation
import Testing

/// The pages of the manual and the completions of shells, which are made from the tables of the commands.
@Suite struct ManualTests {
    static let commands = commandNames
    static let shells = ["bash", "zsh", "fish"]

    static func has(_ program: String) -> Bool { (try? Shell.run(["sh", "-c", "command -v \(program)"])) == 0 }

    private let scratch = TemporaryFolder()

    /// What a shell command writes, in a folder with a definition and other files.
    private func shell(_ words: [String]) throws -> String {
        let handle = try scratch.handle("output")
        #expect(try Shell.run(words, output: handle) == 0)
        return try String(contentsOfFile: scratch.file("output"), encoding: .utf8)
    }

    private func completion(_ shell: String) throws -> String {
        let outcome = try Sluice.run(["--print-completion", shell])
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        return try scratch.write("completion.\(shell)", outcome.output)
    }

    /// Without its markup, the page says all that the help says.
    @Test(.enabled(if: has("man"), "man is missing"), arguments: commands)
    func aPageSaysWhatTheHelpSays(command: String) throws {
        let source = try Sluice.run(["--print-man", command]).output
        let file = try scratch.write("page.1", source)
        let warnings = try shell(["sh", "-c", "man --warnings -E UTF-8 -l -Tutf8 -Z '\(file)' 2>&1 >/dev/null"])
        #expect(warnings == "")
        let page = words(try shell(["sh", "-c", "MANWIDTH=4000 LC_ALL=C.UTF-8 man -P cat -l '\(file)' | col -b"]))
        let help = try Sluice.run([command, "--help"]).output
        for line in help.split(separator: "\n").dropFirst().joined(separator: " ").components(separatedBy: "  ") {
            let part = words(line.replacing("Options:", with: ""))
            #expect(part.isEmpty || page.contains(part), "\(part)")
        }
    }

    private func words(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// The help names what there is beside commands.
    @Test func theHelpNamesAll() throws {
        let help = words(try Sluice.run(["--help"]).output)
        let all = [
            "JSON, CSV and TSV", "PostgreSQL", "archives", "web services", "buckets", "SFTP", "seeds", "Parquet",
            "Spark", "Swift", "sluice init FEED",
        ]
        for word in all { #expect(help.contains(word), "\(word)") }
        let page = try Sluice.run(["--print-man"]).output
        for word in ["PostgreSQL", "CSV", "SFTP"] { #expect(page.contains(word), "\(word)") }
    }

    @Test(.enabled(if: has("man"), "man is missing")) func thePageOfSluiceItself() throws {
        let file = try scratch.write("page.1", try Sluice.run(["--print-man"]).output)
        let command = "MANWIDTH=4000 LC_ALL=C.UTF-8 man --warnings -P cat -l '\(file)' 2>&1 | col -b"
        let page = try shell(["sh", "-c", command]).split(separator: "\n").map { words(String($0)) }
        for name in Self.commands { #expect(page.contains("sluice-\(name)(1)"), "\(name)") }
        // The exit statuses are those of the documentation, which has more to say of some.
        let text = try String(contentsOfFile: Sluice.path("Documentation/command.md"), encoding: .utf8)
        let table = text.components(separatedBy: "## Exit statuses")[1]
        let rows = table.matches(of: /\n\| (\d+) \| ([^|]*) \|/)
        #expect(rows.count > 10)
        for row in rows {
            let meaning = page.compactMap { $0.hasPrefix("\(row.1) ") ? $0.dropFirst(row.1.count + 1) : nil }.first
            #expect(!(meaning ?? "").isEmpty && row.2.hasPrefix(meaning ?? " "), "\(row.1): \(meaning ?? "")")
        }
    }

    @Test(.enabled(if: has("mandoc"), "mandoc is missing"), arguments: [nil] + commands.map { $0 })
    func aPageIsWellFormed(command: String?) throws {
        let source = try Sluice.run(["--print-man"] + (command.map { [$0] } ?? [])).output
        let file = try scratch.write("page.1", source)
        let lines = try shell(["sh", "-c", "mandoc -T lint -W warning '\(file)' || true"]).split(separator: "\n")
        #expect(lines.filter { !$0.contains("missing date") } == [])
    }

    @Test(arguments: shells)
    func aCompletionIsAScript(shell name: String) throws {
        let file = try completion(name)
        if Self.has(name) { #expect(try shell([name, "-n", file]) == "") }
        let text = try String(contentsOfFile: file, encoding: .utf8)
        for command in Self.commands {
            for option in try options(of: command) {
                #expect(text.contains(name == "fish" ? "-l \(option.dropFirst(2)) " : option), "\(command) \(option)")
            }
        }
    }

    private func options(of command: String) throws -> [String] {
        try Sluice.run([command, "--help"]).output.matches(of: /\n +(?:-\w, )?(--[a-z-]+)/).map { String($0.1) }
    }

    /// What is offered for the last word of a line.
    private func offered(_ line: String, by name: String) throws -> Set<String> {
        for file in ["a.jsonc", "b c.json", "d.txt"] { _ = try scratch.write("in/" + file, "") }
        let file = try completion(name)
        let words = line.split(separator: " ", omittingEmptySubsequences: false)
        let script =
            switch name {
            case "fish": "source '\(file)'; complete -C '\(line.replacing(/[ ]?=[ ]?/, with: "="))'"
            default:
                """
                source '\(file)'
                COMP_WORDS=(\(words.map { "'\($0)'" }.joined(separator: " "))); COMP_CWORD=\(words.count - 1)
                _sluice; printf '%s\\n' "${COMPREPLY[@]}"
                """
            }
        let path = Sluice.executable.deletingLastPathComponent().path
        let cd = "cd '\(scratch.file("in"))' && PATH=\(path):$PATH exec "
        let run = name == "fish" ? "fish --no-config" : "bash --norc"
        let output = try shell(["sh", "-c", cd + run + " -c \"$0\"", script])
        let offers = output.split(separator: "\n").map { $0.split(separator: "\t")[0] }
        return Set(offers.map { String($0).replacing("--format=", with: "") })
    }

    @Test(arguments: ["bash", "fish"].filter(has))
    func wordsAreOffered(shell name: String) throws {
        try FileManager.default.createDirectory(atPath: scratch.file("in"), withIntermediateDirectories: true)
        let all = Set(try options(of: "run"))
        #expect(try offered("sluice ru", by: name) == ["run", "runs"])
        #expect(try offered("sluice run --", by: name) == all)
        #expect(try offered("sluice run a.jsonc --fo", by: name) == ["--force", "--format"])
        #expect(try offered("sluice run --format ", by: name) == ["text", "json"])
        #expect(try offered("sluice run --format = j", by: name) == ["json"])
        #expect(try offered("sluice run --format =", by: name) == ["text", "json"])
        // The value of an option is no command.
        #expect(try offered("sluice preview --commit run --ro", by: name) == ["--rows"])
        #expect(try offered("sluice run ", by: name).isSuperset(of: ["a.jsonc", "b c.json"]))
        #expect(try offered("sluice replay a.jsonc ", by: name).contains("d.txt"))
        #expect(try offered("sluice run --feed d", by: name) == ["d.txt"])
    }

    /// After `help`, commands; after a definition, its entities, where one belongs.
    @Test(arguments: ["bash", "fish"].filter(has))
    func entitiesAreOffered(shell name: String) throws {
        try FileManager.default.createDirectory(atPath: scratch.file("in"), withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            atPath: Sluice.path("Pipelines/berlin-transit.jsonc"), toPath: scratch.file("in/t.jsonc"))
        #expect(try offered("sluice help ru", by: name) == ["run", "runs"])
        #expect(try offered("sluice he", by: name) == ["help"])
        #expect(try offered("sluice history t.jsonc ", by: name) == ["Stop", "Route", "Trip", "StopTime"])
        #expect(try offered("sluice forget t.jsonc StopT", by: name) == ["StopTime"])
        #expect(try offered("sluice unresolved t.jsonc --entity S", by: name) == ["Stop", "StopTime"])
        #expect(try offered("sluice history none.jsonc ", by: name).isDisjoint(with: ["Stop"]))
        #expect(try offered("sluice run t.jsonc ", by: name).contains("a.jsonc"))
        #expect(try Sluice.run(["--print-entities", scratch.file("none.jsonc")]).status == 0)
    }

    /// Bash takes a source's name before an equals sign for a word of its own.
    @Test(.enabled(if: has("bash"), "bash is missing"), arguments: ["--feed main = d", "--feed = main = d"])
    func aFileOfASource(words: String) throws {
        try FileManager.default.createDirectory(atPath: scratch.file("in"), withIntermediateDirectories: true)
        #expect(try offered("sluice run \(words)", by: "bash") == ["d.txt"])
    }

    /// What developers see of a definition: slots, cells and states, from the feed's value to each slot.
    @Test(arguments: ["berlin-transit", "instruments", "iso-3166"]) func thePlanIsShown(name: String) throws {
        let outcome = try Sluice.run(["--debug-plan", Sluice.path("Pipelines/\(name).jsonc")])
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        let entities = outcome.output.matches(of: /(?m)^entity (\w+)$/).map { String($0.1) }
        #expect(entities.count >= 2)
        for entity in entities {
            #expect(outcome.output.contains(": a record of \(entity)"), "\(entity)")
            // Each slot of the plan is filled by a state.
            let rest = outcome.output.components(separatedBy: "entity \(entity)\n")[1]
            let plan = rest.components(separatedBy: "\n\n")[0]
            let slots = plan.matches(of: #/(?m)^  slot (\d+): /#).map { String($0.1) }
            #expect(!slots.isEmpty)
            for slot in slots { #expect(outcome.output.contains("\(entity) slot \(slot) ("), "\(entity) \(slot)") }
        }
    }

    /// Places around records, descendants and indices have states, too.
    @Test func thePlanOfUnusualPaths() throws {
        let file = try scratch.write(
            "p.jsonc",
            """
            { "source": { "file": "f" }, "store": { "sqlite": "s" }, "entities": {
              "A": { "records": "$..a[*]", "identifier": "i", "attributes": {
                "i": { "type": "text", "from": "x[1]" }, "t": { "type": "text", "from": "^^name" },
                "k": { "type": "text", "from": ["b", "c"], "trim": true } } } } }
            """)
        let outcome = try Sluice.run(["--debug-plan", file])
        #expect(outcome.status == 0, "\(outcome.errors)")
        for part in ["around A", "[1] -> ", "from the first of (slot 2, slot 3), trim", "A slot 1 (value, around)"] {
            #expect(outcome.output.contains(part), "\(part) in \(outcome.output)")
        }
        #expect(try Sluice.run(["--debug-plan"]).status == 64)
        #expect(try Sluice.run(["--debug-plan", scratch.file("none.jsonc")]).status == 66)
    }

    @Test(arguments: [
        (["--print-man", "rum"], "unknown command rum: did you mean run?"),
        (["--print-man", "run", "runs"], "one COMMAND is enough: runs is too much"),
        (["--print-completion"], "SHELL is missing: bash, zsh or fish"),
        (["--print-completion", "csh"], "--print-completion takes bash, zsh or fish, not csh"),
    ])
    func mistakes(words: [String], message: String) throws {
        let outcome = try Sluice.run(words)
        #expect(outcome.status == 64)
        #expect(outcome.errors == "sluice: \(message)\nTry: sluice --help\n")
    }
}

/// The commands of `sluice`, as its help lists them.
let commandNames: [String] = {
    let help = (try? Sluice.run(["--help"]).output) ?? ""
    let lines = help.components(separatedBy: "Commands:\n").last?.components(separatedBy: "\n\n")[0] ?? ""
    return lines.split(separator: "\n").compactMap { $0.split(separator: " ").first.map(String.init) }
}()
