import Foundation
import SluiceRecords
import Testing

@testable import Sluice
@testable import SluiceInit

/// Records that are lists, each position of which has a meaning.
@Suite struct DraftPositionTests {
    /// The draft of a feed, and how many objects its run creates.
    private func draft(_ feed: String, _ name: String = "feed.json") throws -> (text: String, created: [Int]) {
        let (text, report) = try InitRun.Draft.run(of: feed, name)
        return (text, report.entities.map { $0.counts.created })
    }

    private func rows(_ count: Int) -> String {
        (0..<count).map { #"["S\#($0)", \#($0 % 3), \#($0).5, null, true]"# }.joined(separator: ",")
    }

    @Test func positionsAreAttributes() throws {
        let (text, created) = try draft("[\(rows(9))]")
        #expect(text.contains(#""records": "$[*]""#) && text.contains(#""identifier": "column0""#), "\(text)")
        #expect(text.contains(#""column2": { "type": "real", "from": "[2]" }"#), "\(text)")
        #expect(text.contains(#""column3": { "type": "text", "from": "[3]" },  // always null"#), "\(text)")
        #expect(created == [9])
    }

    @Test(arguments: [
        #""columns": ["id", "line", "size", "note", "open"]"#,
        #""meta": {"fields": [{"name": "id"}, {"name": "line"}, {"name": "size"}, {"name": "note"}, {"name": "open"}]}"#,
    ])
    func whatTheFeedCallsPositionsTheyAreCalled(_ titles: String) throws {
        let (text, created) = try draft("{\(titles), \"data\": [\(rows(9))]}")
        #expect(text.contains(#""identifier": "id""#), "\(text)")
        #expect(text.contains(#""size": { "type": "real", "from": "[2]" }"#), "\(text)")
        #expect(created.contains(9), "\(text)")
    }

    /// Numbers alone are records where the feed names as many positions, above them or below: without names, they may
    /// be places on a map.
    @Test(arguments: [9, 1200])
    func numbersWithNamesAreRecords(count: Int) throws {
        let lists = (0..<count).map { "[\(1000 + $0 * 3), \($0 % 7), \($0 % 50).5, \($0 % 2)]" }
        let rows = lists.joined(separator: ",")
        let names = #""columns": ["id", "amount", "price", "active"]"#
        for feed in [#"{\#(names), "data": [\#(rows)]}"#, #"{"data": [\#(rows)], \#(names)}"#] {
            let (text, created) = try draft(feed)
            #expect(text.contains(#""identifier": "id""#) && text.contains(#""price": { "type": "decimal""#), "\(text)")
            #expect(created == [count], "\(text)")
        }
        let text = try InitRun.Draft.text(of: #"{"path": [\#(rows)], "points": [{"id": 1}, {"id": 2}]}"#)
        #expect(!text.contains("column0"), "\(text)")
    }

    @Test func textsThatAreNotAsManyAsPositionsAreNoNames() throws {
        let (text, _) = try draft(#"{"columns": ["id", "line"], "data": [\#(rows(9))]}"#)
        #expect(text.contains(#""identifier": "column0""#), "\(text)")
    }

    @Test(arguments: [#""a""#, #"7"#])
    func aFirstListOfNamesIsNoRecord(_ value: String) throws {
        let states = (0..<9).map { #"["State \#($0)", \#(value == "7" ? "\($0)" : "\"\($0)\""), "x\#($0 % 2)"]"# }
        let (text, created) = try draft(#"[["name", "population", "kind"], \#(states.joined(separator: ","))]"#)
        #expect(text.contains(#""where": { "not": { "~": 0 } }"#), "\(text)")
        #expect(text.contains("the first list names the columns"), "\(text)")
        #expect(text.contains(#""population": "#) && text.contains(#""identifier": "name""#), "\(text)")
        #expect(created == [9])
    }

    /// Nothing tells names from other texts.
    @Test func aFirstListOfTextsAmongTextsIsARecord() throws {
        let states = (0..<9).map { #"["State \#($0)", "y\#($0)", "x\#($0 % 2)"]"# }
        let (text, created) = try draft(#"[["name", "place", "kind"], \#(states.joined(separator: ","))]"#)
        #expect(!text.contains("where"), "\(text)")
        #expect(created == [10])
    }

    /// As a spreadsheet leaves out the cells at the end of a row that are empty.
    @Test func listsUnderAHeaderMayBeShorter() throws {
        let rows = (0..<9).map { #"["N\#($0)", \#($0)\#($0 % 3 == 0 ? "" : ", true")]"# }
        let (text, created) = try draft(#"{"values": [["name", "age", "member"], \#(rows.joined(separator: ","))]}"#)
        #expect(text.contains(#""member": { "type": "boolean", "from": "[2]" }  // absent in 3"#), "\(text)")
        #expect(created == [9])
    }

    /// The lists of several keys are one entity; with a header in one of them, each is its own, and none loses a
    /// record.
    @Test(arguments: [false, true])
    func listsInAMapAreRecords(_ hasHeader: Bool) throws {
        let years = (2010..<2014).map { year in
            let header = hasHeader && year == 2010 ? #"["station", "rain"], "# : ""
            return #""\#(year)": [\#(header)\#((0..<6).map { #"["S\#($0)", \#($0 * 3)]"# }.joined(separator: ","))]"#
        }
        let (text, created) = try draft("{\(years.joined(separator: ","))}")
        #expect(text.contains(#""records": "$.*[*]""#) != hasHeader, "\(text)")
        #expect(created == (hasHeader ? [6, 6, 6, 6] : [24]), "\(text)")
    }

    @Test func aHeaderAndTheListThatItIsAbout() throws {
        let records = (0..<9).map { #"{"id": "r\#($0)", "size": \#($0)}"# }.joined(separator: ",")
        let (text, created) = try draft(#"[{"page": 1, "total": 9}, [\#(records)]]"#)
        #expect(text.contains(#""records": "$[1][*]""#) && text.contains(#""identifier": "id""#), "\(text)")
        #expect(text.replacing("\n//", with: "").contains("no entity: [0].page, [0].total."), "\(text)")
        #expect(created == [9])
    }

    @Test func aHeaderAndAListOfLists() throws {
        let (text, created) = try draft(#"[{"page": 1}, [\#(rows(9))]]"#)
        #expect(text.contains(#""records": "$[1][*]""#) && text.contains(#""from": "[2]""#), "\(text)")
        #expect(created == [9])
    }

    @Test func listsInRecordsBelongToThem() throws {
        let series = (0..<4).map { one in
            let values = (0..<5).map { #"[\#(1_700_000_000 + $0), "\#($0 * one)"]"# }.joined(separator: ",")
            return #"{"name": "s\#(one)", "values": [\#(values)]}"#
        }
        let (text, created) = try draft("[\(series.joined(separator: ","))]")
        #expect(text.contains(#""records": "$[*].values[*]""#), "\(text)")
        #expect(text.contains(#"_name", "column0"]"#), "what identifies the series, and the time: \(text)")
        #expect(created == [4, 20])
    }

    @Test func whatIsAmongListsAndNoneIsLeftOut() throws {
        let (text, created) = try draft(#"[["a", 1], null, ["b", 2], ["c", 1], 7]"#)
        #expect(text.contains(#""where": { "[0]": { "present": true } }"#), "\(text)")
        #expect(created == [3])
    }

    @Test func theLinesOfASequenceAreRecords() throws {
        let lines = (0..<9).map { #"["S\#($0)", \#($0 % 3)]"# }
        let (text, created) = try draft(lines.joined(separator: "\n"), "feed.ndjson")
        #expect(text.contains(#""records": "$""#) && text.contains(#""from": "[1]""#), "\(text)")
        #expect(created == [9])
    }

    /// Coordinates, and words, stay what they are.
    @Test(arguments: ["[[7.1, 50.2], [7.2, 50.4], [7.3, 50.1]]", #"[["a", "b"], ["c", "d"], ["e", "f"]]"#])
    func listsOfOneKindInRecordsAreValues(_ value: String) throws {
        let records = (0..<9).map { #"{"id": "r\#($0)", "line": \#(value)}"# }.joined(separator: ",")
        let (text, created) = try draft("[\(records)]")
        #expect(text.contains(#""line": "json""#), "\(text)")
        #expect(created == [9])
    }

    @Test func referencesInListsAreFound() throws {
        let stops = (0..<9).map { #"{"id": "S\#($0)", "name": "n\#($0)"}"# }.joined(separator: ",")
        let calls = (0..<40).map { #"["C\#($0)", \#($0), "S\#($0 % 9)"]"# }.joined(separator: ",")
        let (text, _) = try draft(
            #"{"stops": [\#(stops)], "fields": ["id", "sequence", "stop_id"], "calls": [\#(calls)]}"#)
        #expect(text.contains(#""stop": { "to": "Stop", "from": "[2]" }"#), "\(text)")
    }

    /// Seconds with a fraction are times, and tell the samples of a series apart.
    @Test func secondsWithAFractionIdentify() throws {
        let series = { (first: Int) in
            list(8) { series in
                let samples = (0..<12).map { "[\(first + $0 * 60).781, \"0.\(1 + series * 12 + $0)\"]" }
                return #"{"host": "h\#(series)", "samples": [\#(samples.joined(separator: ", "))]}"#
            }
        }
        let text = try draft(#"{"series": \#(series(1_762_905_600))}"#).text
        #expect(text.contains(#""identifier": ["series_host", "column0"]"#), "\(text)")
        #expect(text.contains(#""column0": { "type": "datetime", "from": "[0]", "format": "unix" }"#), "\(text)")
        let other = try draft(#"{"series": \#(series(762_905_600))}"#).text
        #expect(other.contains(#""column0": { "type": "real", "from": "[0]""#), "\(other)")
    }

    /// What is called otherwise may be a sum.
    @Test func secondsWithAFractionNeedAName() throws {
        let number = { (place: Int) in "\(1_762_905_600 + place).25" }
        let rows = list(12) { #"{"id": \#($0), "sent_at": \#(number($0)), "income": \#(number($0))}"# }
        let text = try draft(#"{"rows": \#(rows)}"#).text
        #expect(text.contains(#""sent_at": { "type": "datetime", "format": "unix""#), "\(text)")
        #expect(text.contains(#""income": "real"  // could be times"#), "\(text)")
    }
}
