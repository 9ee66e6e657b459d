import Testing

@testable import Sluice
@testable import SluiceInit
@testable import SluiceRecords

/// Files of a pattern without records, and feeds without any.
@Suite struct DraftEmptyFileTests {
    private let folder = FeedFolder()

    private func write(_ name: String, _ first: Int) throws {
        try folder.write(name, list(3) { #"{"id": \#(first + $0), "name": "n\#(first + $0)"}"# })
    }

    /// A day without records is of the shape of the others.
    @Test(arguments: ["[]", " [ ] \n"])
    func anEmptyFileIsOneOfItsPattern(_ empty: String) throws {
        for day in 1...3 { try write("days/d\(day).json", day * 10) }
        try folder.write("days/d4.json", empty)
        let text = unfolded(try folder.draft(["days/*.json"]).text)
        #expect(text.contains(#"/days/*.json" }"#), "\(text)")
        #expect(text.contains("The 4 files of") && text.contains("d4.json holds no records today."), "\(text)")
        #expect(text.contains("9 records"), "\(text)")
    }

    @Test func oneOfTwoFilesMayBeEmpty() throws {
        try folder.write("days/a.json", #"{"page": 1, "items": []}"#)
        try folder.write("days/b.json", #"{"page": 1, "items": [{"id": 1, "n": "x"}, {"id": 2, "n": "y"}]}"#)
        let text = try folder.draft(["days/*.json"]).text
        #expect(text.contains(#"/days/*.json" }"#), "\(text)")
    }

    /// What has other members is of another shape, though nothing is in its lists.
    @Test func anEmptyFileOfAnotherShapeIsNone() throws {
        for day in 1...3 { try write("days/d\(day).json", day * 10) }
        try folder.write("days/other.json", #"{"errors": []}"#)
        let text = try folder.draft(["days/*.json"]).text
        #expect(text.contains(#"/days/d*.json" }"#) && text.contains(#"/days/other.json" }"#), "\(text)")
    }

    /// Empty sequences and tables are none of them a mistake, and runs take them.
    @Test func emptySequencesAndTablesAreOfTheirPattern() throws {
        for day in 1...3 {
            try folder.write("lines/d\(day).ndjson", day == 1 ? "" : "{\"id\": \(day), \"n\": \"x\(day)\"}\n")
            try folder.write("rows/d\(day).csv", day == 1 ? "" : day == 2 ? "id,n\n" : "id,n\n1,x\n2,y\n")
        }
        let lines = try folder.draft(["lines/*.ndjson"]).text
        #expect(lines.contains(#"/lines/*.ndjson" }"#), "\(lines)")
        #expect(lines.contains("// 2 records"), "\(lines)")
        let rows = try folder.draft(["rows/*.csv"]).text
        #expect(rows.contains(#"/rows/*.csv" }"#), "\(rows)")
        #expect(rows.contains(#""id": "integer""#) && rows.contains("// 2 records"), "\(rows)")
    }

    /// A feed without records is told to be one, and what was expected.
    @Test(arguments: [
        ("feed.json", "", "the feed is empty: a JSON value was expected"),
        ("feed.json", "[]", "holds an empty list, where records were expected"),
        ("feed.json", #"{"items": []}"#, "holds objects and lists without a value, where records were expected"),
        ("feed.ndjson", "", "is empty: values were expected, one in each line"),
        ("feed.ndjson", "\n \n", "is empty: values were expected, one in each line"),
    ])
    func aFeedWithoutRecordsIsRefused(_ name: String, _ text: String, _ message: String) throws {
        let failure = try #require(throws: Failure.self) { try InitRun.Draft.text(of: text, name) }
        #expect(failure.kind == .data && failure.message.contains(message), "\(failure)")
    }

    /// Each file says again what is at the positions of its records.
    @Test(arguments: ["named", "first"])
    func filesOfTablesNameTheirColumns(_ way: String) throws {
        for day in 1...3 {
            let rows = list(4) { #"["S\#(day)\#($0)", \#(day * 10 + $0), "x"]"# }.dropFirst()
            let names = #"["name", "population", "kind"]"#
            let feed = way == "first" ? "[\(names), \(rows)" : #"{"fields": \#(names), "data": [\#(rows)}"#
            try folder.write("days/d\(day).json", feed)
        }
        let draft = try folder.draft(["days/*.json"])
        let columns = way == "first" ? #"{ "$[0][*]": "# : #"{ "$.fields[*]": "#
        #expect(draft.text.contains(#""columns": \#(columns)["name", "population", "kind"] }"#), "\(draft.text)")
        #expect(draft.text.contains(#""identifier": "name""#) && draft.text.contains("// 12 records"), "\(draft.text)")
        let report = PipelineRun(checked: try draft.definition(), options: RunOptions()).perform()
        #expect(report.entities.map(\.counts.created) == [12], "\(draft.text)")
    }

    /// Where the files differ in what is at the positions, no source is one for all of them.
    @Test func columnsThatDifferAreNotDrafted() throws {
        for day in 1...3 {
            let rows = list(4) { #"["S\#(day)\#($0)", \#(day * 10 + $0)]"# }
            try folder.write("days/d\(day).json", #"{"fields": ["name", "n\#(day % 2)"], "data": \#(rows)}"#)
        }
        let text = try folder.draft(["days/*.json"]).text
        #expect(!text.contains(#""columns""#) && text.contains("column0"), "\(text)")
    }
}
