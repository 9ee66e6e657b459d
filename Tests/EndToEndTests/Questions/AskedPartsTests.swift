import Foundation
import StoreMirror
import TestSupport
import Testing

/// What a run asks at its end, `check`, the dry run, the first run and `--ask` take, too.
@Suite struct AskedPartsTests {
    private let folder = TemporaryFolder()
    private let server: TestServer

    init() throws {
        server = try TestServer(name: "asked")
        _ = try folder.write("feed.json", Self.feed("a"))
    }

    private static func feed(_ id: String) -> String {
        "{\"s\": [{\"id\": \"\(id)\", \"name\": \"Ost Kreuz\", \"tags\": [\"x\"], \"y\": 52.5, \"x\": 13.4}]}"
    }

    private func define(_ sql: String, isFile: Bool) throws -> String {
        let query = sql.replacing("@", with: "\"\(server.location.schema)\".").replacing("\"", with: "\\\"")
        let check = sql.isEmpty ? "" : #""checks": { "q": { "sql": "\#(query)", "limit": null } },"#
        return try folder.write(
            "p.jsonc",
            """
            { "name": "p", "source": { "file": "feed.json" },
              "store": \(isFile ? #"{ "sqlite": "p.sqlite" }"# : server.definition), "views": true, "history": true,
              "limits": { "deletes": null, "records": 0 }, \(check)
              "entities": {
                "Stop": { "records": "$.s[*]", "identifier": "id", "absent": "delete",
                  "attributes": { "id": "text", "name": "text", "y": "real", "x": "real" },
                  "relationships": { "tags": { "to": "Tag", "many": true, "from": "tags[*]", "missing": "stub" } },
                  "search": { "fields": "name" }, "near": ["y", "x"] },
                "Tag": { "identifier": "t", "attributes": { "t": "text" } } } }
            """)
    }

    /// The rows that a command tells of the check.
    private func rows(_ words: [String], _ findings: String) throws -> [String] {
        let file = folder.file(findings)
        let outcome = try Sluice.run(words + ["--quiet", "--findings", file])
        #expect(outcome.status == 0, "\(words): \(outcome.errors)")
        let lines = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
        return try lines.split(separator: "\n").map { try String(#require($0.firstMatch(of: /"row": (\{.*?\})/)).1) }
    }

    private func passes(_ words: String...) throws {
        let outcome = try Sluice.run(words)
        #expect(outcome.status == 0, "\(words): \(outcome.errors)")
    }

    private static let file = [
        "SELECT id, tags FROM Stop_view", "SELECT id FROM Stop_history", "SELECT pipeline FROM sluice_run",
        "SELECT name FROM sluice_Stop_search WHERE sluice_Stop_search MATCH 'ost'",
    ]
    private static let served = [
        #"SELECT id, tags FROM "Stop_view""#, #"SELECT id FROM "Stop_history""#, "SELECT pipeline FROM sluice_run",
        #"SELECT s.id FROM "sluice_Stop_search"('ost') f JOIN "Stop" s USING ("objectID")"#,
        #"SELECT s.id FROM @"sluice_Stop_near"(52.5, 13.4, 1000) f JOIN @"Stop" s USING ("objectID")"#,
    ]

    /// From the first run of a store on.
    @Test(arguments: file.map { (true, $0) } + served.map { (false, $0) })
    func fromTheFirstRunOn(_ isFile: Bool, _ sql: String) throws {
        defer { try? server.drop() }
        let definition = try define(sql, isFile: isFile)
        try passes("check", definition)
        _ = try rows(["run", definition, "--dry-run"], "dry.ndjson")
        _ = try rows(["run", definition], "run.ndjson")
        _ = try folder.write("feed.json", Self.feed("b"))
        try passes("check", definition)
        try passes("check", "--ask", definition)
        let dry = try rows(["run", definition, "--dry-run"], "dry.ndjson")
        let real = try rows(["run", definition], "run.ndjson")
        // The ledger knows of no dry run, and what it loads has no past.
        if sql.contains("sluice_run") || sql.contains("history") { return }
        #expect(dry == real && !real.isEmpty, "\(dry) \(real)")
    }

    /// A history begins with the run, in a store that has a ledger: of runs that kept none, or of one that failed.
    @Test(arguments: [true, false], [true, false]) func aHistoryThatBegins(_ isFile: Bool, afterFailure: Bool) throws {
        defer { try? server.drop() }
        for commit in ["run", "batch"] {
            func define(_ sql: String, history: Bool) throws -> String {
                let definition = try String(contentsOfFile: self.define(sql, isFile: isFile), encoding: .utf8)
                return try folder.write(
                    "p.jsonc",
                    definition.replacing(
                        "\"history\": true", with: "\"history\": \(history), \"commit\": \"\(commit)\""))
            }
            _ = try folder.write("feed.json", Self.feed("a"))
            if afterFailure {
                let failing = #"SELECT id FROM \#(isFile ? "Stop" : "\"Stop\"")"#
                let text = try String(contentsOfFile: define(failing, history: true), encoding: .utf8)
                let failed = try folder.write("p.jsonc", text.replacing("\"limit\": null", with: "\"limit\": 0"))
                #expect(try Sluice.run(["run", failed, "--quiet"]).status == 65)
            } else {
                try passes("run", try define("", history: false), "--quiet")
            }
            _ = try folder.write("feed.json", Self.feed("b"))
            let name = isFile ? "Stop_history" : #""Stop_history""#
            let definition = try define(
                "SELECT id, to_run FROM \(name) h WHERE EXISTS (SELECT 1 FROM sluice_run) AND to_run IS NULL",
                history: true)
            try passes("check", definition)
            let dry = try rows(["run", definition, "--dry-run"], "dry.ndjson")
            // What a failed run has saved in batches has begun it, and on a server a dry run has the past before it.
            let isBegun = afterFailure && commit == "batch"
            #expect(dry == [Self.present(isBegun && !isFile ? "a" : "b")], "\(commit)")
            #expect(try rows(["run", definition], "run.ndjson") == [Self.present("b")], "\(commit)")
            if isFile {
                try FileManager.default.removeItem(atPath: folder.file("p.sqlite"))
            } else {
                try server.drop()
            }
        }
    }

    private static func present(_ id: String) -> String { "{ \"id\": \"\(id)\", \"to_run\": null }" }

    /// Tables of others, and the store's by their schema.
    @Test(arguments: [true, false]) func whatElseIsThere(_ isFile: Bool) throws {
        defer { try? server.drop() }
        try passes("run", try define("", isFile: isFile), "--quiet")
        if isFile {
            try Database(folder.file("p.sqlite")).execute("CREATE TABLE allowed AS SELECT id FROM Stop")
        } else {
            _ = try server.rows("CREATE TABLE @allowed AS SELECT id FROM @\"Stop\"")
        }
        let names = isFile ? ["allowed", "main.Stop"] : ["allowed", "@allowed", "@\"Stop\"", "@\"Stop_view\""]
        for (place, name) in names.enumerated() {
            let expected = name.contains("allowed") ? "a" : "\(place)"
            _ = try folder.write("feed.json", Self.feed("\(place)"))
            let definition = try define("SELECT id FROM \(name)", isFile: isFile)
            try passes("check", definition)
            try passes("check", "--ask", definition)
            let dry = try rows(["run", definition, "--dry-run"], "dry.ndjson")
            #expect(dry == ["{ \"id\": \"\(expected)\" }"], "\(name)")
            #expect(try rows(["run", definition], "run.ndjson") == dry)
        }
        // What is not there is refused, and by all.
        let definition = try define("SELECT id FROM nowhere", isFile: isFile)
        for words in [["check", definition], ["run", definition, "--dry-run"], ["run", definition, "--force"]] {
            #expect(try Sluice.run(words).status == 78)
        }
    }
}
