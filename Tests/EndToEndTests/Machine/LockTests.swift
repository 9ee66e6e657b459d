import Foundation
import Testing

/// Two runs on one store: one at a time.
@Suite struct LockTests {
    /// A run that holds the store until its feed is written.
    private func holder(_ scene: Scene, store: String) throws -> RunningSluice {
        let run = try RunningSluice(["run", scene.definition, "--feed", "-", "--store", store], pipesInput: true)
        let lock = URL(fileURLWithPath: store).resolvingSymlinksInPath().path + ".sluice-lock"
        let text = { (try? String(contentsOfFile: lock, encoding: .utf8)) ?? "" }
        #expect(run.waits { text().hasSuffix("}\n") })
        return run
    }

    @Test(arguments: StoreState.allCases)
    func theSecondRunSaysWhoHoldsTheStore(state: StoreState) throws {
        let scene = try Scene(state)
        let first = try holder(scene, store: scene.store)
        let second = try scene.run()
        #expect(second.status == 75)
        let message = try Regex(
            """
            another run holds the store \\S+/store.sqlite: the pipeline items, process \(first.id), \
            since \\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ; try again later, or wait for it with --wait\n
            """)
        #expect(second.errors.contains(message), "\(second.errors)")
        try first.write(Scene.goodFeed)
        try first.closeInput()
        #expect(first.ended().status == 0)
        #expect(!scene.folder.names.contains { $0.contains("sluice-") }, "\(scene.folder.names)")
        #expect(try scene.run().status == 0)
    }

    /// Links to the store, links to its folder, and paths relative to it: one lock.
    @Test(arguments: StoreState.allCases)
    func everyPathOfAStoreIsTheSame(state: StoreState) throws {
        let scene = try Scene(state)
        let other = TemporaryFolder()
        let files = FileManager.default
        try files.createSymbolicLink(atPath: other.file("link.sqlite"), withDestinationPath: scene.store)
        try files.createSymbolicLink(atPath: other.file("second.sqlite"), withDestinationPath: "link.sqlite")
        try files.createSymbolicLink(atPath: other.file("folder"), withDestinationPath: scene.folder.path)
        let paths = [
            scene.store, other.file("link.sqlite"), other.file("second.sqlite"), other.file("folder/store.sqlite"),
            scene.folder.path + "/../" + URL(fileURLWithPath: scene.folder.path).lastPathComponent + "/./store.sqlite",
        ]
        let first = try holder(scene, store: scene.store)
        for path in paths {
            let outcome = try scene.run(["--store", path])
            #expect(outcome.status == 75, "\(path)")
            #expect(outcome.errors.contains("another run holds the store"), "\(path): \(outcome.errors)")
        }
        let relative = try Sluice.run(
            ["run", scene.definition, "--store", "store.sqlite"], folder: scene.folder.path)
        #expect(relative.status == 75)
        // Another store is another lock.
        #expect(try scene.run(["--store", scene.folder.file("other.sqlite")]).status == 0)
        try first.closeInput()
        #expect(first.ended().status == 65)
        // A link that leads to no store yet, leads to one then.
        for path in paths.reversed() { #expect(try scene.run(["--store", path]).status == 0) }
        #expect(try Database(scene.store).integer("SELECT count(*) FROM Item") == 3)
        #expect(try files.destinationOfSymbolicLink(atPath: other.file("link.sqlite")) == scene.store)
    }

    /// The store is made through a link.
    @Test func aLinkToNoStoreYet() throws {
        let scene = try Scene(.new)
        let other = TemporaryFolder()
        try FileManager.default.createSymbolicLink(
            atPath: other.file("link.sqlite"), withDestinationPath: scene.store)
        for commit in ["run", "batch"] {
            try scene.folder.remove("store.sqlite")
            #expect(try scene.run(["--store", other.file("link.sqlite"), "--commit", commit]).status == 0)
            #expect(try Database(scene.store).integer("SELECT count(*) FROM Item") == 3)
            #expect(other.names == ["link.sqlite"])
        }
    }

    /// Commands that change nothing need no lock, and give none back that is not theirs.
    @Test(arguments: StoreState.allCases)
    func onlyRunsLock(state: StoreState) throws {
        let scene = try Scene(state)
        let first = try holder(scene, store: scene.store)
        #expect(try Sluice.run(["check", scene.definition]).status == 0)
        #expect(try Sluice.run(["preview", scene.definition]).status == 0)
        #expect(scene.folder.names.contains("store.sqlite.sluice-lock"))
        #expect(try scene.run().status == 75)
        first.signal(SIGTERM)
        #expect(first.ended().status == 143)
        #expect(try Sluice.run(["check", scene.definition]).status == 0)
        #expect(!scene.folder.names.contains { $0.contains("sluice-") })
    }

    /// A run that was killed is said to have died at once, and one that goes on to be running.
    @Test func aKilledRunHasDied() throws {
        let scene = try Scene(.existing)
        let first = try holder(scene, store: scene.store)
        func statuses() throws -> [String] {
            let runs = try Sluice.run(["runs", scene.definition, "--format", "json"])
            return runs.output.matches(of: /"status": "(\w+)"/).map { String($0.output.1) }
        }
        #expect(first.waits { (try? statuses().first) == "running" })
        #expect(try Sluice.run(["runs", scene.definition, "--run", "2"]).errors.contains("it has not ended"))
        first.signal(SIGKILL)
        #expect(first.ended().status == 128 + SIGKILL)
        #expect(try statuses() == ["died", "succeeded"])
        #expect(try Sluice.run(["runs", scene.definition]).output.contains("died"))
        #expect(try Sluice.run(["runs", scene.definition, "--run", "2"]).errors.contains("it died"))
        // The ledger itself learns it from the next run.
        let noted = try Database(scene.store).rows("SELECT status FROM sluice_run ORDER BY run")
        #expect(noted == [["succeeded"], ["running"]])
        #expect(try scene.run().status == 0)
        #expect(try statuses() == ["succeeded", "died", "succeeded"])
    }

    @Test func whoDiesHoldsNothing() throws {
        let scene = try Scene(.new)
        let first = try holder(scene, store: scene.store)
        first.signal(SIGKILL)
        #expect(first.ended().status == 128 + SIGKILL)
        #expect(scene.folder.names.contains("store.sqlite.sluice-lock"))
        #expect(try scene.run().status == 0)
        #expect(!scene.folder.names.contains("store.sqlite.sluice-lock"))
    }

    @Test func aRunWaits() throws {
        let scene = try Scene(.new)
        let first = try holder(scene, store: scene.store)
        let second = try RunningSluice(["run", scene.definition, "--wait", "1h30m"])
        let third = try RunningSluice(["run", scene.definition, "--wait=200ms"])
        #expect(third.ended().status == 75)
        let quiet = try RunningSluice(["run", scene.definition, "--wait=200ms", "--show", "news"])
        #expect(quiet.ended().status == 75)
        #expect(!quiet.errors.contains("waiting: "), "\(quiet.errors)")
        #expect(second.waits { second.errors.contains("waiting: another run holds the store") })
        try first.write(Scene.goodFeed)
        try first.closeInput()
        #expect(first.ended().status == 0)
        #expect(second.ended().status == 0)
        #expect(second.output.contains("items: succeeded (run 2,"))
    }

    /// Many at once: each gets its turn, and each finds what those before it made.
    @Test func manyRunsTakeTurns() throws {
        let scene = try Scene(.new)
        let command = ["run", scene.definition, "--wait", "1h", "--quiet", "--force"]
        let runs = try (0..<8).map { _ in try RunningSluice(command) }
        for run in runs { #expect(run.ended().status == 0, "\(run.errors)") }
        #expect(
            try Database(scene.store).rows("SELECT status, count(*) FROM sluice_run GROUP BY 1") == [
                ["succeeded", "8"]
            ])
        #expect(try Database(scene.store).integer("SELECT count(*) FROM Item") == 3)
        #expect(!scene.folder.names.contains { $0.contains("sluice-") })
    }

    @Test(arguments: ["", "5", "5 s", "m", "-1s", "1e3s", "1m1h", "400d", "1.2.3s"])
    func aTimeThatIsNone(_ word: String) throws {
        let scene = try Scene(.new)
        let outcome = try scene.run(["--wait", word])
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("--wait takes a time such as 30s, 10m or 2h"))
    }
}
