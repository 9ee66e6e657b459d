import Foundation
import Glibc
import TestSupport
import Testing

/// Runs that are disturbed at any moment: the store stays whole, and the next run makes it what it should be.
@Suite(.serialized) struct FaultTests {
    /// Runs are killed at random moments of each phase.
    @Test(arguments: FaultScene.Case.all)
    func killedAtAnyMoment(example: FaultScene.Case) throws {
        var random = SeededRandom(11)
        let scene = try FaultScene(example)
        // The longest that a phase takes here, more or less: what the moments of death are drawn from.
        let phases = [("starting", 0.02), ("reading", 0.05), ("linking", 0.01), ("saving", 0.003)]
        var killed: [String: Int] = [:]
        for round in 0..<FaultEffort.rounds(3, long: 160) {
            try scene.reset()
            var deaths: [String] = []
            var isDone = false
            // Some of the runs that should mend what a dead one left die, too.
            for _ in 0..<Int.random(in: 1...3, using: &random) where !isDone {
                let (phase, seconds) = phases[(round + deaths.count) % phases.count]
                let run = try RunningSluice(scene.arguments() + ["--progress=always"])
                if phase != "starting" { _ = run.waits { run.errors.contains(" sluice: \(phase): ") } }
                Thread.sleep(forTimeInterval: Double.random(in: 0...seconds, using: &random))
                run.signal(SIGKILL)
                let outcome = run.ended()
                isDone = outcome.status == 0
                deaths.append(lastPhase(outcome))
                killed[lastPhase(outcome), default: 0] += 1
            }
            try scene.check("killed while \(deaths), round \(round)", isDone: isDone)
        }
        let deaths = killed.filter { $0.key != "already done" }.values.reduce(0, +)
        #expect(deaths >= FaultEffort.rounds(2, long: 80), "\(killed)")
        print("faults: \(example.testDescription): killed at random moments while \(killed.sorted { $0.key < $1.key })")
    }

    /// The phase of which a run that was killed had told last.
    private func lastPhase(_ outcome: Sluice.Outcome) -> String {
        if outcome.status == 0 { return "already done" }
        let lines = outcome.errors.split(separator: "\n")
        return lines.last?.split(separator: " ").dropFirst(2).first.map(String.init) ?? "starting:"
    }

    /// A call that writes, syncs, truncates or names a file fails, once or from then on, or is the last thing that the
    /// process does.
    @Test(.enabled(if: FaultShim.isThere, "there is no C compiler"), arguments: FaultScene.Case.all)
    func callsThatFail(example: FaultScene.Case) throws {
        var random = SeededRandom(12)
        let scene = try FaultScene(example)
        let counter = scene.folder.file("count")
        #expect(try scene.run(environment: FaultShim.counting(scene.disk, to: counter)).status == 0)
        let count = try FaultShim.count(counter)
        #expect(count > 30)
        var endings: [String: Int] = [:]
        for _ in 0..<FaultEffort.rounds(3, long: 300) {
            try scene.reset()
            let fault = try #require(FaultShim.Fault.allCases.randomElement(using: &random))
            let call = Int.random(in: 1...count, using: &random)
            let isSticky = Bool.random(using: &random)
            let outcome = try scene.run(
                environment: FaultShim.failing(scene.disk, call: call, fault, isSticky: isSticky))
            endings["\(fault) \(outcome.status)", default: 0] += 1
            let what = "call \(call) of \(count): \(fault), \(isSticky ? "and all later ones" : "once")"
            // Never a crash, nor a defect.
            let allowed: [Int32] = fault == .death ? [137, 0] : [0, 73, 74]
            #expect(allowed.contains(outcome.status), "\(what): \(outcome.status) \(outcome.errors)")
            try scene.check("\(what): \(outcome.errors)", isDone: outcome.status == 0)
        }
        print("faults: \(example.testDescription): of \(count) calls: \(endings.sorted { $0.key < $1.key })")
    }

    /// The power goes: what was not synced is lost, in whole or in parts, in any order.
    @Test(.enabled(if: FaultShim.isThere, "there is no C compiler"), arguments: FaultScene.Case.all)
    func powerThatGoes(example: FaultScene.Case) throws {
        var random = SeededRandom(13)
        let scene = try FaultScene(example)
        let log = scene.folder.file("log")
        let image = try DiskImage(scene.disk)
        #expect(try scene.run(environment: FaultShim.recording(scene.disk, to: log)).status == 0)
        let operations = try DiskOperation.read(log)
        // The shim sees what matters.
        #expect(operations.contains { $0.kind == "d" } && operations.contains { $0.kind == "w" })
        let times = try image.losePower(during: operations, at: scene.disk, &random) { try scene.check($0, isDone: $1) }
        let syncs = operations.filter { $0.kind == "s" || $0.kind == "d" }.count
        print(
            "faults: \(example.testDescription): power lost \(times) times in \(operations.count) calls, \(syncs) syncs"
        )
    }

    /// A disk that fills up while the run goes on.
    @Test(
        .enabled(if: SmallDisk.isPermitted, "a small disk can only be mounted by root"), arguments: FaultScene.Case.all)
    func aDiskThatFillsUp(example: FaultScene.Case) throws {
        var random = SeededRandom(14)
        let scene = try FaultScene(example)
        var endings: [Int32: Int] = [:]
        for _ in 0..<FaultEffort.rounds(2, long: 60) {
            try scene.reset()
            let kilobytes = Int.random(in: 4...400, using: &random)
            try scene.onDisk(kilobytes: kilobytes) {
                let outcome = try scene.run()
                endings[outcome.status, default: 0] += 1
                #expect([0, 73, 74].contains(outcome.status), "\(outcome.errors)")
                return "\(kilobytes) KiB free: \(outcome.errors)"
            }
        }
        print("faults: \(example.testDescription): full disks: \(endings.sorted { $0.key < $1.key })")
    }

    /// Runs that start while another goes on, and some that are killed: one at a time, and nothing is lost or doubled.
    @Test(arguments: FaultScene.Case.all)
    func runsThatOverlap(example: FaultScene.Case) throws {
        var random = SeededRandom(15)
        let scene = try FaultScene(example)
        var endings: [Int32: Int] = [:]
        for round in 0..<FaultEffort.rounds(2, long: 60) {
            try scene.reset()
            var runs: [RunningSluice] = []
            for _ in 0..<5 {
                let waits = Bool.random(using: &random) ? ["--wait=1m"] : []
                runs.append(try RunningSluice(scene.arguments() + waits))
                Thread.sleep(forTimeInterval: Double.random(in: 0...0.05, using: &random))
                if Int.random(in: 0..<3, using: &random) == 0 { runs.randomElement(using: &random)?.signal(SIGKILL) }
            }
            let outcomes = runs.map { $0.ended() }
            for outcome in outcomes {
                endings[outcome.status, default: 0] += 1
                #expect([0, 75, 137].contains(outcome.status), "\(outcome.errors)")
            }
            let isDone = outcomes.contains { $0.status == 0 }
            try scene.check("overlapping, round \(round)", isDone: isDone)
        }
        print("faults: \(example.testDescription): overlapping runs: \(endings.sorted { $0.key < $1.key })")
    }

    /// Another program writes to the store now and then, whenever it can: the run waits for it, and both have done what
    /// they wanted.
    @Test(arguments: ["run", "batch"])
    func aStoreThatOthersWriteTo(commit: String) throws {
        let scene = try FaultScene(.init(state: .existing, commit: commit))
        var (writes, refusals) = (0, 0)
        for _ in 0..<FaultEffort.rounds(2, long: 40) {
            try scene.reset()
            let other = try Database(scene.store)
            _ = try other.rows("CREATE TABLE sluice_x (n)")
            let run = try RunningSluice(scene.arguments())
            var own = 0
            repeat {
                do {
                    _ = try other.rows("BEGIN IMMEDIATE")
                    _ = try other.rows("INSERT INTO sluice_x VALUES (1)")
                    Thread.sleep(forTimeInterval: 0.002)
                    _ = try other.rows("COMMIT")
                    own += 1
                } catch {
                    refusals += 1
                }
                Thread.sleep(forTimeInterval: 0.002)
            } while run.isRunning
            let outcome = run.ended()
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(try other.integer("SELECT count(*) FROM sluice_x") == own)
            writes += own
            try scene.check("others write", isDone: true)
        }
        print("faults: commit: \(commit): \(writes) writes of others during runs, \(refusals) refused")
    }
}

extension FaultScene {
    /// Runs a body with the store on a disk of which little is free, and checks what it leaves.
    fileprivate func onDisk(kilobytes: Int, _ body: () throws -> String) throws {
        let files = FileManager.default
        let size = (try? files.attributesOfItem(atPath: store)[.size] as? Int) ?? 0
        let saved = folder.file("saved")
        try? files.removeItem(atPath: saved)
        try files.moveItem(atPath: disk, toPath: saved)
        let small = try SmallDisk(disk, kilobytes: size / 1024 + kilobytes)
        for name in try files.contentsOfDirectory(atPath: saved) {
            try files.copyItem(atPath: saved + "/" + name, toPath: disk + "/" + name)
        }
        let what = try body()
        // Now there is room again.
        try files.removeItem(atPath: saved)
        try files.createDirectory(atPath: saved, withIntermediateDirectories: true)
        for name in try files.contentsOfDirectory(atPath: disk) {
            try files.copyItem(atPath: disk + "/" + name, toPath: saved + "/" + name)
        }
        small.unmount()
        try files.removeItem(atPath: disk)
        try files.moveItem(atPath: saved, toPath: disk)
        try check(what, isDone: false)
    }
}
