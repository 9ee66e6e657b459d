import Foundation
import TestSupport
import Testing

/// A scenario on a disk: the folder before its command, which is disturbed again and again, and what must come of it.
final class TortureScene {
    let scenario: TortureScenario
    private let folder = TemporaryFolder()
    private var disk: String { folder.file("disk") }
    private var image: String { folder.file("image") }
    private let server: FileServer?
    private let before: DiskState
    private let after: DiskState
    /// What an undisturbed command leaves open.
    private let left: Set<String>

    init(_ scenario: TortureScenario) throws {
        self.scenario = scenario
        let (disk, image) = (folder.file("disk"), folder.file("image"))
        try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
        server = scenario.kinds.contains(.network) ? try FileServer(disk) : nil
        let url = server?.url ?? ""
        for step in scenario.before { try TortureScene.take(step, disk, url) }
        try FileManager.default.copyItem(atPath: disk, toPath: image)
        var states: [DiskState] = []
        var left: Set<String> = []
        for round in 0..<2 {
            // In another second.
            if round > 0 { Thread.sleep(forTimeInterval: 1.1) }
            try TortureScene.copy(image, to: disk)
            let outcome = try TortureScene.run(
                scenario.words, disk, url,
                FaultShim.counting(disk, to: folder.file("c"), []).merging(FaultShim.leaving(folder.file("left"))) {
                    $1
                })
            #expect(outcome.status == 0, "\(scenario.name): \(outcome.errors)")
            left = try TortureScene.left(folder.file("left"))
            states.append(try DiskState(disk, queries: scenario.queries))
        }
        states[0].forgetBytes(differingFrom: states[1])
        try TortureScene.copy(image, to: disk)
        var before = try DiskState(disk, queries: scenario.queries)
        before.forgetBytes(forgottenBy: states)
        (self.before, after, self.left) = (before, states[0], left)
        #expect(before.faults.isEmpty && after.faults.isEmpty, "\(before.faults) \(after.faults)")
    }

    private static func take(_ step: TortureScenario.Step, _ disk: String, _ url: String) throws {
        switch step {
        case .write(let name, let text):
            let text = text.replacingOccurrences(of: "{feeds}", with: url)
            try Data(text.utf8).write(to: URL(fileURLWithPath: disk + "/" + name))
        case .sql(let text):
            let store = try Database(disk + "/store.sqlite")
            for statement in text.split(separator: ";") { _ = try store.rows(String(statement)) }
        case .run(let words):
            let outcome = try run(words, disk, url)
            #expect(outcome.status == 0, "\(words): \(outcome.errors)")
        }
    }

    private static func run(
        _ words: [String], _ disk: String, _ url: String, _ environment: [String: String] = [:]
    ) throws -> Sluice.Outcome {
        let words = words.map { $0.replacingOccurrences(of: "{disk}", with: disk) }
        let plain = ["SLUICE_TEST_BACKOFF": "0.0005"]
        return try RunningSluice(words, environment: plain.merging(environment) { $1 })
            .ended()
    }

    /// Makes a folder's files those of another; the folder itself stays.
    private static func copy(_ from: String, to: String) throws {
        let files = FileManager.default
        try files.createDirectory(atPath: to, withIntermediateDirectories: true)
        for name in try files.contentsOfDirectory(atPath: to) { try files.removeItem(atPath: to + "/" + name) }
        for name in try files.contentsOfDirectory(atPath: from) {
            try files.copyItem(atPath: from + "/" + name, toPath: to + "/" + name)
        }
    }

    /// What a command has left open, a line each. Sockets have numbers, which say nothing.
    private static func left(_ file: String) throws -> Set<String> {
        let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? "it has not ended"
        var count: [String: Int] = [:]
        return Set(
            text.split(separator: "\n").map { line in
                let line = line.hasPrefix("socket:") ? "a socket" : String(line)
                count[line, default: 0] += 1
                return "\(line) \(count[line, default: 0])"
            })
    }

    // MARK: Disturbing

    /// How many calls of some kinds the command makes.
    func count(_ kinds: FaultShim.Kinds) throws -> Int {
        try TortureScene.copy(image, to: disk)
        let counter = folder.file("count")
        try folder.remove("count")
        let outcome = try TortureScene.run(
            scenario.words, disk, server?.url ?? "", FaultShim.counting(disk, to: counter, kinds))
        #expect(outcome.status == 0, "\(outcome.errors)")
        return try FaultShim.count(counter)
    }

    /// Lets a call fail, and checks what comes of it.
    ///
    /// - Returns: the exit status.
    func disturb(_ fault: TortureFault, call: Int, of count: Int, isSticky: Bool) throws -> Int32 {
        try TortureScene.copy(image, to: disk)
        let url = server?.url ?? ""
        try folder.remove("left")
        let variables = FaultShim.failing(disk, fault.kinds, call: call, error: fault.error, isSticky: isSticky)
        let outcome = try TortureScene.run(
            scenario.words, disk, url, variables.merging(FaultShim.leaving(folder.file("left"))) { $1 })
        let what = "\(scenario.name): \(fault.name), call \(call) of \(count)\(isSticky ? " and all later ones" : "")"
        let said = "\(what): \(outcome.status) \(outcome.errors)"
        #expect(fault.statuses.contains(outcome.status), "\(said)")
        if outcome.status != 0, !fault.isDeath {
            #expect(outcome.errors.contains("sluice: "), "\(said)")
            let more = try TortureScene.left(folder.file("left")).subtracting(left)
            #expect(more.isEmpty, "\(said): left open")
        }
        try checkState(said, fault, isDone: outcome.status == 0)
        try checkNext(said, url, isDone: outcome.status == 0)
        return outcome.status
    }

    private func checkState(_ said: String, _ fault: TortureFault, isDone: Bool) throws {
        let copy = folder.file("copy")
        try TortureScene.copy(disk, to: copy)
        var state = try DiskState(copy, queries: scenario.queries)
        state.forgetBytes(forgottenBy: [after])
        #expect(state.faults.isEmpty, "\(said): \(state.faults)")
        // What cannot be removed, or cannot be known to be one's own, stays until it can.
        let leaves = fault.isDeath || fault.kinds.contains(.naming) || [.looking, .locking].contains(fault.kinds)
        if leaves { state.files = state.files.filter { before.files[$0.key] != nil || after.files[$0.key] != nil } }
        let states = isDone ? [after] : [before, after]
        let isPartial = scenario.isInBatches && !isDone
        let stores = isPartial ? state.difference(ofObjectsFrom: states) : state.difference(ofStoresFrom: states)
        // What a command has made needless goes if it can.
        let files = state.difference(ofFilesFrom: fault.kinds.contains(.naming) ? [before, after] : states)
        for difference in [stores, files].compactMap({ $0 }) { Issue.record("\(said): \(difference)") }
    }

    private func checkNext(_ said: String, _ url: String, isDone: Bool) throws {
        let next = try TortureScene.run(scenario.next ?? scenario.words, disk, url)
        let status = isDone ? scenario.statusAfterSuccess : 0
        #expect(next.status == status, "\(said), then: \(next.status) \(next.errors)")
        var state = try DiskState(disk, queries: scenario.queries)
        state.forgetBytes(forgottenBy: [after])
        #expect(state.faults.isEmpty, "\(said), then: \(state.faults)")
        // A saved feed that could not be deleted goes with the next one that is saved, and so does what saving has
        // left.
        let isArchive = state.files.keys.contains { $0.hasPrefix("archive/") }
        state.files = state.files.filter { !$0.key.hasPrefix("archive/.sluice-work-") }
        let files = state.difference(ofFilesFrom: isArchive ? [before, after] : [after])
        let differences = [state.difference(ofStoresFrom: [after]), files].compactMap { $0 }
        for difference in differences { Issue.record("\(said), then: \(difference)") }
    }
}
