import Foundation
import TestSupport
import Testing

/// A source may be a command: the feed is what it prints, if it ends well.
@Suite struct CommandSourceTests {
    private static let feed = #"{"items": [{"id": 1, "name": "one"}, {"id": 2, "name": "two", "parent": 1}]}"#
    private static let archive = #""archive": { "directory": "archive" },"#

    /// A pipeline whose feed is what `./dump` prints, and that script.
    private func scene(_ script: String, settings: String = "", more: String = "") throws -> WebScene {
        let scene = try WebScene(#""command": ["./dump", "a b", "$HOME;"]\#(more)"#, settings: settings)
        try write(script, scene)
        return scene
    }

    private func write(_ script: String, _ scene: WebScene) throws {
        let path = try scene.folder.write("dump", "#!/bin/sh\n: >>started\n\(script)\n")
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
    }

    private func text(_ name: String, _ scene: WebScene) throws -> String {
        try String(contentsOfFile: scene.folder.file(name), encoding: .utf8)
    }

    /// Whether a process runs: one that nobody has asked for its end is there still.
    /// What was killed may take a moment to die, where the machine has other things to do.
    private func isAlive(_ id: Substring) -> Bool {
        for _ in 0..<100 {
            guard let state = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8),
                !state.contains(") Z ")
            else { return false }
            Thread.sleep(forTimeInterval: 0.05)
        }
        return true
    }

    private func print(_ feed: String = feed) -> String { "cat <<'END'\n\(feed)\nEND" }

    private func hasStarted(_ scene: WebScene) -> Bool { scene.folder.names.contains("started") }

    @Test func theFeedIsWhatItPrints() throws {
        let scene = try scene(print() + "\nprintf '%s' \"$1|$2\" >arguments; pwd >folder; cat >input")
        let outcome = try scene.run()
        #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        #expect(outcome.count("Item", "created") == 2)
        let sources = outcome.report["sources"] as? [String: [String: Any]]
        #expect(sources?["main"]?["location"] as? String == "the output of ./dump")
        #expect(try text("arguments", scene) == "a b|$HOME;")
        #expect(try text("folder", scene).hasSuffix((scene.folder.path as NSString).lastPathComponent + "\n"))
        #expect(try text("input", scene).isEmpty)
        // It is read again each night: who knows what it prints.
        let again = try scene.run()
        #expect(again.count("Item", "unchanged") == 2 && again.report["status"] as? String == "succeeded")
    }

    @Test func whatIsCompressedAndWhatIsATable() throws {
        let table = try scene("printf 'id;name\\n1;one\\n' | gzip -c")
        try table.define(#""command": ["./dump"], "format": "csv", "delimiter": ";""#, records: "$")
        let outcome = try table.run()
        #expect(outcome.count("Item", "created") == 1, "\(outcome.errors)")
        // By the name of the program nothing is known.
        let path = try table.folder.write("x.csv", "#!/bin/sh\n\(print())\n")
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
        try table.define(#""command": ["./x.csv"]"#)
        #expect(try table.run().count("Item", "created") == 1)
    }

    @Test(arguments: ["run", "batch"])
    func itsStatusCounts(commit: String) throws {
        let scene = try scene(print())
        #expect(try scene.run().status == 0)
        let before = try scene.contents
        // The feed is whole, or cut: what is told is how the command has ended.
        for feed in [#"{"items": [{"id": 1, "name": "new"}]}"#, #"{"items": [{"id": 1, "na"#, ""] {
            try write(print(feed) + "\necho connected >&2\necho the server went away >&2\nexit 3", scene)
            let failed = try scene.run("--commit", commit)
            #expect(failed.status == 69, "\(failed.errors)")
            #expect(failed.errors.contains("./dump ended with status 3: the server went away"), "\(failed.errors)")
            #expect(failed.errors.contains("sluice: ./dump: connected\n"))
            if commit == "run" { #expect(try scene.contents == before) }
        }
        try write(print() + "\nkill -9 $$", scene)
        let killed = try scene.run()
        #expect(killed.status == 69 && killed.errors.contains("./dump was ended by signal 9"), "\(killed.errors)")
        #expect(try scene.ledger.map(\.last) == ["succeeded"] + Array(repeating: "failed", count: 4))
    }

    @Test func whatItSaysIsTold() throws {
        let scene = try scene(print() + "\necho 'a warning' >&2; printf 'a \\033[1mlast line' >&2")
        let outcome = try scene.run("--log", "json")
        #expect(outcome.status == 0)
        let messages = outcome.errors.split(separator: "\n").compactMap { line in
            (try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?["message"] as? String
        }
        #expect(messages.contains("./dump: a warning"), "\(outcome.errors)")
        #expect(messages.contains { $0.hasPrefix("./dump: a \\u001b[1mlast line") }, "\(outcome.errors)")
        #expect(try scene.run("--quiet").errors.isEmpty)
        try write(print() + "\nseq 5000 >&2", scene)
        let lines = try scene.run().errors.split(separator: "\n")
        #expect(lines.count == 1001 && lines.last == "sluice: ./dump: … says more, which is not shown")
    }

    @Test func aProgramThatIsNotThere() throws {
        let scene = try scene(print())
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: scene.folder.file("dump"))
        let refused = try scene.run()
        #expect(refused.status == 77 && refused.errors.contains("./dump cannot be started"), "\(refused.errors)")
        try FileManager.default.removeItem(atPath: scene.folder.file("dump"))
        let missing = try scene.run()
        #expect(missing.status == 66 && missing.errors.contains("./dump cannot be started"), "\(missing.errors)")
        #expect(!scene.folder.names.contains("store.sqlite"))
        let checked = try Sluice.run(["check", scene.definition, "--connect"])
        #expect(checked.status == 66 && checked.errors.contains("there is no program ./dump that could be started"))
        #expect(checked.errors.contains("items.jsonc:3:"), "\(checked.errors)")
    }

    @Test func whoStartsIt() throws {
        let scene = try scene(print())
        for options in [[], ["--connect"]] {
            #expect(try Sluice.run(["check", scene.definition] + options).status == 0)
            #expect(!hasStarted(scene), "\(options)")
        }
        #expect(try scene.run("--dry-run").count("Item", "created") == 2)
        #expect(hasStarted(scene) && !scene.folder.names.contains("store.sqlite"))
        let preview = try Sluice.run(["preview", scene.definition, "--rows", "1"])
        #expect(preview.status == 0 && preview.output.contains("one"), "\(preview.errors)")
        // Another feed in its place.
        try FileManager.default.removeItem(atPath: scene.folder.file("started"))
        let feed = try scene.folder.write("other.json", #"{"items": [{"id": 5}]}"#)
        #expect(try scene.run("--feed", feed).count("Item", "created") == 1)
        #expect(!hasStarted(scene))
        let plan = try Sluice.run(["plan", scene.definition, "--dialect", "duckdb"])
        #expect(plan.errors.contains("save them with sluice fetch first"), "\(plan.errors)")
    }

    @Test func whatItPrintedIsSaved() throws {
        let scene = try scene(print(#"{"items": [{"id": 1}]}"#), settings: CommandSourceTests.archive)
        #expect(try scene.run().status == 0)
        try write(print(#"{"items": [{"id": 1}, {"id": "x"}, {"id": 3}]}"#), scene)
        let failed = try scene.run()
        #expect(failed.status == 65)
        let reject = (failed.report["examples"] as? [[String: Any]])?.first
        #expect(reject?["record"] as? [String: String] == ["id": "x"])
        try FileManager.default.removeItem(atPath: scene.folder.file("dump"))
        let replayed = try Sluice.run([
            "replay", scene.definition, "--run", "2", "--allow", "rejects=1", "--format", "json",
        ])
        #expect(replayed.count("Item", "created") == 1, "\(replayed.errors)")
        try write(print(), scene)
        let fetched = try Sluice.run(["fetch", scene.definition])
        #expect(fetched.status == 0 && fetched.output.contains(".json.zst"), "\(fetched.errors)")
        try write(print() + "\nexit 1", scene)
        #expect(try Sluice.run(["fetch", scene.definition]).status == 69)
        #expect(try scene.run().status == 69)
        // What is no whole feed is not kept.
        let saved = try FileManager.default.contentsOfDirectory(atPath: scene.folder.file("archive"))
        #expect(saved.count == 3, "\(saved)")
    }

    /// One that hangs, before or behind what it prints, and one that a child outlives; all that it started ends with
    /// it.
    @Test(arguments: ["sleep 1000", "exec sleep 1000 >&-", "sleep 1000 & exit 0"])
    func aCommandThatHangs(end: String) throws {
        let scene = try scene(print() + "\n\(end)", more: #", "timeout": "200ms""#)
        let outcome = try scene.run()
        #expect(outcome.status == 69, "\(outcome.errors)")
        #expect(outcome.errors.contains("./dump printed nothing for 0.2 seconds, and was ended"), "\(outcome.errors)")
        #expect(!scene.folder.names.contains("store.sqlite"))
    }

    @Test func aSignalEndsIt() throws {
        let scene = try scene("echo '{\"items\": ['\nsleep 1000 & echo $$ $! >id.new; mv id.new id; wait")
        let run = try RunningSluice(["run", scene.definition])
        #expect(run.waits { scene.folder.names.contains("id") })
        let ids = try text("id", scene).split(whereSeparator: \.isWhitespace)
        #expect(ids.count == 2)
        run.signal(SIGINT)
        #expect(run.ended().status == 130)
        for id in ids { #expect(!isAlive(id)) }
        #expect(!scene.folder.names.contains("store.sqlite"))
    }

    /// A preview has nothing to finish, and leaves nothing running.
    @Test(arguments: [SIGINT, SIGTERM, SIGHUP]) func aSignalEndsAPreview(_ signal: Int32) throws {
        let scene = try scene("echo '{\"items\": ['\necho $$ >id.new; mv id.new id\nexec sleep 60")
        let preview = try RunningSluice(["preview", scene.definition])
        #expect(preview.waits { scene.folder.names.contains("id") })
        preview.signal(signal)
        #expect(preview.ended().status == 128 + signal)
        for id in try text("id", scene).split(whereSeparator: \.isWhitespace) { #expect(!isAlive(id)) }
    }

    /// The second signal ends the process at once, and the command with it, which does not care for signals.
    @Test func aSecondSignalEndsItAtOnce() throws {
        let scene = try scene(
            "trap '' TERM\necho '{\"items\": ['\necho $$ >id.new; mv id.new id\nwhile :; do sleep 1; done")
        let run = try RunningSluice(["run", scene.definition])
        #expect(run.waits { scene.folder.names.contains("id") })
        run.signal(SIGINT)
        usleep(300_000)
        run.signal(SIGINT)
        #expect(run.ended().status == 130)
        for id in try text("id", scene).split(whereSeparator: \.isWhitespace) { #expect(!isAlive(id)) }
    }

    /// The command has none of the files that are open in sluice, or in the program that started it.
    @Test func itInheritsNothing() throws {
        let scene = try scene("ls /proc/self/fd >open\n" + print())
        #expect(try scene.run().status == 0)
        // The last one is the folder that is being listed.
        #expect(try text("open", scene) == "0\n1\n2\n3\n")
    }

    /// What goes on printing when the run has failed is ended.
    @Test func aFeedThatIsWrong() throws {
        let scene = try scene("echo '{\"items\": [nonsense'\nwhile echo more; do :; done")
        let outcome = try scene.run()
        #expect(outcome.status == 65 && outcome.errors.contains("the output of ./dump:1:13:"), "\(outcome.errors)")
    }
}
