import ReportSupport
import SluiceDefinition
import SluiceRecords
import Testing

@testable import Sluice
@testable import SluiceReport

/// What the ledger keeps as text is read as it was written.
struct LedgerTextTests {
    private let odd = "a \"quoted\" \\ name\u{0}\n/ü😀"

    @Test func sources() throws {
        let input = FeedInput(source: Source(name: odd, location: .file(odd)), location: odd, files: [odd, "b"])
        var sources = LedgerSources([input])
        #expect(sources.sources[0].sizes == nil)
        #expect(LedgerSources(json: sources.json) == sources)
        sources.sources[0].sizes = [0, .max]
        sources.add([.init(name: odd, location: odd, bytes: 5, values: 2, sha256: "abc")])
        #expect(sources.sources[0].bytes == 5)
        #expect(LedgerSources(json: sources.json) == sources)
        #expect(LedgerSources(json: "7") == nil)
        #expect(LedgerSources(json: "{") == nil)
    }

    @Test func archiveEntries() {
        let entry = ArchiveEntry(directory: odd, sources: [(odd, ["a", odd]), ("none", [])])
        #expect(ArchiveEntry(json: entry.json) == entry)
        #expect(ArchiveEntry(json: "[]") == nil)
    }

    /// A report of every kind of finding, with all of their parts.
    @Test func reports() throws {
        var report = Fixture.report(
            [
                Fixture.entity("Stop", ["parent", "line"]) { counts in
                    counts.records = 15
                    counts.created = 1
                    counts.updated = 2
                    counts.unchanged = 3
                    counts.rejected = 4
                    counts.skipped = 5
                    counts.deleted = 6
                    counts.stubs = 7
                    counts.identical = 8
                    counts.conflicting = 9
                    counts.relationships[1].resolved = 10
                    counts.relationships[1].unresolved = 11
                    counts.relationships[1].null = 12
                    counts.relationships[0].late = 13
                }
            ], status: .failed)
        report.outcome.error = Failure(
            .data, odd, at: Failure.Place(file: odd, line: 7, column: 8, offset: 9))
        report.outcome.exceeded = [
            ExceededLimit(.rejects, entity: nil, allowed: 0, found: 1),
            ExceededLimit(.unresolved, entity: odd, allowed: 1, found: 2),
        ]
        report.task.isReplay = true
        report.task.replaysRejects = true
        report.cache = .init(objects: 1, bytes: 2, peakBytes: 3, limit: 4)
        report.sources = [.init(name: "main", location: odd, bytes: 1, values: 2, sha256: "abc")]
        var wire = RunReport.WireFacts(name: odd)
        (wire.requests, wire.bytes, wire.notModified, wire.kept) = (1, 2, 3, 4)
        wire.retries = [(odd, 5), ("b", 6)]
        (wire.retrySeconds, wire.rateSeconds, wire.serviceSeconds) = (0.5, 1.25, 2)
        report.wire = [wire, .init(name: "other")]
        report.found.feeds = [
            Feed(source: "main", location: "m-*", files: ["m-1", "m-2"]),
            Feed(source: "other", location: "o", files: ["o"]),
        ]
        report.found.counts = [.unmatched: 2, .reject: 3, .drift: 3, .duplicate: 2, .unresolved: 1]
        var whole = Fixture.reject(3, source: 1)
        whole.record = .whole(#"{"a":[1.0,"x"]}"#)
        whole.context = [("$.a", "1"), (odd, "null")]
        var long = Fixture.reject(4)
        long.record = .tooLong(70000)
        long.identifier = "[1, \"b\"]"
        var first = finding(.duplicate(conflicting: true, differs: ["a", odd]))
        first.first = FirstPosition(Fixture.key(1), record: 5)
        report.found.examples = [
            whole, long, first, finding(.unresolved(relationship: odd, targets: ["A", "B"], value: "[7, \"x\"]")),
            finding(.drift(.unknown, field: odd, records: 7)),
            finding(.drift(.missing(member: odd), field: "x", records: 0)),
            finding(.drift(.repeated, field: "x", records: 1)), finding(.unmatched(.condition, path: odd)),
            Finding(
                entity: nil, identifier: "null", detail: .unmatched(.next, path: "$.next"),
                at: FeedPosition(RecordPosition(), path: "$")),
        ]
        let again = try #require(RunReport(json: report.json, sources: nil))
        #expect(again.json == report.json)
        #expect(again.found.examples.count == 9)
        #expect(again.wire.count == 2 && again.wire[0].retries.count == 2 && again.wire[0].rateSeconds == 1.25)
    }

    @Test func identicalDuplicatesAndReportsThatFailedEarly() throws {
        var report = Fixture.report()
        report.run = nil
        report.outcome.error = Failure(.missing, "gone")
        report.found.examples = [finding(.duplicate(conflicting: false, differs: []))]
        let sources = LedgerSources([
            FeedInput(source: Source(name: "main", location: .file("f")), location: "f", files: ["f"])
        ])
        let again = try #require(RunReport(json: report.json, sources: sources))
        #expect(again.json == report.json)
        #expect(again.found.examples[0].at.text(again.found.feeds) == "f:1:1")
        #expect(RunReport(json: "{}", sources: nil) == nil)
    }

    /// Whichever pages the examples are of, and in whatever order.
    @Test func pagesKeepTheirNumbers() throws {
        var report = Fixture.report()
        report.found.feeds = [Feed(source: "main", location: "http://x/books", files: [], isPaged: true)]
        report.found.examples = [4, 0, 2].map { page in
            var position = RecordPosition()
            (position.file, position.line, position.column) = (UInt32(page), 7, 3)
            return Finding(
                entity: odd, identifier: "null", detail: .drift(.repeated, field: "x", records: 1),
                at: FeedPosition(position, path: "$.x"))
        }
        let sources = try #require(
            LedgerSources(json: #"{ "main": { "location": "http://x/books", "files": [], "paged": true } }"#))
        let again = try #require(RunReport(json: report.json, sources: sources))
        #expect(again.json == report.json)
        let places = again.found.examples.map { $0.at.text(again.found.feeds) }
        #expect(places == [5, 1, 3].map { "http://x/books (page \($0)):7:3" })
    }

    private func finding(_ detail: Finding.Detail) -> Finding {
        Finding(entity: odd, identifier: "null", detail: detail, at: FeedPosition(RecordPosition(), path: "$.x"))
    }

    @Test(arguments: ["2026-11-20T02:00:00Z", "1999-12-31T23:59:59Z", "2000-02-29T00:00:00Z"])
    func times(_ text: String) throws {
        #expect(try #require(Timestamp(text: text)).text == text)
        #expect(Timestamp.minutes(of: text) == "\(text.prefix(10)) \(text.dropFirst(11).prefix(5))")
    }

    @Test(arguments: ["", "2026-11-20", "2026-11-20T02:00:00+1", "20XX-11-20T02:00:00Z"])
    func noTimes(_ text: String) { #expect(Timestamp(text: text) == nil) }
}
