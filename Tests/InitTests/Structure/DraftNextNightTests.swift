import Testing

@testable import Sluice
@testable import SluiceDefinition
@testable import SluiceInit

/// A draft on the night after: what all records have today may be null in one of them.
@Suite struct DraftNextNightTests {
    /// The counts of what a second feed makes of the draft of a first one.
    private func later(_ first: String, _ second: String) throws -> (text: String, report: RunReport) {
        let folder = FeedFolder()
        try folder.write("feed.json", first)
        let draft = try folder.draft(["feed.json"])
        for feed in [first, second] {
            try folder.write("feed.json", feed)
            let report = PipelineRun(checked: try draft.definition(), options: RunOptions()).perform()
            #expect(report.outcome.status == .succeeded, "\(report.outcome) of \(draft.text)")
            if feed == second { return (draft.text, report) }
        }
        throw CancellationError()
    }

    private func task(_ row: Int, creator: String? = nil) -> String {
        let user = { #"{"id": \#(900 + $0), "login": "u\#($0)", "email": "u\#($0)@x.org", "color": "c\#($0)"}"# }
        let creator = creator ?? user(row % 5)
        return #"{"id": \#(row), "title": "T\#(row)", "helpers": [\#(user(row % 3))], "creator": \#(creator)}"#
    }

    @Test func anObjectIsNullOneNight() throws {
        let (text, report) = try later(
            list(40) { task($0) }, list(40) { task($0, creator: $0 == 3 ? "null" : nil) })
        #expect(report.entities.allSatisfy { $0.counts.rejected == 0 }, "\(text)")
        #expect(text.contains(#""where": { "id": { "present": true } }"#), "\(text)")
    }

    @Test func anObjectThatStandsInOneMemberIsNullOneNight() throws {
        let team = { (row: Int) in #""team": {"id": \#(row % 3), "name": "T\#(row % 3)"}"# }
        let (text, report) = try later(
            list(40) { #"{"id": \#($0), \#(team($0))}"# },
            list(40) { $0 == 7 ? #"{"id": 7, "team": null}"# : #"{"id": \#($0), \#(team($0))}"# })
        #expect(report.entities.map(\.counts.rejected) == [0, 0], "\(text)")
    }
}
