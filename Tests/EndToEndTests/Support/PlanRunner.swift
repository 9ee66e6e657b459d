import Foundation
import TestSupport

/// A runner of plans, as a user starts it, and the state that it makes.
final class PlanRunner {
    let scratch: TemporaryFolder
    let state: String
    private let words: [String]

    /// As `make test` has made it; else that of the machine.
    static let python: [String] = {
        let own = Sluice.path(".build/python/bin/python3")
        return FileManager.default.isExecutableFile(atPath: own) ? [own] : ["/usr/bin/env", "python3"]
    }()

    static var duckdb: [String] { python + [Sluice.path("Sources/Runners/sluice-duckdb")] }

    static func spark(_ master: String) -> [String] {
        let submit = Sluice.path(".build/python/bin/spark-submit")
        let settings = ["spark.ui.enabled=false", "spark.sql.codegen.wholeStage=false"]
        return [submit, "--master", master] + settings.flatMap { ["--conf", $0] }
            + [Sluice.path("Sources/Runners/sluice_spark.py")]
    }

    /// - Parameter words: what a runner is called by; the definition and options follow.
    init(_ words: [String] = PlanRunner.duckdb, in scratch: TemporaryFolder, state: String = "state") {
        self.words = words
        self.scratch = scratch
        self.state = scratch.file(state)
    }

    /// A runner that goes on beside the test.
    func start(
        _ definition: String, _ more: [String] = [], environment: [String: String] = [:], name: String = "runner"
    ) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: words[0])
        process.arguments =
            words.dropFirst() + [definition, "--state", state, "--sluice", Sluice.executable.path] + more
        let settings = environment.merging(["PYSPARK_PYTHON": Self.python[0]]) { own, _ in own }
        process.environment = ProcessInfo.processInfo.environment.merging(settings) { $1 }
        process.standardOutput = try scratch.handle(name + "-output")
        process.standardError = try scratch.handle(name + "-errors")
        process.standardInput = FileHandle.nullDevice
        try process.run()
        return process
    }

    func run(
        _ definition: String, _ more: [String] = [], environment: [String: String] = [:], name: String = "runner"
    ) throws -> (status: Int32, output: String, errors: String) {
        let process = try start(definition, more, environment: environment, name: name)
        process.waitForEnd()
        return (
            process.terminationStatus, try String(contentsOfFile: scratch.file(name + "-output"), encoding: .utf8),
            try String(contentsOfFile: scratch.file(name + "-errors"), encoding: .utf8)
        )
    }

    /// The name of the version that counts.
    var current: String? {
        (try? String(contentsOfFile: state + "/CURRENT", encoding: .utf8))?.trimmingCharacters(
            in: .whitespacesAndNewlines)
    }

    /// What is in the folder of the state.
    var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: state).sorted()) ?? [] }

    /// A run of the same definition into SQLite, for `differences`.
    func runStore(_ definition: String, _ more: [String] = []) throws -> Sluice.Outcome {
        try Sluice.run(
            [
                "run", definition, "--store", scratch.file("store.sqlite"), "--force", "--report",
                scratch.file("run.json"), "--findings", scratch.file("run.ndjson"),
            ] + more)
    }

    /// What is not equal between a version and what `runStore` has stored.
    func differences(_ definition: String, _ version: Int) throws -> String {
        let plan = try Sluice.run(["plan", definition, "--dialect", "duckdb"])
        let words =
            ["PYTHONPATH=" + Sluice.path("Sources/Runners"), "PYTHONDONTWRITEBYTECODE=1"] + Self.python + [
                Sluice.path("Tests/Plan/compare.py"), "--state", state + String(format: "/v%06d", version),
                try scratch.write("plan.ndjson", plan.output), scratch.file("store.sqlite"), scratch.file("run.json"),
                scratch.file("run.ndjson"),
            ]
        return String(decoding: try Shell.output(words), as: UTF8.self)
    }
}
