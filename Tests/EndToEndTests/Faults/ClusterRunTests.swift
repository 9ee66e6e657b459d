import Foundation
import TestSupport
import Testing

/// The runner on Spark, as `spark-submit` starts it: `make cluster-test`, some minutes.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["SLUICE_CLUSTER"] != nil), .serialized) struct ClusterRunTests {
    private static let threads = PlanRunner.spark("local[2]")
    private static let workers = PlanRunner.spark("local-cluster[2,1,1024]")

    @Test("A sample, twice, on workers of their own")
    func sample() throws {
        let scratch = TemporaryFolder()
        let definition = Sluice.path("Pipelines/berlin-transit.jsonc")
        let runner = PlanRunner(Self.workers, in: scratch, state: "a state [1] %20 {é}*?")
        for version in 1...2 {
            let outcome = try runner.runStore(definition)
            let planned = try runner.run(definition, ["--range", "1KiB"])
            #expect(planned.status == 0, "\(planned.output)\(planned.errors)")
            let tables = { (text: String) in text.components(separatedBy: "\n\n").filter { $0.hasPrefix("  Entity") } }
            #expect(tables(planned.output) == tables(outcome.output))
            #expect(try runner.differences(definition, version) == "")
        }
    }

    @Test("Exit statuses are those of a run, and what is final is tried once")
    func statuses() throws {
        let faults = try PlanFaults(Self.threads)
        let counting = try faults.wrapper("echo >>calls")
        _ = try faults.scratch.write("feed.ndjson", "{ \"id\": 1 }\n{ \"id\":\n")
        let bad = try faults.runner.run(faults.definition, counting)
        #expect(bad.status == 65)
        #expect(bad.output.contains("feed.ndjson:"))
        #expect(try String(contentsOfFile: faults.scratch.file("calls"), encoding: .utf8) == "\n")
        #expect(try faults.runner.run(faults.definition, ["--state", "hdfs://x/y"]).status == 64)
        #expect(try faults.runner.run(faults.definition, ["--state", faults.scratch.file("a:b")]).status == 64)
        #expect(!faults.scratch.names.contains("a:b"))
        #expect(try faults.runner.run(faults.scratch.write("none.jsonc", "{}")).status == 78)
        faults.expectOld()
    }

    /// Where an extraction runs, in `executors`.
    private static let executor = """
        pid=$PPID
        while ! tr '\\0' ' ' </proc/$pid/cmdline | grep -q CoarseGrainedExecutorBackend; do
            pid=$(sed -n 's/^PPid:\\t//p' /proc/$pid/status)
            [ "$pid" -gt 1 ] || exit 99
        done
        echo "$pid" >>executors
        """

    @Test("An executor is killed while it extracts")
    func killedWhileExtracting() throws {
        let faults = try PlanFaults(Self.workers)
        let script = Self.executor + "\nif mkdir killed 2>/dev/null; then kill -9 $pid; fi"
        let outcome = try faults.runner.run(faults.definition, faults.wrapper(script) + ["--range", "1KiB"])
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        #expect(faults.scratch.names.contains("killed"))
        try faults.expectNew()
    }

    @Test("An executor is killed between steps")
    func killedBetweenSteps() throws {
        let faults = try PlanFaults(Self.workers)
        let process = try faults.runner.start(faults.definition, faults.wrapper(Self.executor) + ["--range", "1KiB"])
        func isInSteps() -> Bool {
            faults.runner.names.contains { name in
                FileManager.default.fileExists(atPath: "\(faults.runner.state)/\(name)/tables/0012")
            }
        }
        while process.isRunning, !isInSteps() { Thread.sleep(forTimeInterval: 0.02) }
        let text = try String(contentsOfFile: faults.scratch.file("executors"), encoding: .utf8)
        let executor = try #require(text.split(separator: "\n").first.flatMap { Int32($0) })
        #expect(kill(executor, SIGKILL) == 0)
        process.waitForEnd()
        #expect(process.terminationStatus == 0)
        try faults.expectNew()
    }

    @Test("The driver is killed before the version has its name, before it counts", arguments: ["v000002", "CURRENT"])
    func killed(before name: String) throws { try PlanFaults(Self.threads).killed(before: name) }

    @Test("Another run begins meanwhile")
    func beside() throws { try PlanFaults(Self.threads).beside() }

    @Test(
        "The disk is full", .enabled(if: SmallDisk.isPermitted, "no file system may be mounted here"),
        arguments: [false, true])
    func full(worksElsewhere: Bool) throws {
        let faults = try PlanFaults(Self.threads, disk: 512)
        try faults.full(worksElsewhere ? ["--work", faults.scratch.file("work")] : [])
    }
}
