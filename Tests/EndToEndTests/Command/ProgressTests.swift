import Foundation
import Testing

/// What is said of a run beside its report: progress, log and metrics.
@Suite struct ProgressTests {
    /// The lines of a JSON log.
    private func log(_ errors: String) throws -> [[String: Any]] {
        try errors.split(separator: "\n").map { line in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return try #require(object, "\(line)")
        }
    }

    @Test func aLogForCollectors() throws {
        let scene = try Scene(.new)
        let outcome = try scene.run(["--log", "json", "--progress=always"])
        #expect(outcome.status == 0)
        let lines = try log(outcome.errors)
        for line in lines {
            #expect((line["time"] as? String)?.contains(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) == true)
            #expect(line["level"] as? String == "info")
            #expect((line["message"] as? String)?.isEmpty == false)
        }
        #expect(lines.first?["message"] as? String == "the run started")
        #expect(lines.compactMap { $0["phase"] as? String } == ["reading", "linking", "saving"])
        let last = try #require(lines.last)
        #expect(last["message"] as? String == "the run succeeded")
        #expect(last["records"] as? Int == 3)
        #expect(last["created"] as? Int == 3)
        #expect(last["exitStatus"] as? Int == 0)
    }

    /// Errors too are lines of JSON, and say where they are.
    @Test func errorsInTheLog() throws {
        let scene = try Scene(.new)
        let feed = try scene.folder.write("bad.json", Scene.beginning + "{\"id\": x}]}")
        let outcome = try scene.run(["--log=json", "--feed", feed])
        #expect(outcome.status == 65)
        let errors = try log(outcome.errors).filter { $0["level"] as? String == "error" }
        #expect(errors.count == 2)
        #expect(errors[0]["file"] as? String == feed)
        #expect(errors[0]["line"] as? Int == 2)
        #expect(errors[1]["message"] as? String == "the run failed")
        #expect(errors[1]["exitStatus"] as? Int == 65)
        _ = try scene.folder.write("items.jsonc", "{ \"entitys\": 1 }")
        let wrong = try scene.run(["--log=json"])
        #expect(wrong.status == 78)
        #expect(try log(wrong.errors).allSatisfy { $0["line"] as? Int == 1 })
    }

    @Test func aLogForPeople() throws {
        let scene = try Scene(.new)
        let outcome = try scene.run(["--progress", "always"])
        let lines = outcome.errors.split(separator: "\n")
        #expect(lines.count == 3)
        let shape = #/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ sluice: [a-z]+: /#
        #expect(lines.allSatisfy { $0.contains(shape) }, "\(lines)")
        // Short runs, quiet ones and those that are to say nothing say nothing.
        for arguments in [[], ["--quiet"], ["--progress=never"], ["--progress=auto"]] {
            #expect(try scene.run(arguments).errors == "")
        }
        #expect(try scene.run(["--progress=never", "--log=json", "--quiet"]).errors == "")
    }

    /// On a terminal: one line, which is gone in the end.
    @Test(arguments: [80, 30])
    func aLineOfATerminal(width: Int) throws {
        let scene = try Scene(.new)
        let arguments = ["run", scene.definition, "--feed", "-"]
        func shown(_ more: [String] = [], _ environment: [String: String] = [:]) throws -> String {
            try Terminal.run(arguments + more, width: width, environment: environment) {
                Thread.sleep(forTimeInterval: 0.4)
                return Scene.goodFeed
            }
        }
        #expect(try shown(["--quiet"]) == "")
        let loud = try shown()
        let drawn = loud.components(separatedBy: "\r\u{1B}[K")
        #expect(drawn.contains { $0.hasPrefix("reading: 0 records") }, "\(loud)")
        #expect(drawn.allSatisfy { $0.count < width })
        #expect(!loud.contains("\n"))
        #expect(loud.hasSuffix("\r\u{1B}[K"))
        #expect(try shown([], ["TERM": "dumb"]) == "")
    }

    // MARK: Metrics

    /// The samples of a file of metrics, read strictly: each metric with its help and type, once.
    private func samples(_ text: String) throws -> [String: Double] {
        var samples: [String: Double] = [:]
        var (helped, typed): (Set<String>, String) = ([], "")
        for line in text.split(separator: "\n") {
            if let match = line.wholeMatch(of: /# HELP ([a-z_]+) \S.*/) {
                #expect(helped.insert(String(match.1)).inserted)
            } else if let match = line.wholeMatch(of: /# TYPE ([a-z_]+) gauge/) {
                typed = String(match.1)
                #expect(helped.contains(typed))
            } else {
                let label = #"[a-z]+="(?:[^"\\]|\\["\\n])*""#
                let pattern = try Regex("([a-z_]+)\\{(\(label)(?:,\(label))*)\\} (\\d+(?:\\.\\d+)?)")
                let match = try #require(line.wholeMatch(of: pattern), "\(line)")
                #expect(typed == match.output[1].substring.map(String.init))
                let parts = match.output.map { String($0.substring ?? "") }
                #expect(samples.updateValue(Double(parts[3]) ?? -1, forKey: "\(parts[1]){\(parts[2])}") == nil)
            }
        }
        #expect(text.hasSuffix("\n"))
        return samples
    }

    @Test func metricsOfEveryRun() throws {
        let scene = try Scene(.new, settings: #""name": "a \"b\" \\ c","#)
        let file = scene.folder.file("sluice.prom")
        let name = #"pipeline="a \"b\" \\ c""#
        let arguments = ["--metrics", file]
        func metrics() throws -> [String: Double] { try samples(String(contentsOfFile: file, encoding: .utf8)) }

        #expect(try scene.run(arguments).status == 0)
        let first = try metrics()
        #expect(first["sluice_run_records{\(name),entity=\"Item\",outcome=\"created\"}"] == 3)
        #expect(first["sluice_run_findings{\(name),kind=\"unresolved\"}"] == 1)
        #expect(first["sluice_run_status{\(name),status=\"succeeded\"}"] == 1)
        #expect(try #require(first["sluice_run_peak_memory_bytes{\(name)}"]) > 1_000_000)
        let success = try #require(first["sluice_last_success_timestamp_seconds{\(name)}"])
        #expect(abs(success - Date().timeIntervalSince1970) < 3600)

        // A feed that is the same is none that was loaded.
        let load = try #require(first["sluice_last_load_timestamp_seconds{\(name)}"])
        #expect(load == success)
        try FileManager.default.removeItem(atPath: file)
        for _ in 1...2 {
            #expect(try Sluice.run(["run", scene.definition] + arguments).status == 0)
            #expect(try metrics()["sluice_run_status{\(name),status=\"unchanged\"}"] == 1)
            // The ledger has whole seconds.
            let same = try #require(metrics()["sluice_last_load_timestamp_seconds{\(name)}"])
            #expect(abs(same - load) <= 1)
        }
        let later = try #require(metrics()["sluice_last_success_timestamp_seconds{\(name)}"])
        let bad = try scene.folder.write("bad.json", "{")
        #expect(try scene.run(arguments + ["--feed", bad]).status == 65)
        let second = try metrics()
        #expect(second["sluice_run_exit_status{\(name)}"] == 65)
        #expect(second["sluice_run_status{\(name),status=\"failed\"}"] == 1)
        #expect(second["sluice_last_success_timestamp_seconds{\(name)}"] == later)
        #expect(abs(try #require(second["sluice_last_load_timestamp_seconds{\(name)}"]) - load) <= 1)

        let run = try RunningSluice(["run", scene.definition, "--feed", "-"] + arguments, pipesInput: true)
        #expect(run.waits { scene.folder.names.contains("store.sqlite.sluice-lock") })
        run.signal(SIGTERM)
        #expect(run.ended().status == 143)
        let third = try metrics()
        #expect(third["sluice_run_exit_status{\(name)}"] == 143)
        #expect(third["sluice_run_status{\(name),status=\"cancelled\"}"] == 1)
        #expect(third["sluice_last_success_timestamp_seconds{\(name)}"] == later)
        // Nothing else is left in the folder, which node_exporter reads.
        #expect(scene.folder.names.filter { $0.contains("prom") } == ["sluice.prom"])
    }

    /// Who reads the file sees all of one run, never a part.
    @Test func metricsAreReplacedAtOnce() throws {
        let scene = try Scene(.new)
        let file = scene.folder.file("sluice.prom")
        #expect(try scene.run(["--metrics", file]).status == 0)
        for _ in 0..<5 {
            let run = try RunningSluice(["run", scene.definition, "--metrics", file, "--quiet"])
            repeat {
                let text = try String(contentsOfFile: file, encoding: .utf8)
                #expect(try samples(text).keys.contains { $0.hasPrefix("sluice_run_peak_memory_bytes") })
            } while run.isRunning
            #expect(run.ended().status == 0)
        }
    }

    @Test func metricsThatCannotBeWritten() throws {
        let scene = try Scene(.new)
        for path in [scene.folder.file("none/x.prom"), scene.folder.path, "/dev/null"] {
            let outcome = try scene.run(["--metrics", path])
            #expect(outcome.status == 73)
            #expect(outcome.errors.contains("the metrics \(path) cannot be written"))
            #expect(!scene.folder.names.contains("store.sqlite"))
        }
    }
}
