import Foundation
import TestSupport
import Testing

/// Signals end a run cleanly, wherever it is.
@Suite(.serialized) struct SignalTests {
    private static let signals: [Int32] = [SIGINT, SIGTERM, SIGHUP]

    private func records(_ range: Range<Int>) -> String {
        range.map { "{\"id\":\($0),\"parent\":\($0 / 2)}" }.joined(separator: ",\n")
    }

    /// The feed stops in its middle, as from a service that hangs.
    private func stuckRun(_ scene: Scene, _ more: [String]) throws -> RunningSluice {
        let run = try RunningSluice(
            ["run", scene.definition, "--feed", "-", "--batch-size", "100", "--format", "json"] + more,
            pipesInput: true)
        try run.write("{\"items\":[" + records(100..<20_150) + ",")
        return run
    }

    @Test(arguments: StoreState.allCases, signals)
    func aRunThatIsStuckInAPipe(state: StoreState, signal: Int32) throws {
        let scene = try Scene(state)
        let before = try state == .existing ? Database(scene.store).snapshot() : []
        let files = scene.folder.names
        let run = try stuckRun(scene, [])
        #expect(run.waits { scene.folder.names != files })
        run.signal(signal)
        let outcome = run.ended()
        #expect(outcome.status == 128 + signal, "\(outcome.errors)")
        #expect(outcome.report["status"] as? String == "cancelled")
        #expect(outcome.errors.contains("sluice: the run was ended by SIG"))
        #expect(scene.folder.names == files)
        guard state == .existing else { return }
        #expect(try Database(scene.store).snapshot() == before)
        #expect(
            try Database(scene.store).rows("SELECT status FROM sluice_run ORDER BY run") == [
                ["succeeded"], ["cancelled"],
            ])
    }

    @Test(arguments: StoreState.allCases)
    func wholeBatchesStay(state: StoreState) throws {
        let scene = try Scene(state)
        let run = try stuckRun(scene, ["--commit", "batch"])
        let count = { (try? Database(scene.store).integer("SELECT count(*) FROM Item WHERE id >= 100")) ?? 0 }
        #expect(run.waits { count() >= 1000 })
        run.signal(SIGTERM)
        #expect(run.ended().status == 143)
        let saved = count()
        #expect(saved >= 1000 && saved % 100 == 0, "\(saved)")
        #expect(try Database(scene.store).isSound())
        #expect(try Database(scene.store).rows("SELECT status FROM sluice_run ORDER BY run").last == ["cancelled"])
    }

    /// Nothing was read, not even the beginning; or the feed is a pipe that nobody has opened for writing.
    @Test func aRunThatHasNotBegun() throws {
        let scene = try Scene(.new)
        let pipe = scene.folder.file("pipe")
        #expect(unsafe mkfifo(pipe, 0o600) == 0)
        for feed in ["-", pipe] {
            let run = try RunningSluice(["run", scene.definition, "--feed", feed], pipesInput: true)
            #expect(run.waits { scene.folder.names.contains("store.sqlite.sluice-new") })
            run.signal(SIGINT)
            #expect(run.ended().status == 130)
            #expect(!scene.folder.names.contains { $0.hasPrefix("store") })
        }
    }

    /// Feeds have been read, and what waited for its target is linked, or an index is built.
    @Test(arguments: StoreState.allCases)
    func aRunInItsSecondPass(state: StoreState) throws {
        var random = SeededRandom(5)
        let scene = try Scene(state)
        let before = try state == .existing ? Database(scene.store).snapshot() : []
        // References to what never comes.
        let items = (1...40_000).map { "{\"id\":\($0 + 100),\"parent\":\(100_000 + $0)}" }.joined(separator: ",\n")
        let feed = try scene.folder.write("large.json", "{\"items\":[\(items)]}")
        for _ in 0..<3 {
            let run = try RunningSluice(["run", scene.definition, "--feed", feed, "--progress=always"])
            #expect(run.waits { run.errors.contains(" sluice: linking: ") })
            Thread.sleep(forTimeInterval: Double.random(in: 0...0.05, using: &random))
            run.signal(SIGTERM)
            #expect(run.ended().status == 143)
            #expect(scene.folder.names.contains("store.sqlite") == (state == .existing))
            if state == .existing { #expect(try Database(scene.store).snapshot() == before) }
        }
    }

    @Test func aRunThatWaitsForAnother() throws {
        let scene = try Scene(.existing)
        let first = try RunningSluice(["run", scene.definition, "--feed", "-"], pipesInput: true)
        #expect(first.waits { scene.folder.names.contains("store.sqlite.sluice-lock") })
        let second = try RunningSluice(["run", scene.definition, "--wait", "1h"])
        #expect(second.waits { second.errors.contains("waiting") })
        second.signal(SIGINT)
        #expect(second.ended().status == 130)
        #expect(first.isRunning)
        first.signal(SIGINT)
        #expect(first.ended().status == 130)
    }

    /// Another program holds a lock on the store, for which the run waits some seconds.
    @Test func aRunThatWaitsForAnotherProgram() throws {
        let scene = try Scene(.existing)
        let other = try Database(scene.store)
        _ = try other.rows("BEGIN IMMEDIATE")
        let run = try RunningSluice(["run", scene.definition])
        #expect(run.waits { scene.folder.names.contains("store.sqlite.sluice-lock") })
        run.signal(SIGTERM)
        #expect(run.ended().status == 143)
        _ = try other.rows("ROLLBACK")
    }

    /// A second signal: the process is gone at once, and the store is as it was.
    @Test(arguments: StoreState.allCases)
    func twoSignals(state: StoreState) throws {
        let scene = try Scene(state)
        let before = try state == .existing ? Database(scene.store).snapshot() : []
        let run = try stuckRun(scene, [])
        #expect(run.waits { scene.folder.names.contains("store.sqlite.sluice-lock") })
        run.signal(SIGINT)
        run.signal(SIGTERM)
        #expect([130, 143].contains(run.ended().status))
        #expect(!scene.folder.names.contains { $0.contains("sluice-") }, "\(scene.folder.names)")
        if state == .existing { #expect(try Database(scene.store).snapshot() == before) }
        #expect(try scene.run().status == 0)
    }

    /// A process that was started to ignore a signal goes on.
    @Test func whatIsIgnoredStaysIgnored() throws {
        let scene = try Scene(.new)
        let outcome = try Sluice.run(
            ["run", scene.definition],
            through: [
                "/bin/bash", "-c", "trap '' HUP INT; \"$@\" & sleep 0.02; kill -HUP $!; kill -INT $!; wait $!", "bash",
            ])
        #expect(outcome.status == 0, "\(outcome.errors)")
    }
}
