import Foundation
import Glibc
import TestSupport
import Testing

/// Installations that are disturbed at any moment: the store is the old seed or the new one, whole, and the next
/// installation makes it the new one and leaves nothing beside it.
@Suite(.serialized) struct SeedFaultTests {
    private let scene: SeedScene
    /// The place before the installation, which is of version 1.
    private let image: String

    init() throws {
        scene = try SeedScene()
        image = scene.folder.file("image")
        try scene.publish(1...1)
        try scene.installs()
        try FileManager.default.moveItem(atPath: scene.place, toPath: image)
        try scene.publish(2...2)
        try reset(.delta)
    }

    /// What is disturbed: a first installation, one by a delta, one of the whole, and one over a store with a log.
    enum Kind: CaseIterable {
        case first, delta, whole, log

        var options: [String] { self == .whole ? ["--whole"] : [] }
    }

    private func reset(_ kind: Kind) throws {
        try? FileManager.default.removeItem(atPath: scene.place)
        try FileManager.default.createDirectory(atPath: scene.place, withIntermediateDirectories: true)
        if kind == .first { return }
        try FileManager.default.copyItem(atPath: image + "/app.sqlite", toPath: scene.installed)
        guard kind == .log else { return }
        unsafe chmod(scene.installed, 0o600)
        let script = """
            import os, sqlite3
            store = sqlite3.connect('\(scene.installed)', isolation_level=None)
            store.execute('PRAGMA journal_mode = WAL')
            store.execute('CREATE INDEX more ON Item (price)')
            os.kill(os.getpid(), 9)
            """
        #expect(try Shell.run(["python3", "-c", script]) != 0)
    }

    private func run(_ kind: Kind, _ environment: [String: String] = [:]) throws -> Sluice.Outcome {
        let words = ["seed", "install", scene.manifest, "--store", scene.installed] + kind.options
        return try RunningSluice(words, environment: environment).ended()
    }

    private func check(_ kind: Kind, _ what: String, isDone: Bool = false) throws {
        let files = FileManager.default
        if files.fileExists(atPath: scene.installed) {
            // SQLite opens it for writing, as it rolls back or replays what is left.
            unsafe chmod(scene.installed, 0o600)
            let database = try Database(scene.installed, patience: 1000)
            #expect(try database.isSound(), "\(what)")
            let version = try database.integer("SELECT version FROM sluice_seed")
            #expect(version == 2 || !isDone && version == 1 && kind != .first, "\(what)")
            #expect(try database.integer("SELECT count(*) FROM Item") == 200, "\(what)")
        } else {
            // With a log that cannot be opened, the store goes first; all else leaves a store.
            #expect(kind == .first && !isDone, "\(what): the store is gone")
        }
        let outcome = try scene.install(kind.options)
        #expect(outcome.status == 0, "\(what): \(outcome.errors)")
        #expect(scene.names == ["app.sqlite"], "\(what)")
        #expect(scene.version == 2, "\(what)")
        if FaultEffort.isLong { try scene.isSound() }
    }

    @Test(.enabled(if: FaultShim.isThere, "there is no C compiler"), arguments: Kind.allCases)
    func callsThatFail(kind: Kind) throws {
        var random = SeededRandom(21)
        try reset(kind)
        let counter = scene.folder.file("count")
        #expect(try run(kind, FaultShim.counting(scene.place, to: counter)).status == 0)
        let count = try FaultShim.count(counter)
        #expect(count > 6)
        var endings: [String: Int] = [:]
        // The process dies in each call once, or here in some of them; what fails otherwise is drawn.
        let step = FaultEffort.isLong ? 1 : max(1, count / 5)
        let deaths = Array(stride(from: Int.random(in: 1...step, using: &random), through: count, by: step))
        for round in 0..<deaths.count + FaultEffort.rounds(4, long: 300) {
            try reset(kind)
            let dies = deaths.indices.contains(round)
            let fault = dies ? .death : try #require(FaultShim.Fault.allCases.randomElement(using: &random))
            let call = dies ? deaths[round] : Int.random(in: 1...count, using: &random)
            let isSticky = Bool.random(using: &random)
            let outcome = try run(kind, FaultShim.failing(scene.place, call: call, fault, isSticky: isSticky))
            endings["\(fault) \(outcome.status)", default: 0] += 1
            let what = "\(kind), call \(call) of \(count): \(fault) \(isSticky): \(outcome.errors)"
            let allowed: [Int32] = fault == .death ? [137, 0] : [0, 73, 74]
            #expect(allowed.contains(outcome.status), "\(what): \(outcome.status)")
            try check(kind, what, isDone: outcome.status == 0)
        }
        print("faults: seed install, \(kind): of \(count) calls: \(endings.sorted { $0.key < $1.key })")
    }

    @Test(.enabled(if: FaultShim.isThere, "there is no C compiler"), arguments: [Kind.first, .delta, .whole])
    func powerThatGoes(kind: Kind) throws {
        var random = SeededRandom(22)
        try reset(kind)
        let log = scene.folder.file("log")
        let image = try DiskImage(scene.place)
        #expect(try run(kind, FaultShim.recording(scene.place, to: log)).status == 0)
        let operations = try DiskOperation.read(log)
        #expect(operations.contains { $0.kind == "d" } && operations.contains { $0.kind == "r" })
        try image.losePower(during: operations, at: scene.place, &random) { what, isDone in
            try check(kind, "\(kind), \(what)", isDone: isDone)
        }
    }

    @Test(
        .enabled(if: SmallDisk.isPermitted, "a small disk can only be mounted by root"),
        arguments: [Kind.first, .delta, .whole])
    func aDiskThatIsFull(kind: Kind) throws {
        try reset(kind)
        let saved = scene.folder.file("saved")
        try FileManager.default.moveItem(atPath: scene.place, toPath: saved)
        for kilobytes in [4, 40, 100] {
            let files = try FileManager.default.contentsOfDirectory(atPath: saved)
            let disk = try SmallDisk(scene.place, kilobytes: kilobytes + (files.isEmpty ? 0 : 80))
            for name in files {
                try FileManager.default.copyItem(atPath: saved + "/" + name, toPath: scene.place + "/" + name)
            }
            let outcome = try run(kind)
            #expect([73, 74].contains(outcome.status) || outcome.status == 0 && scene.version == 2, "\(outcome)")
            if outcome.status != 0 {
                #expect(scene.names == files && scene.version == (files.isEmpty ? nil : 1), "\(outcome)")
            }
            disk.unmount()
        }
        // Too small for any.
        try? FileManager.default.removeItem(atPath: scene.place)
        try FileManager.default.moveItem(atPath: saved, toPath: scene.place)
        try check(kind, "a disk with room")
    }

    /// Several at once, some of which are killed: one at a time, and in the end the new version.
    @Test func installationsThatOverlap() throws {
        var random = SeededRandom(23)
        for round in 0..<FaultEffort.rounds(4, long: 60) {
            try reset(.delta)
            var runs: [RunningSluice] = []
            for _ in 0..<5 {
                let words = ["seed", "install", scene.manifest, "--store", scene.installed, "--wait", "1m"]
                runs.append(try RunningSluice(words + (Bool.random(using: &random) ? ["--whole"] : [])))
                Thread.sleep(forTimeInterval: Double.random(in: 0...0.01, using: &random))
                if Int.random(in: 0..<3, using: &random) == 0 { runs.randomElement(using: &random)?.signal(SIGKILL) }
            }
            for outcome in runs.map({ $0.ended() }) {
                #expect([0, 137].contains(outcome.status), "\(outcome)")
            }
            try check(.delta, "overlapping, round \(round)")
        }
    }
}
