import Foundation
import Testing

/// What is told of a run that failed: since when, with which exit status, and that it has created nothing.
@Suite struct FailingRunsTests {
    private let folder = TemporaryFolder()

    private func define(_ more: String = "") throws -> String {
        try folder.write(
            "p.json",
            """
            { "source": { "file": "f.json" }, "store": { "sqlite": "s.sqlite" }, \(more)
              "entities": { "T": { "records": "$[*]", "identifier": "id", "attributes": { "id": "integer" } } } }
            """)
    }

    private func offer(_ text: String) throws { _ = try folder.write("f.json", text) }

    @Test func aReportSaysSinceWhenRunsFail() throws {
        let definition = try define()
        try offer(#"[{"id": 1}]"#)
        #expect(try Sluice.run(["run", definition]).status == 0)
        #expect(try Sluice.run(["run", definition]).status == 0)
        try offer(#"[{"id": "x"}]"#)
        let first = try Sluice.run(["run", definition])
        #expect(first.output.contains("\n  last succeeded: run 2, 20") && !first.output.contains("failing since"))
        try FileManager.default.removeItem(atPath: folder.file("f.json"))
        let second = try Sluice.run(["run", definition])
        #expect(second.status == 66 && second.output.contains("(run 4, exit status 66, "), "\(second.output)")
        try offer(#"[{"id": "x"}]"#)
        let third = try Sluice.run(["run", definition, "--report", folder.file("r.json"), "--show", "news"])
        let lines = third.output.split(separator: "\n")
        #expect(lines[0].contains("exit status 65") && lines[2].contains(/failing since .* UTC, in 3 runs/), "\(lines)")
        #expect(lines[3].contains("last succeeded: run 2, "))
        let json = try String(contentsOfFile: folder.file("r.json"), encoding: .utf8)
        #expect(json.contains(#""exitStatus": 65"#) && json.contains(#""failing": { "runs": 3, "since": ""#))
        // The ledger has it, too.
        let page = try Sluice.run(["runs", definition, "--run", "4", "--report", folder.file("r.html")])
        #expect(page.status == 0)
        let html = try String(contentsOfFile: folder.file("r.html"), encoding: .utf8)
        #expect(
            html.contains("exit status 66") && html.contains("in 2 runs") && html.contains("last succeeded: run 2, "))
        let past = try Sluice.run(["runs", definition, "--run", "4"]).output
        #expect(past.contains("exit status 66") && past.contains("in 2 runs"), "\(past)")
        let list = try Sluice.run(["runs", definition]).output.split(separator: "\n")
        #expect(list[0].contains(" Exit ") && list[1].split(separator: " ").contains("65"), "\(list[0])\n\(list[1])")
        #expect(try Sluice.run(["runs", definition, "--format", "json"]).output.contains(#""exitStatus": 66"#))
        // A dry run is none of them.
        #expect(try !Sluice.run(["run", definition, "--dry-run"]).output.contains("failing since"))
    }

    @Test func aPipelineThatNeverSucceeded() throws {
        let definition = try define()
        let metrics = folder.file("m.prom")
        let words = ["run", definition, "--metrics", metrics]
        #expect(try Sluice.run(words).status == 66)
        let text = try String(contentsOfFile: metrics, encoding: .utf8)
        #expect(text.contains("sluice_last_success_timestamp_seconds{pipeline=\"p\"} 0\n"), "\(text)")
        try offer(#"[{"id": 1}]"#)
        #expect(try Sluice.run(words).status == 0)
        let later = try String(contentsOfFile: metrics, encoding: .utf8)
        #expect(!later.contains("sluice_last_success_timestamp_seconds{pipeline=\"p\"} 0\n"))
    }

    /// Those who watch the metrics see a run that could not begin.
    @Test func aRunThatCannotBegin() throws {
        let definition = try define()
        let metrics = folder.file("m.prom")
        let words = ["run", definition, "--metrics", metrics]
        func values() throws -> [String: String] {
            let lines = try String(contentsOfFile: metrics, encoding: .utf8).split(separator: "\n")
            let pairs = lines.filter { !$0.hasPrefix("#") }.compactMap { line -> (String, String)? in
                let parts = line.split(separator: " ")
                return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
            }
            return Dictionary(pairs) { $1 }
        }
        let (exit, success) = (
            #"sluice_run_exit_status{pipeline="p"}"#, #"sluice_last_success_timestamp_seconds{pipeline="p"}"#
        )
        let text = try String(contentsOfFile: definition, encoding: .utf8)
        let broken = text.replacing("\"sqlite\": \"", with: "\"sqlite\": \"${NOBODY_HAS_SET_THIS}")
        #expect(broken != text)
        // Before the first run.
        _ = try folder.write("p.json", broken)
        #expect(try Sluice.run(words).status == 78)
        #expect(try values()[exit] == "78" && values()[success] == "0")
        _ = try folder.write("p.json", text)
        try offer(#"[{"id": 1}]"#)
        #expect(try Sluice.run(words).status == 0)
        let succeeded = try values()
        #expect(succeeded[exit] == "0" && succeeded[success] != "0")
        // Later, and whatever else is wrong: what is called otherwise is another pipeline.
        for wrong in [broken, "{"] {
            _ = try folder.write("p.json", wrong)
            #expect(try Sluice.run(words + ["--dry-run"]).status == 78)
            #expect(try Sluice.run(words).status == 78)
            #expect(try values()[exit] == "78" && values()[success] == succeeded[success])
        }
        // Nor does what is beside the definition have to be wrong: an entity that is gone, a folder that is.
        _ = try folder.write("p.json", text)
        for (wrong, status) in [(["--allow", "Gone.missing=1"], 64), (["--report", folder.file("gone/r.html")], 73)] {
            #expect(try Sluice.run(words).status == 0)
            #expect(try Int(Sluice.run(words + wrong).status) == status)
            #expect(try values()[exit] == "\(status)")
        }
        // A command line with a mistake makes no file.
        let typed = ["run", definition, "--metrics", folder.file("n"), "--allow", "Gone.missing=1"]
        #expect(try Sluice.run(typed).status == 64)
        #expect(!FileManager.default.fileExists(atPath: folder.file("n")))
        _ = try folder.write("p.json", "{")
        // What is no file of metrics is never replaced.
        let store = try Data(contentsOf: URL(fileURLWithPath: folder.file("s.sqlite")))
        #expect(try Sluice.run(["run", definition, "--metrics", folder.file("s.sqlite")]).status == 78)
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file("s.sqlite"))) == store)
        _ = try folder.write("p.json", #"{ "name": "other", "source": 5 }"#)
        #expect(try Sluice.run(words).status == 78)
        #expect(try values()[#"sluice_run_exit_status{pipeline="other"}"#] == "78")
    }

    /// Of a run that has undone what it did, nothing says that it created anything; with saved batches, all do.
    @Test(arguments: ["run", "batch"]) func nothingWasCreated(_ commit: String) throws {
        let definition = try define(
            #""commit": "\#(commit)", "after": { "failed": ["sh", "-c", "echo made $SLUICE_CREATED"] },"#)
        try offer("[" + (0..<60).map { #"{"id": \#($0)},"# }.joined() + #"{"id": "x"}]"#)
        let outcome = try Sluice.run([
            "run", definition, "--log", "json", "--report", folder.file("r.json"), "--metrics", folder.file("m.prom"),
        ])
        let made = commit == "run" ? 0 : 60
        #expect(outcome.status == 65 && outcome.errors.contains("made \(made)\""), "\(outcome.errors)")
        #expect(outcome.errors.contains(#""created": \#(made), "#))
        #expect(outcome.errors.contains(#""toCreate": 60"#) == (commit == "run"))
        let metrics = try String(contentsOfFile: folder.file("m.prom"), encoding: .utf8)
        #expect(
            metrics.contains("outcome=\"created\"} \(made)\n")
                && metrics.contains("outcome=\"to_create\"} \(60 - made)\n"))
        let json = try String(contentsOfFile: folder.file("r.json"), encoding: .utf8)
        #expect(json.contains(#""created": \#(made), "updated": 0"#), "\(json)")
        #expect(json.contains(#""undone": { "created": 60, "#) == (commit == "run"))
        #expect(outcome.output.contains(commit == "run" ? "To create" : "Created"))
        if commit == "batch" {
            #expect(try Sluice.run(["runs", definition]).output.contains(" 60 "))
        }
    }

    /// How long a feed has been the same is told from a day on.
    @Test func aFeedThatIsTheSameForDays() throws {
        let definition = try define(
            #""after": { "unchanged": ["sh", "-c", "echo loaded $SLUICE_LOADED"] },"#)
        try offer(#"[{"id": 1}]"#)
        #expect(try Sluice.run(["run", definition]).status == 0)
        let today = try Sluice.run(["run", definition, "--report", folder.file("r.json")]).output
        #expect(today.contains("the store has this feed since run 1 ("), "\(today)")
        let json = try String(contentsOfFile: folder.file("r.json"), encoding: .utf8)
        #expect(json.contains(#""loaded": { "run": 1, "finished": "20"#))
        let change =
            "UPDATE sluice_run SET report = json_set(report, '$.finished', '2020-01-01T00:00:00Z') WHERE run = 1"
        try Database(folder.file("s.sqlite")).execute(change)
        let outcome = try Sluice.run(["run", definition])
        #expect(outcome.errors == "loaded 2020-01-01T00:00:00Z\n", "\(outcome.errors)")
        let later = outcome.output
        #expect(later.contains(/the store has this feed since run 1, for [0-9],[0-9]{3}\s+days/), "\(later)")
    }
}
