import Foundation
import TestSupport
import Testing

@testable import Sluice

/// What a run makes of a feed in SQLite, extraction and the plan make of it on DuckDB: tables by identifier, links with
/// their positions, the waiting list, stubs, counts, and findings with their places.
@Suite struct PlanEqualityTests {
    @Test("The language, as its own tests make it")
    func language() throws { try check { try PlanScene($0, in: $1).make() } }

    @Test("All that plans know, on objects that meet often")
    func dense() throws { try check { try DenseScene($0, in: $1).make() } }

    /// `make cluster-test`: a minute for each.
    @Test("The same on Spark", .enabled(if: ProcessInfo.processInfo.environment["SLUICE_CLUSTER"] != nil))
    func spark() throws {
        try check(seeds: 0..<4, engine: ["--spark"]) { try DenseScene($0, in: $1).make() }
        try check(seeds: 0..<8, engine: ["--spark"]) { try PlanScene($0, in: $1).make() }
    }

    /// An engine starts once for all.
    private func check(
        seeds: Range<Int> = 0..<16, engine: [String] = [], _ make: (Int, String) throws -> Void
    ) throws {
        let folder = NSTemporaryDirectory() + "sluice-plan-\(UUID().uuidString)"
        for seed in SeededRandom.seeds(seeds) { try make(seed, folder) }
        let differences = try PlanComparison.differences(engine + [folder])
        #expect(differences == "", "in \(folder)")
        if differences.isEmpty { try FileManager.default.removeItem(atPath: folder) }
    }
}

/// Asks `Tests/Plan/compare.py`.
enum PlanComparison {
    static func differences(_ arguments: [String]) throws -> String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let process = Process()
        // As `make test` has made it; else that of the machine.
        let own = root.deletingLastPathComponent().path + "/.build/python/bin/python3"
        let hasOwn = FileManager.default.isExecutableFile(atPath: own)
        process.executableURL = URL(fileURLWithPath: hasOwn ? own : "/usr/bin/env")
        process.arguments = (hasOwn ? [] : ["python3"]) + [root.path + "/Plan/compare.py"] + arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        // Spark talks there.
        if arguments.contains("--spark") {
            process.standardError = FileHandle.nullDevice
        } else {
            process.standardError = pipe
        }
        try process.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return process.terminationStatus == 0 ? text : text + "status \(process.terminationStatus)"
    }
}
