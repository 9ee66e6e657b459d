import ReportSupport
import SluiceRecords
import Testing

@testable import SluiceReport

/// What was found in the records that were rejected for one reason.
@Suite struct RejectedValuesTests {
    private func report(_ texts: [String], reversed: Bool = false) -> String {
        let collector = FindingCollector()
        let numbered = Array(texts.enumerated())
        for (offset, text) in reversed ? numbered.reversed() : numbered {
            var finding = Fixture.reject(UInt64(offset))
            finding.detail = .reject(faults: [("height", "integer expected, found the string \"\(text)\": a hint")])
            collector.report(.reject, at: Fixture.key(UInt64(offset))) { finding }
        }
        var report = Fixture.report([Fixture.entity("Stop") { $0.rejected = texts.count }])
        (report.found.counts, report.found.examples) = (collector.counts, collector.examples)
        report.found.rejectGroups = collector.rejectGroups
        return report.text.replacing("\n    ", with: " ")
    }

    /// In the order of the feed, whatever the order in which batches have them.
    @Test(arguments: [false, true]) func aFewWordsAreAllTold(_ isReversed: Bool) {
        let text = report(["unknown", "n/a", "unknown", "-", "n/a", #"\"?\""#, "-"], reversed: isReversed)
        let end = #"(and 6 more: 2:3, 3:3, 4:3, 5:3, …; also found: "n/a", "-", "\"?\"")"#
        #expect(text.contains(#"found the string "unknown": a hint \#(end)"#), "\(text)")
    }

    @Test func ofManyNoneIsTold() {
        let text = report((0..<6).map { "word \($0)" })
        #expect(text.contains(#"a hint (and 5 more: 2:3, 3:3, 4:3, 5:3, …)"#), "\(text)")
    }

    @Test func oneWordIsToldOnce() {
        #expect(!report(["n/a", "n/a"]).contains("also found"))
    }

    @Test(arguments: [
        ("real expected, found the string \"a\\\"b\"", "\"a\\\"b\""), ("the value \"x\" is not in the map", "\"x\""),
        ("required, but absent", nil), ("real expected, found the string \"cut", nil),
    ])
    func theTextOfAReason(_ reason: String, _ text: String?) {
        #expect(RejectedValues.text(shownBy: reason) == text)
    }
}
