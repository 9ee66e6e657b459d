import Foundation
import TestSupport
import Testing

/// Each call that can fail does: once, from then on, or as the last thing that the process does. What is left is the
/// old or the new, never between; the message and the exit status are right; nothing is left open; the next command is
/// right.
///
/// `make torture` tries each call; the ordinary tests, some of a few kinds for each scenario.
@Suite struct TortureTests {
    /// With `make torture`, the environment says what is tried.
    private enum Effort {
        private static let environment = ProcessInfo.processInfo.environment
        static let isWhole = environment["SLUICE_FAULTS"] == "torture"
        /// Only faults and scenarios whose names begin so.
        private static let only = environment["SLUICE_TORTURE"]?.split(separator: ",").map(String.init)
        /// Of so many allocations, one fails.
        static let step = environment["SLUICE_TORTURE_STEP"].flatMap { Int($0) } ?? 50

        static func isMeant(_ fault: TortureFault, _ scenario: TortureScenario) -> Bool {
            only?.contains { fault.name.hasPrefix($0) || scenario.name.hasPrefix($0) } ?? true
        }
    }

    @Test(.enabled(if: FaultShim.isThere, "there is no C compiler"), arguments: TortureScenario.all)
    func eachCallFails(scenario: TortureScenario) throws {
        var random = SeededRandom(scenario.name.utf8.reduce(31) { $0 &* 31 &+ Int($1) })
        let scene = try TortureScene(scenario)
        var faults = TortureFault.all.filter { Effort.isMeant($0, scenario) }
        if !Effort.isWhole { faults = Array(faults.shuffled(using: &random).prefix(2)) }
        for fault in faults {
            let count = try scene.count(fault.kinds)
            var endings: [Int32: Int] = [:]
            for (call, isSticky) in TortureTests.calls(count, fault, &random) {
                let status = try scene.disturb(fault, call: call, of: count, isSticky: isSticky)
                endings[status, default: 0] += 1
            }
            let came = endings.sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" }.joined(separator: ", ")
            print(
                "torture: \(scenario.name), \(fault.name): \(count) calls; exit status \(came.isEmpty ? "none" : came)")
        }
    }

    /// The calls that fail, and whether all after them do, too.
    private static func calls(
        _ count: Int, _ fault: TortureFault, _ random: inout SeededRandom
    ) -> [(call: Int, isSticky: Bool)] {
        guard count > 0 else { return [] }
        guard Effort.isWhole else {
            return (0..<2).map { _ in (Int.random(in: 1...count, using: &random), Bool.random(using: &random)) }
        }
        let step = fault.kinds == .memory ? Effort.step : 1
        return stride(from: Int.random(in: 1...step, using: &random), through: count, by: step).flatMap { call in
            (fault.isDeath ? [false] : [false, true]).map { (call, $0) }
        }
    }
}
