import Foundation
import Testing

/// Commands that are started when a run has ended.
@Suite struct HookTests {
    /// A script that writes what it is told to files beside the definition; its first argument names them.
    private static let script = """
        #!/bin/sh
        cat > "$1.report"
        env | grep '^SLUICE_' | sort > "$1.env"
        pwd > "$1.pwd"
        shift
        printf '%s\\n' "$@" > args
        echo "said by the hook"
        """

    private func scene(_ state: StoreState = .new, after: String) throws -> Scene {
        let scene = try Scene(state, settings: "\"after\": \(after),")
        let path = try scene.folder.write("tell.sh", HookTests.script)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        return scene
    }

    private func text(_ scene: Scene, _ name: String) -> String {
        (try? String(contentsOfFile: scene.folder.file(name), encoding: .utf8)) ?? ""
    }

    private func environment(_ scene: Scene, _ name: String) -> [String: String] {
        var variables: [String: String] = [:]
        for line in text(scene, name + ".env").split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            variables[String(parts[0])] = String(parts[1])
        }
        return variables
    }

    @Test func commandsAreToldOfTheRun() throws {
        let scene = try scene(
            after:
                #"{ "succeeded": ["./tell.sh", "good", "a b", "$HOME", "*", "\"'"], "failed": [["./tell.sh", "bad"]] }"#
        )
        // From another folder, with a relative path: the command works in the definition's.
        let outcome = try Sluice.run(
            ["run", "items.jsonc", "--format", "json"], folder: scene.folder.path)
        #expect(outcome.status == 0)
        #expect(text(scene, "good.report") == outcome.output)
        #expect(text(scene, "args") == "a b\n$HOME\n*\n\"'\n")
        #expect(outcome.errors == "said by the hook\n")
        let variables = environment(scene, "good")
        let folder = URL(fileURLWithPath: scene.folder.path).resolvingSymlinksInPath().path
        #expect(text(scene, "good.pwd") == folder + "\n")
        #expect(variables["SLUICE_PIPELINE"] == "items")
        #expect(variables["SLUICE_STATUS"] == "succeeded")
        #expect(variables["SLUICE_EXIT_STATUS"] == "0")
        #expect(variables["SLUICE_RUN"] == "1")
        #expect(variables["SLUICE_STORE"] == folder + "/store.sqlite")
        #expect(variables["SLUICE_DEFINITION"] == folder + "/items.jsonc")
        #expect(variables["SLUICE_CREATED"] == "3")
        #expect(variables["SLUICE_ERROR"] == "")
        #expect(variables["SLUICE_LOADED"] == variables["SLUICE_FINISHED"])
        #expect(!scene.folder.names.contains("bad.report"))

        let bad = try scene.folder.write("bad.json", "[")
        let failed = try scene.run(["--feed", bad, "--format", "json"])
        #expect(failed.status == 65)
        #expect(text(scene, "bad.report") == failed.output)
        #expect(environment(scene, "bad")["SLUICE_EXIT_STATUS"] == "65")
        #expect(environment(scene, "bad")["SLUICE_ERROR"]?.hasPrefix("\(bad):1:") == true)
        let rejected = try scene.folder.write("rejected.json", #"{"items": [{"id": "x"}]}"#)
        #expect(try scene.run(["--feed", rejected]).status == 65)
        #expect(
            environment(scene, "bad")["SLUICE_ERROR"]
                == "the limit of 0 rejects is exceeded: there is 1 (limits.rejects, by default; --allow rejects=1 for one run)"
        )
    }

    /// With `--quiet`, what a command says matters where it fails.
    @Test func quietHooksAreShownOnlyWhereTheyFail() throws {
        for log in ["text", "json"] {
            let scene = try scene(after: #"{ "succeeded": ["./tell.sh", "good"] }"#)
            #expect(try !scene.run(["--quiet", "--log", log]).errors.contains("said by the hook"))
            let failing = try self.scene(after: #"{ "succeeded": ["sh", "-c", "echo the reason; exit 3"] }"#)
            let errors = try failing.run(["--quiet", "--log", log]).errors
            #expect(errors.contains("the reason") && errors.contains("failed with the status 3"))
        }
    }

    /// With `--show news`, what a command says is told where the report is shown, or the command has failed; a log for
    /// programs has it all.
    @Test func newsOfHooks() throws {
        let scene = try scene(after: #"{ "succeeded": ["./tell.sh", "good"], "failed": ["./tell.sh", "bad"] }"#)
        // The feed of the first night has something that needs attention.
        let first = try scene.run(["--show", "news"])
        #expect(first.output.contains("succeeded") && first.errors == "said by the hook\n", "\(first)")
        let night = try scene.run(["--show", "news", "--force"])
        #expect(night.status == 0 && night.output.isEmpty && night.errors.isEmpty, "\(night)")
        #expect(try scene.run(["--show", "news", "--log", "json", "--force"]).errors.contains("said by the hook"))
        let rejected = try scene.folder.write("bad.json", "[{")
        let failed = try scene.run(["--show", "news", "--feed", rejected])
        #expect(failed.status == 65 && failed.output.contains("failed"), "\(failed)")
        #expect(failed.errors.contains("said by the hook"), "\(failed)")
        let failing = try self.scene(after: #"{ "succeeded": ["sh", "-c", "echo the reason; exit 3"] }"#)
        let errors = try failing.run(["--show", "news"]).errors
        #expect(errors.contains("the reason") && errors.contains("failed with the status 3"), "\(errors)")
    }

    /// The documentation lists all variables, and no others.
    @Test func everyVariableIsOnThePage() throws {
        let scene = try scene(after: #"{ "succeeded": ["./tell.sh", "good"] }"#)
        #expect(try scene.run().status == 0)
        let page = try String(contentsOfFile: Sluice.path("Documentation/hooks.md"), encoding: .utf8)
        let listed = Set(page.matches(of: /`(SLUICE_[A-Z_]+)`/).map { String($0.1) })
        #expect(listed == Set(environment(scene, "good").keys))
    }

    @Test func cancelledRuns() throws {
        let scene = try scene(after: #"{ "cancelled": { "run": ["./tell.sh", "ended"] } }"#)
        let run = try RunningSluice(["run", scene.definition, "--feed", "-"], pipesInput: true)
        #expect(run.waits { scene.folder.names.contains("store.sqlite.sluice-lock") })
        run.signal(SIGTERM)
        #expect(run.ended().status == 143)
        #expect(environment(scene, "ended")["SLUICE_STATUS"] == "cancelled")
        #expect(environment(scene, "ended")["SLUICE_EXIT_STATUS"] == "143")
    }

    /// One after the other, whatever becomes of them; the run stays what it is, and secrets stay out of the log.
    @Test func commandsThatFail() throws {
        let scene = try scene(
            after: """
                { "succeeded": [["false", "secret"], ["./none", "secret"], { "run": ["sleep", "100"], "timeout": "100ms" },
                  ["sh", "-c", "kill -9 $$"], ["sh", "-c", "exec <&-; exit 3"], ["./tell.sh", "last"]] }
                """)
        let outcome = try scene.run()
        #expect(outcome.status == 0)
        #expect(try Database(scene.store).rows("SELECT status FROM sluice_run") == [["succeeded"]])
        let messages = [
            "the command false, after a run that succeeded, failed with the status 1",
            "the command ./none, after a run that succeeded, could not be started: No such file or directory",
            "the command sleep, after a run that succeeded, took longer than 0.1 s, and was ended",
            "the command sh, after a run that succeeded, was ended by signal 9",
            "the command sh, after a run that succeeded, failed with the status 3", "said by the hook",
        ]
        let lines = outcome.errors.split(separator: "\n").map { String($0).replacing("sluice: ", with: "") }
        #expect(lines == messages)
        #expect(environment(scene, "last")["SLUICE_STATUS"] == "succeeded")
        let logged = try scene.run(["--log", "json"])
        for line in logged.errors.split(separator: "\n") {
            #expect((try? JSONSerialization.jsonObject(with: Data(line.utf8))) != nil, "\(line)")
        }
        #expect(logged.errors.contains(#""message": "said by the hook", "hook": "./tell.sh""#))
    }

    /// A report of any size is there whole, and who does not read it does no harm.
    @Test func longReports() throws {
        let scene = try scene(after: #"{ "succeeded": [["true"], ["./tell.sh", "good"]] }"#)
        let records = (0..<20).map { "{\"id\":\($0),\"price\":\"\(String(repeating: "x", count: 60_000))\"}" }
        let feed = try scene.folder.write("long.json", "{\"items\":[\(records.joined(separator: ","))]}")
        let outcome = try scene.run(["--feed", feed, "--format", "json"])
        #expect(outcome.status == 65)
        let text = try String(contentsOfFile: scene.definition, encoding: .utf8)
            .replacing("\"source\"", with: "\"limits\": { \"rejects\": null }, \"source\"")
        try text.write(toFile: scene.definition, atomically: true, encoding: .utf8)
        let passed = try scene.run(["--feed", feed, "--format", "json"])
        #expect(passed.status == 0)
        #expect(passed.output.utf8.count > 1_000_000)
        #expect(self.text(scene, "good.report") == passed.output)
    }

    /// The store is free by then: a command may start another run.
    @Test func aCommandMayRunThePipeline() throws {
        let scene = try Scene(.new)
        let other = try scene.folder.write(
            "other.jsonc",
            Scene.definition(
                settings:
                    "\"after\": { \"succeeded\": [\"\(Sluice.executable.path)\", \"run\", \"items.jsonc\", \"-q\"] },"))
        let outcome = try Sluice.run(["run", other])
        #expect(outcome.errors == "")
        #expect(
            try Database(scene.store).rows("SELECT pipeline, status FROM sluice_run ORDER BY run") == [
                ["other", "succeeded"], ["items", "succeeded"],
            ])
    }

    /// A signal while a command runs: it is ended, and what the run did stays.
    @Test func aSignalEndsCommands() throws {
        let scene = try scene(
            after: #"{ "succeeded": [["sh", "-c", "touch began; sleep 100; touch finished"], ["touch", "second"]] }"#)
        let run = try RunningSluice(["run", scene.definition])
        #expect(run.waits { scene.folder.names.contains("began") })
        run.signal(SIGINT)
        let outcome = run.ended()
        #expect(outcome.status == 0)
        #expect(outcome.errors.contains("the command sh, after a run that succeeded, was ended by a signal to sluice"))
        #expect(!scene.folder.names.contains("finished") && !scene.folder.names.contains("second"))
    }

    /// Whatever sluice does with signals, its commands have them as usual, and none of its files.
    @Test func whatCommandsInherit() throws {
        let scene = try scene(
            after:
                #"{ "succeeded": ["sh", "-c", "grep -E '^Sig(Blk|Ign)' /proc/self/status > signals; ls -l /proc/self/fd > files"] }"#
        )
        #expect(try scene.run().status == 0)
        // But for two that the C library keeps for itself.
        let signals = text(scene, "signals").replacing("0000000180000000", with: "0000000000000000")
        #expect(signals == "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n")
        #expect(text(scene, "files").contains(" 0 -> "))
        #expect(!text(scene, "files").contains(/store|feed|items/))
    }

    // MARK: Per entity

    private static let transit = """
        {
          "source": { "file": "feed.json" },
          "store": { "sqlite": "store.sqlite" },
          "after": { "succeeded": { "run": ["sh", "-c", "echo \\"$1 $SLUICE_ENTITY $SLUICE_CREATED $SLUICE_UPDATED\\" >> told", "sh", "<{entity}>"], "per": "entity" } },
          "entities": {
            "Stop": { "records": "$.stops[*]", "identifier": "id", "attributes": { "id": "integer", "name": "text" } },
            "Line 1": { "records": "$.lines[*]", "identifier": "id", "attributes": { "id": "integer", "name": "text" },
              "relationships": { "start": { "to": "Stop" } } }
          }
        }
        """

    @Test func oneForEachEntityThatChanged() throws {
        let folder = TemporaryFolder()
        let definition = try folder.write("transit.jsonc", HookTests.transit)
        func told(_ stops: String, _ lines: String) throws -> String {
            try folder.remove("told")
            _ = try folder.write("feed.json", "{\"stops\":[\(stops)],\"lines\":[\(lines)]}")
            let outcome = try Sluice.run(["run", definition])
            #expect(outcome.errors == "")
            return (try? String(contentsOfFile: folder.file("told"), encoding: .utf8)) ?? ""
        }
        let one = #"{"id":1,"name":"a"}"#
        let line = #"{"id":7,"start":2}"#
        #expect(try told(one, line) == "<Stop> Stop 1 0\n<Line 1> Line 1 1 0\n")
        #expect(try told(one, line) == "")
        #expect(try told(#"{"id":1,"name":"b"}"#, line) == "<Stop> Stop 0 1\n")
        // The target comes: the line is linked late.
        #expect(try told(#"{"id":2}"#, "") == "<Stop> Stop 1 0\n<Line 1> Line 1 0 0\n")
        let copies = #"{"id":1},{"id":1,"name":"c"}"#
        #expect(try told(copies, "") == "<Stop> Stop 0 1\n")
        // Copies that differ change nothing the second time.
        #expect(try told(copies + " ", "") == "")
    }
}
