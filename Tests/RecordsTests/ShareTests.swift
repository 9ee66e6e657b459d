import Testing

@testable import SluiceRecords

/// Shares are computed as people read them, in decimal.
@Suite struct ShareTests {
    @Test(arguments: [
        ("0%", 0, 100), ("10%", 10, 100), ("100%", 100, 100), ("9.2%", 92, 1000), ("2.50%", 25, 1000),
        ("100.0%", 100, 100), ("0.000000000000001%", 1, 100_000_000_000_000_000), ("0.00000000000000001%", 0, 100),
    ])
    func whatIsWritten(_ text: String, _ numerator: Int, _ denominator: Int) throws {
        let share = try #require(Share(text))
        #expect((share.numerator, share.denominator) == (numerator, denominator))
    }

    @Test(arguments: [
        "", "%", "10", "10 %", "-1%", "+1%", "100.1%", "101%", "1.%", ".1%", "1.2.3%", "1e1%", "١%",
        "99999999999999999999%",
    ])
    func whatIsNone(_ text: String) { #expect(Share(text) == nil) }

    /// Of all shares of one decimal, what is exactly kept is within it; in binary, 9.2 % of 750 are 68.
    @Test func countsAreExact() throws {
        for tenths in 0...1000 {
            let share = try #require(Share("\(tenths / 10).\(tenths % 10)%"))
            for count in stride(from: 0, to: 3000, by: 50) {
                #expect(share.of(count) == count * tenths / 1000)
                #expect(share.ofRoundedUp(count) == (count * tenths + 999) / 1000)
            }
        }
        #expect(Share("99.999999999999999%")?.of(1 << 60) == 1_152_921_504_606_846_964)
    }
}
