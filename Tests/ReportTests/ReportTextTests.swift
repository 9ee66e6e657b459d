import ReportSupport
import SluiceRecords
import Testing

@testable import SluiceReport

/// The report for a person.
@Suite struct ReportTextTests {
    /// What is cut says where it is in full; where nothing is cut, there is no such line.
    @Test(arguments: [3, 30]) func whatIsCutSaysWhereTheRestIs(_ count: Int) {
        var report = Fixture.report([Fixture.entity("Stop") { $0.conflicting = count }])
        report.found.counts = [.duplicate: count]
        report.found.examples = (0..<UInt64(min(count, 20))).map { offset in
            var finding = Fixture.reject(offset)
            finding.detail = .duplicate(conflicting: true, differs: ["n"])
            return finding
        }
        let isCut = count == 30
        #expect(report.text.contains("… and 25 more") == isCut)
        #expect(
            report.text.contains("\n(Of what is cut here, --findings FILE writes all, --report FILE more.)\n") == isCut)
        let past = report.text(colours: false, isPast: true)
        #expect(past.contains("\n(Of what is cut here, --report FILE shows more.)\n") == isCut)
        // Also where names are cut within a line.
        report.found = .init()
        report.entities[0].counts.conflicting = 0
        report.entities[0].unused = (0..<count).map { .init(name: "field\($0)", records: 1) }
        #expect(report.text.contains("--findings FILE") == isCut, "\(report.text)")
    }

    private func lines(_ report: RunReport) -> [String] {
        report.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    @Test func numbersAreGroupedAndToTheRight() {
        let report = Fixture.report([
            Fixture.entity("Stop", ["parent"]) { counts in
                (counts.records, counts.created) = (1_234_567, 1_234_567)
                counts.relationships[0].resolved = 1000
            },
            Fixture.entity("Line") { counts in (counts.records, counts.updated) = (999, 999) },
        ])
        #expect(
            lines(report).dropFirst(3) == [
                "  Entity    Records    Created  Updated  Unchanged  Rejected",
                "  Stop    1,234,567  1,234,567        0          0         0",
                "  Line          999          0      999          0         0",
                "",
                "  Relationship  Resolved  Unresolved  Null",
                "  Stop.parent      1,000           0     0",
                "",
            ])
    }

    @Test(arguments: [
        (0, "0"), (7, "7"), (999, "999"), (1000, "1,000"), (12_345, "12,345"), (1_000_000, "1,000,000"),
        (-1234, "-1,234"),
    ])
    func thousandsAreGrouped(number: Int, text: String) { #expect(grouped(number) == text) }

    /// Columns that would hold nothing but zeros are left out, if they usually do.
    @Test(arguments: [
        ("Skipped", \EntityCounts.skipped), ("Identical", \.identical), ("Conflicting", \.conflicting),
        ("Deleted", \.deleted), ("Stubs", \.stubs),
    ])
    func rareColumnsAreShownWhereTheySaySomething(
        title: String, path: any WritableKeyPath<EntityCounts, Int> & Sendable
    ) {
        let without = [Fixture.entity("A"), Fixture.entity("B")]
        #expect(!Fixture.report(without).text.contains(title))
        let with = [Fixture.entity("A"), Fixture.entity("B") { $0[keyPath: path] = 3 }]
        #expect(Fixture.report(with).text.contains("  \(title)\n"))
    }

    @Test func lateReferencesHaveTheirColumn() {
        let with = Fixture.entity("A", ["b"]) { $0.relationships[0].late = 2 }
        #expect(Fixture.report([with]).text.contains("Null  Late\n"))
        #expect(!Fixture.report([Fixture.entity("A", ["b"])]).text.contains("Late"))
    }

    @Test(arguments: [
        (1 << 20, "1 MiB"), (1536 << 20, "1,536 MiB"), (3 << 30, "3 GiB"), (5000, "5,000 B"), (2048, "2 KiB"),
        (0, "0 B"),
    ])
    func aSmallCacheIsTold(limit: Int, text: String) {
        var report = Fixture.report([Fixture.entity("A")])
        report.cache.limit = limit
        report.cache.peakBytes = limit
        #expect(!report.text.contains("cache"))
        report.cache.peakBytes += 1
        let line = "The objectID cache reached its limit of \(text); the store was asked instead."
        #expect(lines(report).suffix(3) == ["", line, ""] && line.count <= 80)
    }

    @Test func attentionComesFirst() throws {
        var report = Fixture.report([Fixture.entity("Stop") { $0.rejected = 1200 }], status: .failed)
        report.outcome.exceeded = [ExceededLimit(.rejects, entity: nil, allowed: 1000, found: 1200)]
        report.found.counts = [.reject: 1200]
        report.found.examples = (0..<20).map { Fixture.reject($0) }
        var lines = lines(report)
        #expect(lines[0] == "p: failed; nothing was changed (run 7, exit status 65, 0.00 s)")
        #expect(lines[1] == "  store p.sqlite")
        #expect(lines[3] == "The limit of 1,000 rejects is exceeded: there are 1,200 (limits.rejects; --allow")
        #expect(lines[4] == "  rejects=1200 for one run).")
        lines.remove(at: 4)
        #expect(lines[4] == "1,200 rejected records:")
        // Of a report from the ledger, nobody knows which of them are alike.
        #expect(lines[5] == "  feed.json:1:3: Stop \"s0\" is rejected: name: no (and others: 2:3, 3:3, 4:3,")
        #expect(lines[6] == "    5:3, …)")
        #expect(lines[7] == "  … and 1,199 more")
        let table = try #require(lines.firstIndex { $0.hasPrefix("  Entity") })
        #expect(table > 8)
    }

    /// What `"absent": "mark"` has marked is there still.
    @Test func whatIsMarkedIsNotDeleted() {
        var report = Fixture.report([
            Fixture.entity("Stop") { $0.deleted = 3 }, Fixture.entity("Line") { $0.deleted = 2 },
        ])
        #expect(report.text.contains("Deleted") && !report.text.contains("Marked"))
        report.entities[0].marks = true
        let words = report.text.split(whereSeparator: \.isWhitespace).map(String.init)
        #expect(words.contains("Deleted") && words.contains("Marked"))
        #expect(report.text.contains(/Stop .* 0 +3\n/) && report.text.contains(/Line .* 2 +0\n/), "\(report.text)")
        report.entities.removeLast()
        #expect(!report.text.contains("Deleted"))
        #expect(report.page.contains("marked as deleted"))
    }

    /// A field that is gone, and one that is new and called nearly so, are told together.
    @Test func aRenamedFieldIsToldWithItsNewName() {
        var report = Fixture.report([Fixture.entity("Stop")])
        report.entities[0].unused = [.init(name: "ID", records: 5), .init(name: "note", records: 5)]
        report.found.counts = [.drift: 3]
        report.found.examples = [
            Finding(
                entity: "Stop", identifier: "null", detail: .drift(.missing(member: "id"), field: "id", records: 0),
                at: Fixture.reject(1).at)
        ]
        #expect(report.text.contains("no Stop has id, but ID, which the definition does not use:\n    renamed?"))
        report.entities[0].unused.removeFirst()
        #expect(!report.text.contains("renamed?"))
        // The one that went and the one that came, however they are called.
        report.found.examples[0].isNew = true
        #expect(report.text.contains("but note, which"))
    }

    @Test func fiveOfFiveAreShownWithoutMore() {
        var report = Fixture.report()
        report.found.counts = [.reject: 5]
        report.found.examples = (0..<5).map { Fixture.reject($0) }
        #expect(report.text.contains("is rejected: name: no (and 4 more: 2:3, 3:3, 4:3,\n    5:3)\n"), "\(report.text)")
        #expect(!report.text.contains("…"))
    }

    /// What is wrong with one record does not hide behind what is wrong with many, and the counts add up.
    @Test func eachReasonIsToldOnce() {
        let collector = FindingCollector()
        let reject = { (offset: UInt64, member: String, reason: String) in
            var finding = Fixture.reject(offset)
            finding.detail = .reject(faults: [(member, reason)])
            collector.report(.reject, at: Fixture.key(offset)) { finding }
        }
        for offset in UInt64(0)..<500 {
            reject(offset, "price", "real expected, found the string \"n/a \(offset)\"")
        }
        for offset in UInt64(500)..<503 { reject(offset, "price", "real expected, found an array") }
        for offset in UInt64(503)..<520 { reject(offset, "size\(offset)", "integer expected, found an object") }
        var report = Fixture.report([Fixture.entity("Stop") { $0.rejected = 520 }])
        (report.found.counts, report.found.examples) = (collector.counts, collector.examples)
        report.found.rejectGroups = collector.rejectGroups
        let text = report.text.replacing("\n    ", with: " ")
        #expect(text.contains("520 rejected records:\n"), "\(text)")
        #expect(text.contains("found the string \"n/a 0\" (and 499 more: 2:3, 3:3, 4:3, 5:3, …)"), "\(text)")
        #expect(text.contains("found an array (and 2 more: 502:3, 503:3)"), "\(text)")
        #expect(text.contains("  … and 9 more, for 9 other reasons\n"), "\(text)")
    }

    /// A record with several faults counts for each of them; reasons that are those of the same records stand together.
    @Test(arguments: [false, true]) func eachFaultOfARecordCounts(_ isFewFirst: Bool) {
        let collector = FindingCollector()
        let number = ("n", "integer expected, found the string \"x\"")
        let (day, size) = (("d", "date expected, found the string \"bad\""), ("s", "real expected, found an array"))
        var records: [[(String, String)]] = Array(repeating: [number, day], count: 20)
        records += Array(repeating: [number], count: 10) + Array(repeating: [day], count: 5)
        records += Array(repeating: [size, ("t", "absent")], count: 3)
        if isFewFirst { records.reverse() }
        for (offset, faults) in records.enumerated() {
            var finding = Fixture.reject(UInt64(offset))
            finding.detail = .reject(faults: faults)
            collector.report(.reject, at: Fixture.key(UInt64(offset))) { finding }
        }
        var report = Fixture.report([Fixture.entity("Stop") { $0.rejected = 38 }])
        (report.found.counts, report.found.examples) = (collector.counts, collector.examples)
        report.found.rejectGroups = collector.rejectGroups
        let text = report.text.replacing("\n    ", with: " ")
        let lines = text.split(separator: "\n").filter { $0.contains("is rejected") }
        #expect(lines.count == 3, "\(text)")
        #expect(lines.count { $0.contains(/rejected: n: integer [^;]* \(and 29 more:/) } == 1, "\(text)")
        #expect(lines.count { $0.contains(/rejected: d: date [^;]* \(and 24 more:/) } == 1, "\(text)")
        #expect(lines.count { $0.contains(/rejected: s: [^;]*; t: absent \(and 2 more:/) } == 1, "\(text)")
        #expect(!text.contains("…  and") && !text.contains("  … and"), "\(text)")
        let page = report.page
        #expect(page.contains("And 24 more records for the same reason.") && !page.contains("These are"))
    }

    /// What is not told of faults counts each of them, too.
    @Test func faultsThatAreNotToldAreCounted() {
        let collector = FindingCollector()
        for offset in UInt64(0)..<30 {
            var finding = Fixture.reject(offset)
            let other = (offset < 12 ? "a\(offset)" : "b", "absent")
            finding.detail = .reject(faults: [("n", "absent"), other])
            collector.report(.reject, at: Fixture.key(offset)) { finding }
        }
        var report = Fixture.report([Fixture.entity("Stop") { $0.rejected = 30 }])
        (report.found.counts, report.found.examples) = (collector.counts, collector.examples)
        report.found.rejectGroups = collector.rejectGroups
        #expect(report.text.contains("  … and 4 more, for 4 other reasons\n"), "\(report.text)")
    }

    @Test(arguments: [
        ("integer expected, found the number 1.5", "integer expected, found the number -7e+10"),
        ("text expected, found the string \"a \\\" b\"", "text expected, found the string \"\""),
        ("boolean expected, found true", "boolean expected, found false"),
        ("lists that belong side by side have 3 and 2 values", "lists that belong side by side have 10 and 2 values"),
    ])
    func whatDiffersInValuesIsOneReason(one: String, other: String) {
        #expect(RejectGroups.withoutValues(one) == RejectGroups.withoutValues(other))
        #expect(RejectGroups.withoutValues(one) != RejectGroups.withoutValues("integer expected, found the sha256"))
    }

    /// What is not stored has not been created.
    @Test(arguments: [RunReport.Status.failed, .cancelled]) func nothingIsSaidToBeDoneThatIsNot(
        status: RunReport.Status
    ) {
        let stop = Fixture.entity("Stop") { ($0.records, $0.created, $0.deleted) = (5, 5, 1) }
        var report = Fixture.report([stop], status: status)
        #expect(
            lines(report).dropFirst(3) == [
                "  Entity  Records  To create  To update  Unchanged  Rejected  To delete",
                "  Stop          5          5          0          0         0          1", "",
            ])
        #expect(report.page.contains("<b>5</b> to create") && report.page.contains("<b>1</b> to delete"))
        report.task.commit = .batch
        #expect(report.text.contains("  Created  Updated  ") && report.page.contains("<b>5</b> created"))
    }

    /// What batches have saved is a change.
    @Test func aFailedRunThatSavedBatchesDoesNotSayOtherwise() {
        var report = Fixture.report(status: .failed)
        #expect(report.text.contains("nothing was changed"))
        report.task.commit = .batch
        #expect(!report.text.contains("nothing was changed"))
        #expect(report.exitStatus == 65)
        report.outcome.error = Failure(.busy, "busy")
        #expect(report.exitStatus == 75)
    }
}
