import Foundation
import Glibc
import Testing

/// The files that a plan's runner writes beside its state: the report, and the findings.
@Suite struct PlanOutputTests {
    private let scratch = TemporaryFolder()
    private var runner: PlanRunner { PlanRunner(in: scratch) }

    private func definition(_ more: String = "") throws -> String {
        _ = try scratch.write("feed.json", #"[{"id": 1, "n": 1}, {"id": 2, "n": "x"}]"#)
        return try scratch.write(
            "items.jsonc",
            """
            { "source": { "file": "feed.json" }, "store": { "sqlite": "x.sqlite" }, "limits": { "rejects": null }, \(more)
              "entities": { "Item": {
                "records": "$[*]", "identifier": "id", "attributes": { "id": "integer", "n": "integer" } } } }
            """)
    }

    private func text(_ name: String) throws -> String {
        try String(contentsOfFile: scratch.file(name), encoding: .utf8)
    }

    @Test("What a run reads is never replaced, and nothing that it writes by something else of it")
    func nothingIsReplaced() throws {
        let definition = try definition()
        let (feed, written) = (try text("feed.json"), try text("items.jsonc"))
        try FileManager.default.createSymbolicLink(atPath: scratch.file("link"), withDestinationPath: "feed.json")
        for name in ["feed.json", "link", "items.jsonc"] {
            for option in ["--report", "--findings"] {
                let outcome = try runner.run(definition, [option, scratch.file(name)])
                #expect(outcome.status == 64 && outcome.errors.contains("would replace the"), "\(outcome.errors)")
            }
        }
        let twice = try runner.run(definition, ["--report", scratch.file("x"), "--findings", scratch.file("x")])
        #expect(twice.status == 64 && twice.errors.contains("would replace the findings"), "\(twice.errors)")
        let state = try runner.run(definition, ["--report", "\(runner.state)/CURRENT"])
        #expect(state.status == 64 && state.errors.contains("a part of the state"), "\(state.errors)")
        #expect(try text("feed.json") == feed && text("items.jsonc") == written)
        #expect(!FileManager.default.fileExists(atPath: runner.state))
        let defined = try runner.run(self.definition(#""findings": "feed.json","#))
        #expect(defined.status == 78 && defined.errors.contains("would replace the feed"), "\(defined.errors)")
        #expect(try text("feed.json") == feed)
    }

    @Test("A state is no feed, and findings are a file")
    func aStateIsNoFeed() throws {
        let definition = try definition()
        let pattern = try String(contentsOfFile: definition, encoding: .utf8).replacing("feed.json", with: "**/*.json")
        _ = try scratch.write("pattern.jsonc", pattern)
        let outcome = try runner.run(scratch.file("pattern.jsonc"))
        #expect(outcome.status == 64 && outcome.errors.contains("would be read as a feed"), "\(outcome.errors)")
        #expect(!FileManager.default.fileExists(atPath: runner.state))
        let sent = try runner.run(self.definition(#""findings": "s3://bucket/key","#))
        #expect(sent.status == 78 && sent.errors.contains("items.jsonc:1:"), "\(sent.errors)")
        let given = try runner.run(self.definition(), ["--findings", "s3://bucket/key"])
        #expect(given.status == 64, "\(given.errors)")
    }

    @Test("A signal that an engine answers with an error of its own has cancelled the run")
    func aSignalInAStepCancels() throws {
        let definition = try definition()
        // A step that takes as long as all of those of a large feed.
        let step =
            #"{"step":"objects","reads":[],"writes":"slow","sql":"SELECT count(*) AS n FROM range(10000000) a, range(10000000) b WHERE a.range % 7 = b.range % 11"}"#
        let slow = try scratch.write(
            "slow",
            """
            #!/bin/sh
            '\(Sluice.executable.path)' "$@" || exit $?
            case "$1$*" in plan*--report*) ;; plan*) echo '\(step)';; esac
            """)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: slow)
        let process = try runner.start(definition, ["--report", scratch.file("r.json"), "--sluice", slow])
        let manifests = { (try? FileManager.default.subpathsOfDirectory(atPath: runner.state)) ?? [] }
        while process.isRunning, !manifests().contains(where: { $0.contains("/manifest/") && $0.hasSuffix(".json") }) {
            usleep(20_000)
        }
        usleep(500_000)
        process.terminate()
        process.waitForEnd()
        #expect(process.terminationStatus == 143)
        #expect(try text("r.json").contains(#""status": "cancelled""#))
        #expect(runner.names.allSatisfy { !$0.hasPrefix(".work") && !$0.hasPrefix("v0") })
    }

    @Test("A link is followed, permissions stay, and a device is written in place")
    func filesStayWhatTheyAre() throws {
        let definition = try definition()
        _ = try scratch.write("real", "old")
        try FileManager.default.createSymbolicLink(atPath: scratch.file("link"), withDestinationPath: "real")
        _ = try scratch.write("private", "")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: scratch.file("private"))
        let outcome = try runner.run(
            definition, ["--report", scratch.file("link"), "--findings", scratch.file("private")])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try text("real").contains(#""status": "succeeded""#))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: scratch.file("link")) == "real")
        let mode = try FileManager.default.attributesOfItem(atPath: scratch.file("private"))[.posixPermissions] as? Int
        #expect(try mode == 0o600 && text("private").contains(#""kind": "reject""#))
        #expect(try runner.run(definition, ["--report", "/dev/null", "--findings", "/dev/null"]).status == 0)
        var status = stat()
        #expect(unsafe stat("/dev/null", &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
    }

    @Test("Findings of the run that counts stay where another one holds the state")
    func findingsOfOthersStay() throws {
        let definition = try definition(#""findings": "f.ndjson","#)
        #expect(try runner.run(definition).status == 0)
        let findings = try text("f.ndjson")
        #expect(!findings.isEmpty)
        let lock = unsafe open("\(runner.state)/LOCK", O_RDWR | O_CLOEXEC)
        defer { close(lock) }
        #expect(flock(lock, LOCK_EX) == 0)
        let busy = try runner.run(definition, ["--report", scratch.file("r.json")])
        #expect(busy.status == 75, "\(busy.errors)")
        #expect(try text("f.ndjson") == findings && text("r.json").contains(#""exitStatus": 75"#))
        // A dry run neither waits for a run, nor holds one up; of what it reads, nothing is removed.
        #expect(try runner.run(definition, ["--dry-run"]).status == 0)
        flock(lock, LOCK_UN)
        let read = unsafe open("\(runner.state)/v000001/files.json", O_RDONLY | O_CLOEXEC)
        #expect(flock(read, LOCK_SH) == 0)
        for _ in 2...3 { #expect(try runner.run(definition, ["--keep", "0"]).status == 0) }
        #expect(runner.names.contains("v000001") && !runner.names.contains("v000002"))
        close(read)
        #expect(try runner.run(definition, ["--keep", "0"]).status == 0)
        #expect(!runner.names.contains("v000001"))
    }

    @Test("A run whose version counts has succeeded, whatever fails then")
    func whatIsPublishedHasSucceeded() throws {
        let definition = try definition(#""findings": "f.ndjson","#)
        let full = PlanRunner(["/bin/sh", "-c", #"exec "$@" > /dev/full"#, "sh"] + PlanRunner.duckdb, in: scratch)
        let outcome = try full.run(definition, ["--format", "json", "--report", scratch.file("r.json")])
        #expect(outcome.status == 74, "\(outcome.errors)")
        #expect(try text("r.json").contains(#""status": "succeeded""#) && !text("f.ndjson").isEmpty)
        #expect(try String(contentsOfFile: "\(runner.state)/CURRENT", encoding: .utf8) == "v000001\n")
    }
}
