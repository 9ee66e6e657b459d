import ReportSupport
import SluiceDefinition
import SluiceReport
import SluiceSchema
import Testing

/// What the modules below Report read of a report is there in one that Report writes.
@Suite struct ReportMarksTests {
    @Test(arguments: [false, true]) func areInTheReport(areSet: Bool) throws {
        var report = Fixture.report()
        (report.task.isReplay, report.task.isFull) = (areSet, areSet)
        report.task.commit = areSet ? .batch : .run
        #expect(ReportMarks.isReplay(report.json) == areSet)
        #expect(ReportMarks.isFull(report.json) == areSet)
        #expect(ReportMarks.savesBatches(report.json) == areSet)
        let looked = try #require(ReportMarks.isNoReplay.split(separator: "%").dropFirst().first)
        #expect(report.json.contains(looked) == !areSet)
    }
}
