import Foundation
import TestSupport
import Testing

@testable import Sluice

/// What a run makes of a feed in SQLite, extraction and the plan make of it on DuckDB: tables by identifier, links with
/// their positions, the waiting list, stubs, counts, and findings with their places.
@Suite struct PlanEqualityTests {
    @Test("The language, as its own tests make it")
    func language() throws { try check { try PlanScene($0, in: $1).make() } }

    /// In 8, a marked stub is referred to again; in 65, what is marked does not count for limits; in 98, an object goes
    /// with two others to which it refers; in 129 and 193, the target goes of an object whose record needs another one
    /// (`missing: reject`); in 163, what comes back does; in 179, the last copy says nothing of the target that goes.
    @Test("All that plans know, on objects that meet often")
    func dense() throws { try check(also: [8, 65, 98, 129, 163, 179, 193]) { try DenseScene($0, in: $1).make() } }

    /// `make cluster-test`: on threads of one process and on workers of their own, with other ranges and partitions.
    @Test("The same on Spark", .enabled(if: ProcessInfo.processInfo.environment["SLUICE_CLUSTER"] != nil))
    func spark() throws {
        let folder = NSTemporaryDirectory() + "sluice-plan-\(UUID().uuidString)"
        for seed in SeededRandom.seeds(0..<10) {
            try DenseScene(seed, in: folder).make()
            try PlanScene(seed + 1_000, in: folder).make()
        }
        #expect(try PlanComparison.differences([folder]) == "", "in \(folder)")
        for (shift, master) in ["local[2]", "local-cluster[2,1,1024]"].enumerated() {
            let differences = try PlanComparison.differences(onSpark: master, "\(shift)", folder)
            #expect(differences == "", "in \(folder)")
        }
        try FileManager.default.removeItem(atPath: folder)
    }

    /// An engine starts once for all.
    private func check(also more: [Int] = [], _ make: (Int, String) throws -> Void) throws {
        let folder = NSTemporaryDirectory() + "sluice-plan-\(UUID().uuidString)"
        for seed in Set(SeededRandom.seeds(0..<3)).union(more).sorted() { try make(seed, folder) }
        let differences = try PlanComparison.differences([folder])
        #expect(differences == "", "in \(folder)")
        if differences.isEmpty { try FileManager.default.removeItem(atPath: folder) }
    }
}

/// Asks `Tests/Plan/compare.py`, and `cluster.py`.
enum PlanComparison {
    static func differences(_ arguments: [String]) throws -> String { try output("compare.py", arguments) }

    static func differences(onSpark master: String, _ arguments: String...) throws -> String {
        let sluice = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().path + "/sluice"
        return try output("cluster.py", [master, arguments[0], sluice, arguments[1]])
    }

    private static func output(_ script: String, _ arguments: [String]) throws -> String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().path
        let process = Process()
        // As `make test` has made it; else that of the machine.
        let own = root + "/.build/python/bin/python3"
        let hasOwn = FileManager.default.isExecutableFile(atPath: own)
        process.executableURL = URL(fileURLWithPath: hasOwn ? own : "/usr/bin/env")
        process.arguments = (hasOwn ? [] : ["python3"]) + ["\(root)/Tests/Plan/\(script)"] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging([
            "PYTHONPATH": root + "/Sources/Runners", "PYTHONDONTWRITEBYTECODE": "1",
        ]) { $1 }
        let pipe = Pipe()
        process.standardOutput = pipe
        // Spark talks there.
        process.standardError = script == "cluster.py" ? FileHandle.nullDevice : pipe
        try process.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitForEnd()
        return process.terminationStatus == 0 ? text : text + "status \(process.terminationStatus)"
    }
}
