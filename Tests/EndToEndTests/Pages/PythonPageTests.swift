import Foundation
import TestSupport
import Testing

/// The page about stores in Python, SQL and Node, word by word: its blocks are followed, and print what it says.
@Suite struct PythonPageTests {
    private let page: String
    private let folder = TemporaryFolder()

    init() throws { page = try String(contentsOfFile: Sluice.path("Documentation/python.md"), encoding: .utf8) }

    /// Of a block, what follows its three backquotes, and its lines.
    private var blocks: [(words: [String], text: String)] {
        page.matches(of: /(?m)^```([^\n]*)\n((?:(?!```).*\n)*)```$/).map { match in
            (match.1.split(separator: " ").map(String.init), String(match.2))
        }
    }

    /// The text that the page tells to save under a name.
    private func file(_ name: String) throws -> String {
        try #require(blocks.first { $0.words.last == name && $0.words.count == 2 }?.text, "\(name)")
    }

    /// What the page says that a command prints.
    private func printed(by command: String) throws -> String {
        let rest = try #require(page.components(separatedBy: "`\(command)` prints\n\n```\n").dropFirst().first)
        return rest.components(separatedBy: "```")[0]
    }

    /// What a script writes, in the folder, with the built command by its name.
    private func shell(_ script: String) throws -> String {
        let path = Sluice.executable.deletingLastPathComponent().path
        let setUp = "export PATH='\(path)':$PATH LC_ALL=C.UTF-8; cd '\(folder.path)'; exec 2>&1 </dev/null\n"
        return String(decoding: try Shell.output(["bash", "-c", setUp + script]), as: UTF8.self)
    }

    private func prepare(_ change: (String) -> String = { $0 }) throws {
        _ = try folder.write("transit.json", file("transit.json"))
        _ = try folder.write("transit.jsonc", change(file("transit.jsonc")))
        #expect(try shell("sluice run transit.jsonc --quiet").isEmpty)
    }

    /// All blocks of Python are one program, as the page says: its connection is open while the commands between them
    /// run. Those that need pandas or a server's driver are left out.
    @Test(.enabled(if: NightlyPageTests.hasSQLite, "sqlite3 is missing")) func oneProgram() throws {
        var (program, expected, isRun, leftOut) = ("", [String](), false, 0)
        for (words, text) in blocks {
            let isForOthers = text.contains("pandas") || text.contains("psycopg")
            if words.count == 2 { _ = try folder.write(words[1], text) }
            if words == ["python"], isForOthers { leftOut += 1 }
            if words.isEmpty, isRun { expected[expected.count - 1] = text }
            isRun = words == ["sh"] || words == ["python"] && !isForOthers
            guard isRun else { continue }
            if words == ["sh"] {
                let script = try folder.write("step\(expected.count).sh", text)
                program += "__import__('subprocess').run(['bash', '-e', '\(script)'], check=True)\n"
            } else {
                program += text
            }
            program += "print('\u{1e}', end='', flush=True)\n"
            expected.append("")
        }
        #expect(leftOut == 2 && expected.count == 16 && expected.filter { !$0.isEmpty }.count == 14)
        let path = try folder.write("program.py", program)
        let shown = try shell("exec python3 '\(path)'").components(separatedBy: "\u{1e}")
        for (text, output) in zip(expected, shown) { #expect(output == text) }
        #expect(shown.count == expected.count + 1 && shown.last == "")
    }

    @Test func onAServer() throws {
        let cluster = try Cluster.shared.get()
        defer { _ = try? cluster.sql("DROP SCHEMA python_page CASCADE") }
        let store = #""postgresql": { "database": "\#(cluster.uri)", "schema": "python_page" }"#
        try prepare { $0.replacing(#""sqlite": "transit.sqlite""#, with: store) }
        let queries = try file("server.sql")
        #expect(queries.hasPrefix("SET search_path = transit;"))
        _ = try folder.write("server.sql", queries.replacing("= transit;", with: "= python_page;"))
        let command = "psql --csv --tuples-only --quiet --file=server.sql"
        #expect(try shell("\(command) '\(cluster.uri)'") == printed(by: command))
    }

    private static let hasNode = (try? Shell.run(["node", "-e", "require('node:sqlite')"])) == 0

    @Test(.enabled(if: hasNode, "a node with node:sqlite is missing")) func inNode() throws {
        try prepare()
        _ = try folder.write("calls.mjs", file("calls.mjs"))
        #expect(try shell("NODE_NO_WARNINGS=1 node calls.mjs") == printed(by: "node calls.mjs"))
    }
}
