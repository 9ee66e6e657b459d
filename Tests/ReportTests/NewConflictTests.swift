import ReportSupport
import SluiceRecords
import SluiceTransform
import Testing

@testable import SluiceReport

/// Which of many findings are new is known, also where some tell the same.
@Suite struct NewConflictTests {
    /// The second copy of each of some objects, and the third, and so on.
    private func collect(_ objects: Range<UInt64>, copies: UInt64, after baseline: Baseline? = nil) -> FindingCollector
    {
        let collector = FindingCollector()
        collector.baseline = baseline
        for object in objects {
            for copy in 0..<copies {
                var finding = Fixture.reject(copy * 1000 + object)
                finding.identifier = String(object)
                finding.detail = .duplicate(conflicting: true, differs: ["vat"])
                collector.report(.duplicate, at: finding.at.position) { finding }
            }
        }
        return collector
    }

    private func report(_ collector: FindingCollector) throws -> RunReport {
        var stop = Fixture.entity("Stop") { $0.conflicting = collector.counts[.duplicate] ?? 0 }
        stop.counts.records = 100
        stop.fields = [FieldFacts(name: "id")]
        var report = Fixture.report([stop])
        (report.found.counts, report.found.examples) = (collector.counts, collector.examples)
        (report.found.digests, report.found.news) = (collector.digests, collector.news)
        return try #require(RunReport(json: report.json, sources: nil))
    }

    /// Fifteen objects, two findings each, of which twenty are examples of the first run.
    @Test func theNewOneIsKnown() throws {
        let before = try #require(Baseline(report(collect(1..<16, copies: 2))))
        let again = collect(1..<16, copies: 2, after: before)
        #expect(again.news == [.duplicate: 0] && !again.examples.contains { $0.isNew == true })
        let later = collect(1..<17, copies: 2, after: before)
        #expect(later.news == [.duplicate: 2])
        #expect(later.examples.prefix(2).allSatisfy { $0.identifier == "16" && $0.isNew == true })
        var told = try report(later)
        told.earlier.compared = 7
        #expect(told.text.contains("32 conflicting duplicates, 2 of them new:\n"), "\(told.text)")
    }

    /// Identical copies are not noted: none of them is taken for new.
    @Test func identicalCopiesAreNotNew() throws {
        func collect(_ start: UInt64, _ baseline: Baseline?) -> FindingCollector {
            let collector = self.collect(1..<6, copies: 2, after: baseline)
            for offset in UInt64(0)..<30 {
                var finding = Fixture.reject(start + offset)
                finding.detail = .duplicate(conflicting: false, differs: [])
                collector.report(.duplicate, at: finding.at.position, isMinor: true) { finding }
            }
            return collector
        }
        let before = try #require(Baseline(report(collect(5000, nil))))
        let examples = collect(6000, before).examples
        #expect(examples.count { !$0.isConflict } == 10 && !examples.contains { $0.isNew == true })
    }
}
