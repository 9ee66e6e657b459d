import Foundation
import TestSupport
import Testing

/// Files of another machine, by SFTP.
@Suite(.enabled(if: SecureShell.isThere), .serialized) struct SecureFileTests {
    private let shell: SecureShell
    private let scene: WebScene

    init() throws {
        shell = try SecureShell()
        scene = try WebScene(#""file": "none""#)
        scene.environment["SLUICE_SSH_KEY"] = shell.key
        scene.environment["SLUICE_KNOWN_HOSTS"] = shell.knownHosts
        scene.environment["SSH_AUTH_SOCK"] = ""
        scene.environment["HOME"] = scene.folder.path
    }

    private func place(_ path: String, port: Int? = nil) -> String {
        "sftp://\(NSUserName())@127.0.0.1:\(port ?? shell.port)\(shell.folder.path)/\(path)"
    }

    private func define(_ path: String, _ more: String = "", settings: String = "", port: Int? = nil) throws {
        let name = String(decoding: try JSONEncoder().encode(place(path, port: port)), as: UTF8.self)
        try scene.define(#""file": \#(name.replacing("\\/", with: "/"))\#(more)"#, settings: settings)
    }

    private func put(_ name: String, _ text: String) throws {
        let file = shell.folder.appending(path: name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    /// Of 200,000 items.
    private static let largeFeed = {
        let items = (0..<200_000).map { #"{"id": \#($0), "name": "item \#($0)"}"# }
        return #"{"items": [\#(items.joined(separator: ","))]}"#
    }()

    @Test func filesByPattern() throws {
        for (index, name) in ["n1/a.json", "n1/b.json", "n2/ü +%41#?.json"].enumerated() {
            try put(name, ObjectScene.feed(index))
        }
        for name in ["n1/c.txt", "n1/.d.json", "n1/below/e.json", "f.json"] { try put(name, "x") }
        try define("n[0-9]/*.json", settings: #""archive": { "directory": "archive" },"#)
        let outcome = try scene.run()
        #expect(outcome.status == 0 && outcome.count("Item", "created") == 3, "\(outcome.errors)")
        let wire = outcome.report["wire"] as? [String: [String: Any]]
        #expect((wire?["main"]?["requests"] as? Int ?? 0) >= 6, "\(outcome.output)")
        let replay = try Sluice.run(["replay", scene.definition, "--run", "1", "--format", "json"])
        #expect(replay.count("Item", "unchanged") == 3, "\(replay.errors)")
        try define("n2/ü +%41#?.json")
        #expect(try scene.run().status == 0)
        let preview = try Sluice.run(["preview", scene.definition], environment: scene.environment)
        #expect(preview.status == 0 && preview.output.contains("item 2"), "\(preview.errors)")
        #expect(try Sluice.run(["check", scene.definition, "--connect"], environment: scene.environment).status == 0)
        let plan = try Sluice.run(["plan", scene.definition, "--dialect", "duckdb"])
        #expect(plan.status == 78 && plan.errors.contains("a plan does not do files by SFTP"), "\(plan.errors)")
    }

    @Test func onlyNewFiles() throws {
        try put("in/1.json", ObjectScene.feed(1))
        try put("in/2.json", ObjectScene.feed(2))
        try define("in/*.json", #", "new": true"#)
        #expect(try scene.run().count("Item", "created") == 2)
        #expect(try scene.run().report["status"] as? String == "unchanged")
        try put("in/3.json", ObjectScene.feed(3))
        let outcome = try scene.run()
        #expect(outcome.count("Item", "records") == 1, "\(outcome.errors)")
    }

    @Test func whatIsCompressedAndArchives() throws {
        try put("x/a.json", ObjectScene.feed(1))
        _ = try Shell.output(["gzip", "-k", shell.folder.path + "/x/a.json"])
        _ = try Shell.output(["env", "-C", shell.folder.path, "zip", "-q", "-r", "x.zip", "x"])
        try define("x/a.json.gz")
        #expect(try scene.run().count("Item", "created") == 1)
        try define("x.zip", #", "member": "x/a.json""#)
        #expect(try scene.run("--force").count("Item", "unchanged") == 1)
        try define("x.zip", #", "member": "x/b.json""#)
        #expect(try scene.run().status == 66)
    }

    // MARK: Who is there

    @Test func whoMayNot() throws {
        try put("a.json", ObjectScene.feed(1))
        try define("a.json")
        scene.environment["SLUICE_SSH_KEY"] = shell.otherKey
        let key = try scene.run()
        #expect(key.status == 77, "\(key.errors)")
        scene.environment["SLUICE_SSH_KEY"] = "/nowhere"
        #expect(try scene.run().status == 77)
        scene.environment["SLUICE_SSH_KEY"] = ""
        let none = try scene.run()
        #expect(none.status == 77 && none.errors.contains("there is no key for 127.0.0.1"), "\(none.errors)")
        scene.environment["SLUICE_SSH_KEY"] = shell.key
        // Another machine under this name, one that nobody knows, and nothing that says whom to trust.
        let known = try String(contentsOfFile: shell.knownHosts, encoding: .utf8)
        let other = try String(contentsOfFile: shell.otherKey + ".pub", encoding: .utf8)
        for text in ["[127.0.0.1]:\(shell.port) \(other)", "", "[127.0.0.2]:\(shell.port) " + known.drop { $0 != " " }]
        {
            scene.environment["SLUICE_KNOWN_HOSTS"] = try scene.folder.write("known", text)
            let outcome = try scene.run()
            #expect(outcome.status == 77 && outcome.errors.contains("cannot be trusted"), "\(outcome.errors)")
        }
        scene.environment["SLUICE_KNOWN_HOSTS"] = "/nowhere"
        #expect(try scene.run().status == 77)
        #expect(!scene.folder.names.contains("store.sqlite"))
    }

    @Test func whatIsNotThere() throws {
        for path in ["none.json", "none/*.json", "*.json"] {
            try define(path)
            let outcome = try scene.run()
            #expect(
                outcome.status == 66 && outcome.errors.contains("items.jsonc:3:") || path == "none.json",
                "\(outcome.errors)")
            #expect(outcome.status == 66, "\(outcome.errors)")
        }
        for text in ["sftp://", "sftp://host", "sftp://a:b@host/x", "sftp://host:0/x", "sftp://@host/x"] {
            try scene.define(#""file": "\#(text)""#)
            #expect(try scene.run().status == 78, "\(text)")
        }
        try define("a.json", port: 1)
        let nobody = try scene.run()
        #expect(nobody.status == 69 && nobody.errors.contains("tried 6 times"), "\(nobody.errors)")
    }

    // MARK: What breaks off

    /// A connection that is cut goes on where it was; a file that is another by then is not put together.
    @Test(arguments: [false, true]) func aConnectionThatIsCut(changes: Bool) throws {
        try put("large.json", SecureFileTests.largeFeed)
        let file = shell.folder.appending(path: "large.json").path
        let proxy = try CuttingProxy(
            to: shell.port, after: 3_000_000, change: changes ? (file: file, text: "{}") : nil)
        let known = try String(contentsOfFile: shell.knownHosts, encoding: .utf8)
        scene.environment["SLUICE_KNOWN_HOSTS"] = try scene.folder.write(
            "known", "[127.0.0.1]:\(proxy.port)" + known.drop { $0 != " " })
        try define("large.json", port: proxy.port)
        let outcome = try scene.run()
        if changes {
            #expect(outcome.status == 65 && outcome.errors.contains("changed while it was read"), "\(outcome.errors)")
            return
        }
        #expect(outcome.status == 0 && outcome.count("Item", "created") == 200_000, "\(outcome.errors)")
        let wire = outcome.report["wire"] as? [String: [String: Any]]
        #expect((wire?["main"]?["retries"] as? [String: Int])?.isEmpty == false, "\(wire ?? [:])")
    }

    /// A machine that falls silent is asked again; where it stays so, at once or within a file, the run ends in time,
    /// and leaves nothing.
    @Test(arguments: [(3_000_000, false), (3_000_000, true), (0, true), (1500, true)])
    func aMachineThatFallsSilent(bytes: Int, isForGood: Bool) throws {
        try put("large.json", SecureFileTests.largeFeed)
        let proxy = try CuttingProxy(to: shell.port, silentAfter: bytes, isForGood: isForGood)
        let known = try String(contentsOfFile: shell.knownHosts, encoding: .utf8)
        scene.environment["SLUICE_KNOWN_HOSTS"] = try scene.folder.write(
            "known", "[127.0.0.1]:\(proxy.port)" + known.drop { $0 != " " })
        scene.environment["SLUICE_TEST_SILENCE"] = "1"
        try define("large.json", port: proxy.port)
        let start = Date()
        let outcome = try scene.run()
        if isForGood {
            // Six times a second, and what it takes to begin and to end.
            #expect(Date().timeIntervalSince(start) < 30)
            #expect(outcome.status == 69 && outcome.errors.contains("tried 6 times"), "\(outcome.errors)")
            #expect(!scene.folder.names.contains { $0.hasPrefix("store.sqlite") }, "\(scene.folder.names)")
            return
        }
        #expect(outcome.status == 0 && outcome.count("Item", "created") == 200_000, "\(outcome.errors)")
        let wire = outcome.report["wire"] as? [String: [String: Any]]
        #expect((wire?["main"]?["retries"] as? [String: Int])?["was silent"] == 1, "\(wire ?? [:])")
        let waited = wire?["main"]?["waited"] as? [String: Double]
        #expect((waited?["retries"] ?? 0) > 0, "\(wire ?? [:])")
    }

    /// A signal ends a run that waits for a silent machine.
    @Test func aSilentMachineHoldsNobodyUp() throws {
        try put("a.json", ObjectScene.feed(1))
        let proxy = try CuttingProxy(to: shell.port, silentAfter: 1500, isForGood: true)
        let known = try String(contentsOfFile: shell.knownHosts, encoding: .utf8)
        scene.environment["SLUICE_KNOWN_HOSTS"] = try scene.folder.write(
            "known", "[127.0.0.1]:\(proxy.port)" + known.drop { $0 != " " })
        try define("a.json", port: proxy.port)
        let held = try RunningSluice(["run", scene.definition], environment: scene.environment)
        Thread.sleep(forTimeInterval: 2)
        let start = Date()
        held.signal(SIGTERM)
        let outcome = held.ended()
        #expect(outcome.status == 128 + SIGTERM && Date().timeIntervalSince(start) < 5, "\(outcome.errors)")
    }

    // MARK: In place of a source's own feed

    @Test func feedsOfTheCommandLine() throws {
        try put("n/a.json", ObjectScene.feed(1))
        try put("n/b.json", ObjectScene.feed(2))
        _ = try Shell.output(["env", "-C", shell.folder.path, "zip", "-q", "-r", "n.zip", "n"])
        try scene.define(#""file": "none""#)
        func sluice(_ words: String...) throws -> Sluice.Outcome {
            try Sluice.run(words, environment: scene.environment)
        }
        let outcome = try scene.run("--feed", place("n/*.json"))
        #expect(outcome.status == 0 && outcome.count("Item", "created") == 2, "\(outcome.errors)")
        #expect((outcome.report["wire"] as? [String: Any])?["main"] != nil)
        #expect(try scene.run("--feed", place("n.zip/n/b.json")).count("Item", "unchanged") == 1)
        #expect(try scene.run("--feed", place("none/*.json")).status == 66)
        #expect(try scene.run("--feed", "sftp://x").status == 64)
        let replay = try sluice("replay", scene.definition, place("n/a.json"), place("n/b.json"))
        #expect(replay.status == 0, "\(replay.errors)")
        let mixed = try sluice("replay", scene.definition, place("n/a.json"), scene.definition)
        #expect(mixed.status == 64 && mixed.errors.contains("is on another machine"), "\(mixed.errors)")
        let others = try sluice("replay", scene.definition, place("n/a.json"), place("n/b.json", port: 1))
        #expect(others.status == 69 || others.status == 64, "\(others.errors)")
        let preview = try sluice("preview", scene.definition, "--feed", place("n/a.json"))
        #expect(preview.status == 0 && preview.output.contains("item 1"), "\(preview.errors)")
        let check = try sluice("check", scene.definition, "--against", place("n/*.json"))
        // Some of the definition finds nothing in them.
        #expect(check.status == 65 && check.output.contains("Item: 2 records"), "\(check.output) \(check.errors)")
    }

    @Test func partsAndDrafts() throws {
        try put("n/a.json", #"{"items": [{"id": 1, "name": "one"}, {"id": "x"}]}"#)
        try put("t/stops.txt", "id,name\nA,Alte Brücke\nB,Bahnhof\n")
        try put("t/times.txt", "trip,stop\n1,A\n2,B\n3,A\n")
        _ = try Shell.output(["env", "-C", shell.folder.path + "/t", "zip", "-q", "../t.zip", "stops.txt", "times.txt"])
        try define("n/a.json")
        func sluice(_ words: String...) throws -> Sluice.Outcome {
            try Sluice.run(words, environment: scene.environment)
        }
        let part = try sluice("extract", scene.definition, "--to", scene.folder.file("parts"))
        #expect(part.status == 0 && part.output == "main-a.json: Item 1; rejects 1\n", "\(part.errors)\(part.output)")
        let findings = try String(
            contentsOfFile: scene.folder.file("parts/findings/main-a.json.ndjson"), encoding: .utf8)
        #expect(findings.contains(#""record": {"id":"x"}"#), "\(findings)")
        for feeds in [[place("t.zip")], [place("t/*.txt"), "--format", "csv"]] {
            let file = scene.folder.file("drafted\(feeds.count).jsonc")
            let tried = try Sluice.run(["init", "--output", file] + feeds, environment: scene.environment)
            #expect(tried.status == 0 && tried.output.contains("Alte Brücke"), "\(tried.errors)")
            let text = try String(contentsOfFile: file, encoding: .utf8)
            #expect(text.contains(place("t")) && text.contains("Stop"), "\(text)")
            let run = try sluice("run", file, "--store", file + ".sqlite")
            #expect(run.status == 0, "\(run.errors)")
        }
        #expect(try sluice("init", place("none/*.txt")).status == 66)
        #expect(try sluice("init", "sftp://x").status == 64)
    }
}
