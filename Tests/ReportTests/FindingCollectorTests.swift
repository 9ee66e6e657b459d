import ReportSupport
import SluiceDefinition
import SluiceRecords
import Testing

@testable import SluiceReport

/// All findings are counted; of each kind, the first twenty are kept, whatever the order in which they come.
@Suite struct FindingCollectorTests {
    @Test(arguments: [
        Array(0..<60), Array((0..<60).reversed()), (0..<60).map { $0 * 37 % 60 }, Array(30..<60) + Array(0..<30),
    ])
    func theFirstByPositionAreKept(order: [Int]) {
        let collector = FindingCollector()
        for offset in order {
            let finding = Fixture.reject(UInt64(offset))
            collector.report(.reject, at: finding.at.position) { finding }
        }
        #expect(collector.counts == [.reject: 60])
        #expect(collector.examples.map(\.at.position.offset) == (0..<20).map { UInt64($0) })
    }

    /// A finding beyond those by which the next run tells what is new costs nothing: it is not even made.
    @Test func whatIsNotKeptIsNotMade() {
        let collector = FindingCollector()
        var made = 0
        for offset in UInt64(0)..<5000 {
            collector.report(.conflict, at: Fixture.key(offset)) {
                made += 1
                var finding = Fixture.reject(offset)
                finding.detail = .conflict([])
                return finding
            }
        }
        #expect(made == FindingDigests.most + 1)
        #expect(collector.counts == [.conflict: 5000])
    }

    /// What is minor gives way to others of its kind, wherever they stand.
    @Test func whatIsMinorComesLast() {
        let collector = FindingCollector()
        for offset in UInt64(0)..<60 {
            collector.report(.duplicate, at: Fixture.key(offset), isMinor: offset % 10 != 7) {
                var finding = Fixture.reject(offset)
                finding.detail = .duplicate(conflicting: offset % 10 == 7, differs: [])
                return finding
            }
        }
        #expect(collector.counts == [.duplicate: 60])
        #expect(
            collector.examples.map(\.at.position.offset) == [7, 17, 27, 37, 47, 57] + [0, 1, 2, 3, 4, 5, 6] + [
                8, 9, 10, 11, 12, 13, 14,
            ])
    }

    @Test func sourcesComeInTheirOrder() {
        let collector = FindingCollector()
        for (offset, source) in [(5, 1), (9, 0), (1, 1), (2, 0)] as [(UInt64, Int)] {
            collector.report(.reject, at: Fixture.key(offset, source: source)) {
                Fixture.reject(offset, source: source)
            }
        }
        #expect(collector.examples.map(\.at.position.offset) == [2, 9, 1, 5])
    }

    /// Drift is about many records: it has no identifier.
    @Test func driftInWords() {
        func finding(_ drift: Finding.Drift, _ records: UInt64) -> Finding {
            Finding(
                entity: "Stop", identifier: "null", detail: .drift(drift, field: "at.zip", records: records),
                at: Fixture.reject(7).at)
        }
        let feeds = [Feed(source: "main", location: "f", files: ["f"])]
        func text(_ drift: Finding.Drift, _ records: UInt64) -> String { finding(drift, records).text(feeds) }
        #expect(
            text(.unknown, 1200)
                == "f:8:3: 1,200 records of Stop have the field at.zip, which the definition does not use")
        #expect(text(.unknown, 1) == "f:8:3: 1 record of Stop has the field at.zip, which the definition does not use")
        #expect(text(.missing(member: "zip"), 0) == "f:8:3: no Stop has at.zip, of which zip is made")
        #expect(
            text(.repeated, 2)
                == "f:8:3: 2 records of Stop have the field at.zip more than once; the last one counts")
        #expect(
            finding(.missing(member: "zip"), 0).json(feeds).hasPrefix(
                #"{ "kind": "drift", "entity": "Stop", "reason": "missing", "attribute": "zip", "field": "at.zip", "records": 0, "at": {"#
            ))
    }

    /// What finds nothing comes before what is found.
    @Test func unmatchedInWords() {
        let feeds = [Feed(source: "main", location: "f", files: ["f"])]
        func finding(_ reason: Finding.Unmatched) -> Finding {
            Finding(
                entity: "Stop", identifier: "null", detail: .unmatched(reason, path: "$.stop[*]"),
                at: Fixture.reject(0).at)
        }
        #expect(finding(.records).text(feeds) == "f:1:3: $.stop[*] takes no record of Stop from the source main")
        var instead = finding(.records)
        instead.found = "the document is an object with the key `stops`"
        #expect(instead.text(feeds).hasSuffix("from the source main: the document is an object with the key `stops`"))
        #expect(
            finding(.condition).text(feeds)
                == "f:1:3: no record of Stop from the source main has what \"where\" asks for in $.stop[*]")
        var report = Fixture.report()
        report.found.counts = [.reject: 1, .unmatched: 1]
        report.found.examples = [finding(.records), Fixture.reject(1)]
        #expect(report.text.contains("1 path finds nothing:\n  feed.json:1:3: $.stop[*] takes no record of Stop"))
        let words = report.text.split(separator: "\n").map(String.init)
        let (first, second) = (
            words.firstIndex { $0.hasPrefix("1 path finds") }, words.firstIndex { $0.hasPrefix("1 rejected") }
        )
        #expect(first != nil && second != nil && (first ?? 0) < (second ?? 0))
    }

    /// The examples as the end of a run has them.
    private func weighed(_ collector: FindingCollector) -> [Finding] {
        let weighed = Finding.Kind.allCases.flatMap { kind in
            collector.parts.selected(collector.firsts[kind] ?? [], of: kind, collector.exceeded)
        }
        return weighed.map(\.finding)
    }

    /// What makes a run fail is an example, wherever it stands; what is allowed comes behind it.
    @Test(arguments: [Finding.Kind.reject, .unresolved, .duplicate]) func whatFailsARunComesFirst(_ kind: Finding.Kind)
    {
        let collector = FindingCollector()
        let limit: Allowance.Kind =
            kind == .reject ? .rejects : kind == .unresolved ? .unresolved : .duplicates
        for offset in UInt64(0)..<3000 {
            var finding = Fixture.reject(offset)
            switch kind {
            case .unresolved: finding.detail = .unresolved(relationship: "r", targets: ["T"], value: "\(offset)")
            case .duplicate: finding.detail = .duplicate(conflicting: true, differs: [])
            default: break
            }
            if [2500, 2800, 2900].contains(offset) { finding.entity = offset == 2900 ? "Other" : "Strict" }
            collector.report(kind, at: finding.at.position) { finding }
        }
        #expect(weighed(collector).map(\.at.position.offset) == (0..<20).map { UInt64($0) })
        collector.exceeded = [ExceededLimit(limit, entity: "Strict", allowed: 0, found: 2)]
        #expect(weighed(collector).map(\.at.position.offset) == [2500, 2800] + (0..<18).map { UInt64($0) })
        if kind == .reject { #expect(collector.rejectGroups.first?.examples.first?.entity == "Strict") }
        var others = ExceededLimit(limit, entity: nil, allowed: 0, found: 2)
        others.entities = ["Other", "None"]
        collector.exceeded = [others]
        #expect(weighed(collector).map(\.at.position.offset) == [2900] + (0..<19).map { UInt64($0) })
        collector.exceeded = [ExceededLimit(limit, entity: nil, allowed: 0, found: 3000)]
        #expect(weighed(collector).map(\.at.position.offset) == (0..<20).map { UInt64($0) })
    }

    /// Each check has some of its rows among the examples, and that which fails the run comes first.
    @Test func eachCheckHasExamples() {
        let collector = FindingCollector()
        for (check, rows) in [("a", 5000), ("b", 30), ("c", 1)] {
            for row in 0..<UInt64(rows) {
                collector.report(.check, at: Fixture.key(row)) {
                    var finding = Fixture.reject(row)
                    finding.detail = .check(name: check, values: [])
                    return finding
                }
            }
        }
        collector.exceeded = [ExceededLimit(check: "b", allowed: 3, found: 30)]
        let parts = weighed(collector).map(\.part)
        #expect(parts.first == "b" && parts.count == 20)
        #expect(parts.count { $0 == "b" } == 5 && parts.count { $0 == "c" } == 1)
    }

    @Test func someOfEachList() {
        #expect(inTurn([[1, 2, 3], [4], [], [5, 6, 7, 8]], most: 6) == [1, 2, 3, 4, 5, 6])
        #expect(inTurn([[1, 2], [3]], most: 9) == [1, 2, 3])
        #expect(inTurn([[1], [2], [3]], most: 2) == [1, 2])
        #expect(inTurn([[Int]](), most: 2) == [])
    }

    /// A heading says what its findings say.
    @Test func headingsOfWhatIsUnmatched() {
        func finding(_ reason: Finding.Unmatched) -> Finding {
            Finding(
                entity: nil, identifier: "null", detail: .unmatched(reason, path: "$.next"), at: Fixture.reject(0).at)
        }
        func headings(_ reasons: [Finding.Unmatched], count: Int? = nil) -> [String] {
            var report = Fixture.report()
            report.found.counts = [.unmatched: count ?? reasons.count]
            report.found.examples = reasons.map(finding)
            let all = report.headings(of: .unmatched).map(\.text)
            for heading in all {
                #expect(report.text.contains("\n\(heading):\n"), "\(report.text)")
                #expect(report.page.contains(heading))
            }
            return all
        }
        #expect(headings([.records, .condition]) == ["2 paths find nothing"])
        #expect(headings([.pages]) == ["1 sign that records are missing"])
        #expect(
            headings([.limit, .notFound, .count]) == [
                "2 signs that records are missing", "1 source that has no answer for some records",
            ])
        #expect(
            headings([.encoding, .next, .answers], count: 5) == [
                "3 paths find nothing", "1 source that has no answer for some records",
                "1 feed that is read in an encoding that is not its own",
            ])
    }

    @Test func kindsAreKeptApart() {
        let collector = FindingCollector()
        for offset in UInt64(0)..<30 {
            let reject = Fixture.reject(offset)
            collector.report(.reject, at: reject.at.position) { reject }
            let duplicate = Finding(
                entity: "Stop", identifier: "1", detail: .duplicate(conflicting: false, differs: []), at: reject.at)
            collector.report(.duplicate, at: reject.at.position) { duplicate }
        }
        #expect(collector.counts == [.reject: 30, .duplicate: 30])
        // In the order of the kinds.
        #expect(
            collector.examples.map(\.kind) == Array(repeating: .duplicate, count: 20)
                + Array(repeating: .reject, count: 20))
    }
}
