import Foundation
import Testing

@testable import Sluice
@testable import SluiceInit
@testable import SluiceRecords

/// Lines of a sequence that are no values: what is left is drafted, and a run takes it.
@Suite struct DraftBrokenLineTests {
    private static let lines = (1...30).map { #"{"id": \#($0), "name": "nä\#($0)"}"# }

    /// A line that was cut, at the end or within a character, and others between values.
    @Test(arguments: [[#"{"id": 31, "na"#], ["oops"], [#"{"id": 31,,}"#, "}"], [#"{"id": 31} x"#]])
    func brokenLinesAreRejects(_ broken: [String]) throws {
        for place in [0, 17, 30] {
            let lines = Self.lines[..<place] + broken + Self.lines[place...]
            let (text, report) = try InitRun.Draft.run(of: lines.joined(separator: "\n"), "feed.ndjson")
            #expect(text.contains(#""identifier": "id""#), "\(text)")
            #expect(text.contains(#""limits": { "rejects": \#(broken.count) }"#), "\(text)")
            #expect(unfolded(text).contains("in line \(place + 1), the line is no JSON"), "\(text)")
            #expect(report.entities.map(\.counts.rejected) == [broken.count], "\(text)")
        }
    }

    /// Other letters stay what they are.
    @Test func aCharacterMayBeCut() throws {
        let folder = FeedFolder()
        try folder.write("days/1.ndjson", Self.lines.joined(separator: "\n"))
        let bytes = Data(Self.lines.joined(separator: "\n").utf8) + Data([0x0a, 0x7b, 0x22, 0xc3])
        try bytes.write(to: URL(filePath: folder.file("days/2.ndjson")))
        let text = unfolded(try folder.draft(["days/*.ndjson"]).text)
        #expect(text.contains("1 line is no value: in line 31 of ") && text.contains("2.ndjson, the line"), "\(text)")
        #expect(!text.contains("windows-1252") && text.contains("{ 60 records"), "\(text)")
    }

    /// A run fails with them where values hold lists of records, and where most lines are none there is no feed.
    @Test func whatARunDoesNotTakeIsTold() throws {
        let lists = (1...30).map { #"{"id": \#($0), "parts": [{"sku": "a\#($0)"}, {"sku": "b\#($0)"}]}"# } + ["{"]
        let text = unfolded(try InitRun.Draft.text(of: lists.joined(separator: "\n"), "feed.ndjson"))
        #expect(text.contains("A run fails with this line") && !text.contains("limits"), "\(text)")
        let few = Self.lines[..<5] + ["x", "y"]
        let failure = #expect(throws: Failure.self) {
            try InitRun.Draft.text(of: few.joined(separator: "\n"), "feed.ndjson")
        }
        #expect(failure?.message.contains("`x` is not JSON") == true, "\(String(describing: failure))")
    }

    /// Each entity over the rows of a table has a reject for a row that is none.
    @Test func limitsAllowARejectForEachEntity() throws {
        let rows = (1...40).map { "\($0),\($0 % 4),C\($0 % 4),\($0)" }
        let table = (["id,country_id,country,pop"] + rows + ["41,1"]).joined(separator: "\n")
        let (text, report) = try InitRun.Draft.run(of: table, "towns.csv")
        #expect(text.contains(#""limits": { "rejects": 2 }"#), "\(text)")
        #expect(report.entities.map(\.counts.rejected) == [1, 1])
    }
}
