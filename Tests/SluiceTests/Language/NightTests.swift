import Foundation
import TestSupport
import Testing

@testable import Nights

/// Some nights of some stores; `make nights` has more.
@Suite struct NightTests {
    @Test(arguments: SeededRandom.seeds(0..<4))
    func storeEqualsModelNightByNight(seed: Int) throws { try check(seed, ways: [.plain]) }

    /// Each pair of ways.
    @Test(arguments: Way.pairs.indices) func bothWaysAreOne(pair: Int) throws {
        try check(1000 + pair, ways: [Way.pairs[pair].one, Way.pairs[pair].other])
    }

    /// What a history says equals a naive one.
    @Test(arguments: SeededRandom.seeds(2000..<2002))
    func pastEqualsNaivePast(seed: Int) throws { try check(seed, ways: #require(Way.named("past"))) }

    private func check(_ seed: Int, ways: [Way]) throws {
        let folder = NSTemporaryDirectory() + "sluice-night-\(seed)-\(UUID().uuidString)"
        // Other tests of the process run beside it.
        let history = try History(seed, ways: ways, folder: folder, hasFullDisks: false)
        let trouble = try history.run(nights: 6)
        #expect(trouble == nil, "in \(folder)")
        if trouble == nil { history.remove() }
    }
}
