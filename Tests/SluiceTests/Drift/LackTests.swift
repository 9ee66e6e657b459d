import Testing

@testable import Sluice

/// That none of some new records has a field tells something, or is chance.
struct LackTests {
    @Test(arguments: [
        (1, 1, 1, false), (1, 0, 1, false), (1, 0, 19, false), (1, 0, 20, true), (20, 0, 1, true), (1, 20, 20, true),
        (1, 19, 20, false), (5, 1, 1, true), (4, 1, 1, false), (1, 600, 1000, false),
    ])
    func byWhatTheLastRunHad(_ records: Int, _ had: Int, _ all: Int, _ expected: Bool) {
        #expect(LackChance.tells(of: records, had: had, of: all) == expected)
    }
}
