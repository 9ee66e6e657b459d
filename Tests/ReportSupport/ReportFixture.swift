import SluiceRecords
import SluiceReport

/// Findings and reports for tests.
package enum Fixture {
    package static func key(_ offset: UInt64, source: Int = 0) -> RecordPositionKey {
        var position = RecordPosition()
        position.source = UInt16(source)
        position.offset = offset
        return RecordPositionKey(position)
    }

    /// A reject at an offset; its line is the offset plus one.
    package static func reject(_ offset: UInt64, source: Int = 0, _ reason: String = "no") -> Finding {
        var position = RecordPosition()
        position.source = UInt16(source)
        position.offset = offset
        position.line = offset + 1
        position.column = 3
        return Finding(
            entity: "Stop", identifier: "\"s\(offset)\"", detail: .reject(faults: [("name", reason)]),
            at: FeedPosition(position, path: "$.stops[\(offset)]"))
    }

    package static func report(_ entities: [RunReport.EntityFacts] = [], status: RunReport.Status = .succeeded)
        -> RunReport
    {
        let now = Timestamp.now
        var report = RunReport(
            .init(pipeline: "p", store: "p.sqlite", commit: .run), run: 7, status: status, started: now, finished: now)
        report.entities = entities
        report.found.feeds = [Feed(source: "main", location: "feed.json", files: ["feed.json"])]
        return report
    }

    package static func entity(
        _ name: String, _ relationships: [String] = [], _ change: (inout EntityCounts) -> Void = { _ in }
    ) -> RunReport.EntityFacts {
        var counts = EntityCounts(relationships: relationships.count)
        change(&counts)
        return .init(name: name, relationships: relationships, counts: counts)
    }
}
