import Testing

@testable import Sluice
@testable import SluiceInit
@testable import SluiceRecords

/// Files and answers that are a record each.
@Suite struct DraftAnswerTests {
    /// Icons as a folder has them, which nothing but their files names, and what these name in another folder.
    @Test func filesAreRecordsOfTheirLists() throws {
        let folder = FeedFolder()
        for (number, icon) in ["airplay", "album", "alarm", "axe", "ball"].enumerated() {
            let aliases = number > 2 ? #","aliases":[{"name":"old-\#(icon)","deprecated":true}]"# : ""
            let kind = number % 2 == 0 ? "text" : "devices"
            try folder.write(
                "icons/\(icon).json",
                #"{"$schema":"../icon.json","tags":["t\#(number)","u"],"categories":["\#(kind)","design"]\#(aliases)}"#)
        }
        for name in ["text", "design", "devices"] {
            try folder.write("categories/\(name).json", #"{"title":"\#(name.uppercased())","icon":"\#(name)-icon"}"#)
        }
        let draft = try folder.draft(["icons/*.json", "categories/*.json"])
        let report = PipelineRun(checked: try draft.definition(), options: RunOptions()).perform()
        #expect(report.outcome.status == .succeeded)
        let counts = Dictionary(uniqueKeysWithValues: report.entities.map { ($0.name, $0.counts.created) })
        #expect(counts == ["Icon": 5, "Alias": 2, "Category": 3], "\(draft.text)")
        let stem = #""from": "$file", "match": "(.+)\\.json$""#
        #expect(draft.text.contains(#""file": { "type": "text", \#(stem) }"#), "\(draft.text)")
        #expect(draft.text.contains(#""categories": { "to": "Category", "from": "categories[*]", "many": true }"#))
        #expect(report.entities.flatMap(\.counts.relationships).allSatisfy { $0.unresolved == 0 }, "\(draft.text)")
    }
}
