import ReportSupport
import SluiceRecords
import Testing

@testable import SluiceReport

/// What is unusual is said by the runs before.
@Suite struct UnusualCountsTests {
    private func usual(_ records: Int, after earlier: [Int]) -> Int? {
        var counts = UnusualCounts()
        for number in earlier { counts.add([Fixture.entity("A") { $0.records = number }]) }
        return counts.usual(Fixture.entity("A") { $0.records = records })
    }

    @Test func halfAndTwiceAreUnusual() {
        #expect(usual(50, after: [100, 100, 100]) == 100)
        #expect(usual(51, after: [100, 100, 100]) == nil)
        #expect(usual(199, after: [100, 100, 100]) == nil)
        #expect(usual(200, after: [100, 100, 100]) == 100)
        #expect(usual(0, after: [1, 1, 1]) == 1)
        // One bad night among many does not make the next one unusual.
        #expect(usual(100, after: [100, 101, 3, 99, 100]) == nil)
    }

    @Test func twoRunsSayNothing() {
        #expect(usual(1, after: [100, 100]) == nil)
        #expect(usual(5, after: [0, 0, 0]) == nil)
        var counts = UnusualCounts()
        for _ in 0..<3 { counts.add([Fixture.entity("A") { $0.records = 9 }]) }
        #expect(counts.usual(Fixture.entity("B") { $0.records = 1 }) == nil)
    }

    /// What was usual long ago is forgotten.
    @Test func tenRunsCount() {
        #expect(usual(100, after: Array(repeating: 1000, count: 20) + Array(repeating: 100, count: 6)) == nil)
    }
}
