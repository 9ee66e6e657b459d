import ReportSupport
import SluiceDefinition
import SluiceRecords
import Testing

@testable import SluiceReport

/// What a report leaves out, and what never: where a screen is short, and where there is none.
@Suite struct CutReportTests {
    /// A reject of a record somewhere in the feed.
    private func reject(
        _ entity: String, _ path: String, _ offset: UInt64, _ member: String, _ reason: String
    ) -> Finding {
        var position = RecordPosition()
        (position.offset, position.line, position.column) = (offset, 1, offset + 1)
        return Finding(
            entity: entity, identifier: "null", detail: .reject(faults: [(member, reason)]),
            at: FeedPosition(position, path: path))
    }

    private func collected(_ findings: [Finding], into report: inout RunReport) {
        let collector = FindingCollector()
        collector.exceeded = report.outcome.exceeded
        for finding in findings { collector.report(finding.kind, at: finding.at.position) { finding } }
        (report.found.counts, report.found.examples) = (collector.counts, collector.examples)
        report.found.rejectGroups = collector.rejectGroups
    }

    /// Legs that follow from a consignment without a number, of which there are more.
    private var night: RunReport {
        var entities = ["Consignment", "Leg"].map { Fixture.entity($0) { $0.rejected = 2 } }
        entities += (0..<30).map { Fixture.entity("Other\($0)") }
        var report = Fixture.report(entities, status: .failed)
        report.outcome.exceeded = [ExceededLimit(.rejects, entity: nil, allowed: 2, found: 4)]
        let null = "identifier, but null"
        collected(
            [
                reject("Leg", "$.list[5].legs[0]", 50, "consignment", null),
                reject("Leg", "$.list[5].legs[1]", 60, "consignment", null),
                reject("Consignment", "$.list[5]", 40, "no", null),
                reject("Consignment", "$.list[9]", 90, "created", "datetime expected, found the string \"soon\""),
            ], into: &report)
        return report
    }

    @Test(arguments: [false, true]) func noReasonForAFailureIsHidden(_ isPast: Bool) throws {
        var report = night
        if isPast { report = try #require(RunReport(json: report.json, sources: nil)) }
        let text = report.text(colours: false, isPast: isPast, fitsScreen: true).replacing("\n    ", with: " ")
        let told = text.split(separator: "\n").filter { $0.contains(" is rejected: ") }
        #expect(told.count == 3, "\(text)")
        #expect(told.map { $0.contains("Consignment") } == [true, true, false], "\(text)")
        #expect(told.last?.contains("Leg") == true)
    }

    /// A mail has no screen: all that a report names is there.
    @Test func nothingIsCutWithoutAScreen() {
        var report = Fixture.report((0..<30).map { Fixture.entity("Other\($0)") })
        collected(
            (0..<14).map { reject("Other1", "$.list[\($0)]", $0, "member\($0)", "integer expected, found an object") },
            into: &report)
        #expect(report.text.components(of: "is rejected") == 10, "\(report.text)")
        let cut = report.text(colours: false, fitsScreen: true)
        #expect(cut.components(of: "is rejected") < 10 && cut.contains("other reasons"), "\(cut)")
    }

    /// The file that has all findings is named, and who sees the report later knows that others may have come.
    @Test func whereAllFindingsAreIsSaid() throws {
        var report = night
        for offset in UInt64(200)..<230 {
            report.found.examples.append(reject("Leg", "$", offset, "n\(offset)", "absent"))
        }
        report.found.counts[.reject] = report.found.examples.count
        report.found.rejectGroups = RejectGroups.grouped(report.found.examples, [])
        report.task.findings = "findings/2026-11-30.ndjson"
        #expect(report.text.contains("(Of what is cut here, findings/2026-11-30.ndjson has all, --report FILE more.)"))
        let read = try #require(RunReport(json: report.json, sources: nil))
        #expect(read.task.findings == "findings/2026-11-30.ndjson")
        let past = report.text(colours: false, isPast: true).replacing("\n  ", with: " ")
        #expect(past.contains("--report FILE shows more; the run wrote all to findings/2026-11-30.ndjson.)"), "\(past)")
    }

    /// Nobody counts columns in a line that is a whole feed.
    @Test func aPlaceInALongLineHasItsPath() {
        var report = Fixture.report([Fixture.entity("Leg")])
        let reason = "absent"
        collected(
            [
                reject("Leg", "$.list[5]", 4605, "n", reason), reject("Leg", "$.list[6]", 4705, "n", reason),
                reject("Leg", "$.list[0]", 30, "m", reason), reject("Leg", "$", 900, "k", reason),
            ], into: &report)
        let text = report.text.replacing("\n    ", with: " ")
        #expect(text.contains("feed.json:1:4606 ($.list[5]): Leg is rejected: n: absent (and 1 more: $.list[6])"))
        #expect(text.contains("feed.json:1:31: Leg") && text.contains("feed.json:1:901: Leg"), "\(text)")
    }

    /// A field for which the run fails comes before others that are new, and is never behind a number.
    @Test func theFieldThatFailsIsShown() throws {
        var report = Fixture.report((0..<30).map { Fixture.entity("Other\($0)") }, status: .failed)
        var limit = ExceededLimit(.missing, entity: "Other1", allowed: 0, found: 1)
        limit.fields = [.init(entity: "Other1", field: "f7")]
        report.outcome.exceeded = [limit]
        report.found.examples = (0..<9).map { number in
            var finding = Finding(
                entity: "Other1", identifier: "null",
                detail: .drift(.missing(member: "f\(number)"), field: "f\(number)", records: 0),
                at: Fixture.reject(1).at)
            finding.isNew = number != 7
            return finding
        }
        report.found.counts = [.drift: 9]
        let text = report.text(colours: false, fitsScreen: true)
        let sentence = text.replacing("\n  ", with: " ")
        #expect(sentence.contains("there is 1: f7 ("), "\(text)")
        #expect(text.contains(":\n  feed.json:2:3: no Other1 has f7\n"), "\(text)")
        let read = try #require(RunReport(json: report.json, sources: nil))
        #expect(read.outcome.exceeded.first?.fields == limit.fields)
    }
}

extension String {
    /// How often a text stands in it.
    fileprivate func components(of text: String) -> Int { ranges(of: text).count }
}
