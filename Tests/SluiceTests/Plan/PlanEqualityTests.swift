import Foundation
import TestSupport
import Testing

@testable import Sluice

/// What a run makes of a feed in SQLite, extraction and the plan make of it on DuckDB: tables by identifier, links with
/// their positions, the waiting list, stubs, counts, and findings with their places.
@Suite struct PlanEqualityTests {
    /// DuckDB starts once for all.
    @Test func planEqualsRun() throws {
        let folder = NSTemporaryDirectory() + "sluice-plan-\(UUID().uuidString)"
        let seeds = SeededRandom.seeds(0..<40)
        for seed in seeds { try PlanScene(seed, in: folder).make() }
        let differences = try PlanComparison.differences(in: folder)
        #expect(differences == "", "in \(folder)")
        if differences.isEmpty { try FileManager.default.removeItem(atPath: folder) }
    }
}

/// Asks `Tests/Plan/compare.py`.
enum PlanComparison {
    static func differences(in folder: String) throws -> String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let process = Process()
        // As `make test` has made it; else that of the machine.
        let own = root.deletingLastPathComponent().path + "/.build/python/bin/python3"
        let hasOwn = FileManager.default.isExecutableFile(atPath: own)
        process.executableURL = URL(fileURLWithPath: hasOwn ? own : "/usr/bin/env")
        process.arguments = (hasOwn ? [] : ["python3"]) + [root.path + "/Plan/compare.py", folder]
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return process.terminationStatus == 0 ? text : text + "status \(process.terminationStatus)"
    }
}
