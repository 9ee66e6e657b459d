import Foundation
import Testing

/// The runner on DuckDB, as a user starts it.
@Suite struct PlanRunTests {
    private let scratch = TemporaryFolder()
    private var state: String { scratch.file("state") }

    /// As `make test` has made it; else that of the machine.
    private static let python: [String] = {
        let own = Sluice.path(".build/python/bin/python3")
        return FileManager.default.isExecutableFile(atPath: own) ? [own] : ["/usr/bin/env", "python3"]
    }()

    private func run(_ definition: String, _ more: [String] = []) throws -> (
        status: Int32, output: String, errors: String
    ) {
        let process = Process()
        let words =
            Self.python + [
                Sluice.path("Sources/Runners/sluice-duckdb"), definition, "--state", state, "--threads", "2",
                "--sluice", Sluice.executable.path,
            ] + more
        process.executableURL = URL(fileURLWithPath: words[0])
        process.arguments = Array(words.dropFirst())
        process.standardOutput = try scratch.handle("runner-output")
        process.standardError = try scratch.handle("runner-errors")
        try process.run()
        process.waitUntilExit()
        return (
            process.terminationStatus, try String(contentsOfFile: scratch.file("runner-output"), encoding: .utf8),
            try String(contentsOfFile: scratch.file("runner-errors"), encoding: .utf8)
        )
    }

    /// What is not equal between the newest version and a run's store.
    private func differences(_ definition: String, _ version: Int, _ store: String) throws -> String {
        let plan = try Sluice.run(["plan", definition, "--dialect", "duckdb"])
        let words =
            Self.python + [
                Sluice.path("Tests/Plan/compare.py"), "--state", state + String(format: "/v%06d", version),
                try scratch.write("plan.ndjson", plan.output), store, scratch.file("run.json"),
                scratch.file("run.ndjson"),
            ]
        return String(
            decoding: try Shell.output(words[0] == "/usr/bin/env" ? Array(words.dropFirst()) : words), as: UTF8.self)
    }

    @Test("Each sample, twice, is what a run makes of it", arguments: ["berlin-transit", "instruments", "iso-3166"])
    func samples(name: String) throws {
        let definition = Sluice.path("Pipelines/\(name).jsonc")
        let store = scratch.file("store.sqlite")
        for version in 1...2 {
            let outcome = try Sluice.run([
                "run", definition, "--store", store, "--force", "--report", scratch.file("run.json"), "--findings",
                scratch.file("run.ndjson"),
            ])
            #expect(outcome.status == 0)
            let planned = try run(definition, ["--range", "1KiB"])
            #expect(planned.status == 0, "\(planned.errors)")
            // The report, but for the store and the time.
            let tables = { (text: String) in text.components(separatedBy: "\n\n").filter { $0.hasPrefix("  Entity") } }
            #expect(tables(planned.output) == tables(outcome.output))
            #expect(try differences(definition, version, store) == "")
        }
    }

    private func items(_ feed: String, settings: String = "") throws -> String {
        _ = try scratch.write("feed.json", feed)
        return try scratch.write("items.jsonc", Scene.definition(settings: settings))
    }

    private var current: String? {
        (try? String(contentsOfFile: state + "/CURRENT", encoding: .utf8))?.trimmingCharacters(
            in: .whitespacesAndNewlines)
    }

    private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: state).sorted() }

    @Test("A run that exceeds a limit leaves the version that counts; old versions go")
    func versions() throws {
        #expect(try run(items(Scene.goodFeed)).status == 0)
        #expect(current == "v000001")
        let bad = try run(items(#"{"items": [{"id": "x"}]}"#))
        #expect(bad.status == 65)
        #expect(bad.output.contains("rejects"))
        #expect(current == "v000001")
        #expect(try names() == ["CURRENT", "LOCK", "v000001"])
        let definition = try items(Scene.goodFeed)
        let dry = try run(definition, ["--dry-run", "--format", "json"])
        #expect(dry.status == 0)
        #expect(dry.output.contains("\"unchanged\": 3"))
        #expect(current == "v000001")
        for _ in 0..<2 { #expect(try run(definition, ["--keep", "1"]).status == 0) }
        #expect(try names() == ["CURRENT", "LOCK", "v000002", "v000003"])
    }

    @Test("What a run that died has left goes")
    func leftovers() throws {
        let definition = try items(Scene.goodFeed)
        #expect(try run(definition).status == 0)
        for name in [".work-000002/parts", "v000002/Item"] {
            try FileManager.default.createDirectory(atPath: state + "/" + name, withIntermediateDirectories: true)
        }
        #expect(try run(definition).status == 0)
        #expect(current == "v000002")
        #expect(try names() == ["CURRENT", "LOCK", "v000001", "v000002"])
    }

    @Test("Exit statuses are those of a run")
    func statuses() throws {
        let definition = try items(Scene.goodFeed)
        #expect(try run(definition, ["--threads", "none"]).status == 64)
        #expect(try run(definition).status == 0)
        let contradiction = try run(
            scratch.write("items.jsonc", Scene.definition().replacing("\"real\"", with: "\"decimal\"")))
        #expect(contradiction.status == 78)
        #expect(contradiction.errors.contains("Item.price is another one"))
        #expect(try run(items(#"{"items": ["#)).status == 65)
        #expect(try run(items(#"{"items": []}"#)).errors.contains("gives no record"))
        try scratch.remove("feed.json")
        #expect(try run(definition).status == 66)
        #expect(
            try run(items(Scene.goodFeed, settings: "\"views\": true,")).errors.contains(
                "items.jsonc:2:3: a plan does not do"))
        let held = try FileHandle(forUpdating: URL(fileURLWithPath: state + "/LOCK"))
        #expect(flock(held.fileDescriptor, LOCK_EX) == 0)
        #expect(try run(items(Scene.goodFeed)).status == 75)
        #expect(current == "v000001")
    }
}
