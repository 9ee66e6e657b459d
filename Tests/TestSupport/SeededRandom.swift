import Foundation

/// A reproducible sequence (SplitMix64).
package struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    /// The step of the generator. Seeds that are a step apart would give one sequence, shifted by a number: so they are
    /// mixed first.
    private static let step: UInt64 = 0x9e37_79b9_7f4a_7c15

    package init(_ seed: Int) { state = SeededRandom.mixed(UInt64(bitPattern: Int64(seed)) &+ SeededRandom.step) }

    package mutating func next() -> UInt64 {
        state &+= SeededRandom.step
        return SeededRandom.mixed(state)
    }

    private static func mixed(_ number: UInt64) -> UInt64 {
        var z = number
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }

    package mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<max(1, bound), using: &self) }

    /// SLUICE_SEEDS=1000..<4000 tries others than the usual ones.
    package static func seeds(_ usual: Range<Int>) -> Range<Int> {
        let parts = (ProcessInfo.processInfo.environment["SLUICE_SEEDS"] ?? "").split(separator: "..<").compactMap {
            Int($0)
        }
        return parts.count == 2 ? parts[0]..<parts[1] : usual
    }
}
