import Testing

@testable import SluiceInit

/// Answers of search engines, and of services that list the keys of what they tell.
@Suite struct DraftSearchAnswerTests {
    private func source(_ row: Int) -> String {
        #"{"title": "T \#(row)", "name": "n\#(row % 4)", "words": \#(row * 31 % 17)}"#
    }

    /// Where a hit sorts says nothing of it.
    @Test func hitsSayWhatTheirSourcesSay() throws {
        let hits = list(20) { row in
            #"{"_index": "news", "_id": "x\#(row * 7919)", "_score": 1.0, "_source": \#(source(row)), "sort": [\#(row)]}"#
        }
        let text = try InitRun.Draft.text(of: #"{"took": 5, "hits": {"total": {"value": 20}, "hits": \#(hits)}}"#)
        #expect(text.contains(#""identifier": "_id""#), "\(text)")
        #expect(text.contains(#""title": { "type": "text", "from": "_source.title" }"#), "\(text)")
    }

    /// A line says what is done with the next one.
    @Test func linesInPairsAreTold() throws {
        let lines = (0..<20).map { row in
            #"{"index": {"_index": "news", "_id": "x\#(row * 7919)"}}"# + "\n" + source(row)
        }
        let text = unfolded(try InitRun.Draft.text(of: lines.joined(separator: "\n"), "bulk.ndjson"))
        #expect(text.contains(#"lines with "index" and what they are about take turns"#), "\(text)")
        let plain = try InitRun.Draft.text(of: (0..<20).map(source).joined(separator: "\n"), "plain.ndjson")
        #expect(!plain.contains("take turns"), "\(plain)")
    }

    /// As PubMed has summaries: the list beside them has their keys.
    @Test func aListOfTheKeysIsNoneOfTheObjects() throws {
        let uids = (0..<12).map { "\(30_000_001 + $0 * 7919)" }
        let told = uids.map { #""\#($0)": {"uid": "\#($0)", "title": "T \#($0)", "lang": ["eng"]}"# }
        let (text, report) = try InitRun.Draft.run(
            of: #"{"header": {"version": "0.3"}, "result": {"uids": ["\#(uids.joined(separator: "\", \""))"], "#
                + told.joined(separator: ", ") + "}}")
        #expect(text.contains(#""records": "$.result.*""#) && text.contains(#""identifier": "uid""#), "\(text)")
        #expect(report.entities.map(\.counts.created) == [12], "\(text)")
    }
}
