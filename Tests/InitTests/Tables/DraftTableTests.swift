import Foundation
import Testing

@testable import Sluice
@testable import SluiceInit
@testable import SluiceRecords

/// What `init` makes of tables, and of lines.
@Suite struct DraftTableTests {
    private func draft(_ rows: [String], _ name: String = "feed.csv") throws -> (text: String, created: [Int]) {
        let (text, report) = try InitRun.Draft.run(of: rows.joined(separator: "\n") + "\n", name)
        return (text, report.entities.map(\.counts.created))
    }

    // MARK: Types

    /// A comma with three digits behind it may stand between groups: nothing becomes a thousand times smaller.
    @Test func aCommaBeforeThreeDigitsIsNoFraction() throws {
        let (text, _) = try draft(["county,votes", "a,1292", "b,1636", #"c,"116,432""#])
        #expect(
            text.contains(#""votes": "text"  // numbers, but does the comma"#), "\(text)")
        let (fractions, _) = try draft(["county,votes", "a,1292", #"b,"116,43""#, #"c,"116,432""#])
        #expect(
            fractions.contains(#""votes": { "type": "real", "decimalMark": "," }"#), "\(fractions)")
    }

    /// Numbers as Stata, R, pandas and Excel write them.
    @Test(arguments: [".5", "-.5", "4.6e-05", "1.00E+05", "5.", "+5", "1e+05"])
    func numbersOfProgramsAreNumbers(_ number: String) throws {
        let (text, _) = try draft(["id,v", "1,1.25", "2,-3", "3,\(number)"])
        #expect(text.contains(#""v": "real""#), "\(text)")
    }

    /// What looks like a number of another kind: telephones, codes, and what is too large.
    @Test(arguments: [
        ["+493012345", "+33123456"], ["1E5", "2E7"], ["007", "1.5"], ["1e+400", "1.5"], ["+1", "+49"],
    ])
    func codesAreNoNumbers(_ values: [String]) throws {
        let (text, _) = try draft(["id,v"] + (0..<8).map { "\($0),\(values[$0 % 2])" })
        #expect(text.contains(#""v": "text""#), "\(text)")
    }

    @Test func datesBooleansAndWhatLacksHaveTheirTypes() throws {
        let rows = (1...40).map { row in
            let (month, day) = (row % 12 + 1, row % 28 + 1)
            let known = [row == 7 ? "#N/A" : "\(row)", row == 9 ? "NA" : "2026-01-\(day + 10 > 28 ? 28 : day + 10)"]
            let said = row % 3 == 0 ? "TRUE,True" : "FALSE,False"
            return "\(row),\(month)/\(day)/1998,\(day)/\(month)/98,1/2/1998,\(said),\(known.joined(separator: ",")),-"
        }
        let (text, created) = try draft(["id,us,short,either,ok,yes,n,day,none"] + rows)
        for line in [
            #""us": { "type": "date", "format": "%m/%d/%Y" }"#,
            #""short": { "type": "date", "format": "%d/%m/%y" }"#,
            #""either": "text",  // dates, but is the day or the month first?"#,
            #""ok": { "type": "boolean", "map": { "TRUE": "true", "FALSE": "false" } }"#,
            #""yes": { "type": "boolean", "map": { "True": "true", "False": "false" } }"#,
            ##""n": { "type": "integer", "nullIf": "#N/A" },  // "#N/A" in 1, taken for null"##,
            #""day": { "type": "date", "nullIf": "NA" },  // "NA" in 1, taken for null"#,
            #""none": "text""#,
        ] { #expect(text.contains(line), "\(line) in \(text)") }
        #expect(created == [40])
    }

    // MARK: What identifies rows

    /// Records that differ are objects of their own, where nothing that all have tells them apart.
    @Test func rowsThatDifferAreKnownByTheirLines() throws {
        let rows = (0..<40).map { "watergate,1973,\($0 % 3 == 0 ? "" : "n\($0)"),\($0 % 3 == 0 ? "\($0)" : "")" }
        let (text, created) = try draft(["case,start,name,days"] + rows)
        #expect(text.contains(#""identifier": "line""#), "\(text)")
        #expect(text.contains(#""line": { "type": "integer", "from": "$line" }"#), "\(text)")
        #expect(unfolded(text).contains("39 of 40 would be lost"), "\(text)")
        #expect(unfolded(text).contains("only while the order of the feed stays"), "\(text)")
        #expect(created == [40])
    }

    @Test func rowsWithoutAnythingThatAllHaveAreKnownByTheirLines() throws {
        let (text, created) = try draft(["line,ann,bob", "Airport,,TRUE", ",TRUE,", "Airport,TRUE,"])
        #expect(text.contains(#""identifier": "feed_line""#), "\(text)")
        #expect(created == [3])
    }

    /// Lines with a list in each: what is in it is known by the line, too.
    @Test func linesIdentifyWhatIsInTheirLists() throws {
        let lines = (0..<30).map {
            #"{"kind": "k\#($0 % 2)", "days": [{"n": 1.5, "on": true}, {"n": 1.5, "on": true}]}"#
        }
        let (text, created) = try draft(lines, "feed.ndjson")
        #expect(text.contains(#""identifier": "line""#), "\(text)")
        #expect(created == [30, 60], "\(text)")
        // Two in one line have no line of their own.
        let twice = lines.map { "\($0) \($0.replacing("1.5", with: "2.5"))" }
        #expect(try !draft(twice, "feed.ndjson").text.contains("$line"))
    }

    @Test func fourColumnsAreUniqueTogether() throws {
        let rows = (0..<16).map { "k\($0 & 1),l\($0 >> 1 & 1),m\($0 >> 2 & 1),n\($0 >> 3)" }
        let (text, created) = try draft(["a,b,c,d"] + rows)
        #expect(text.contains(#""identifier": ["a", "b", "c", "d"]"#), "\(text)")
        #expect(!text.contains("nothing is unique") && text.contains("no three attributes"), "\(text)")
        #expect(created == [16])
    }

    /// Of rows that agree in all that they say nothing is lost.
    @Test func copiesDoNotStopAnIdentifier() throws {
        let rows = (0..<100).map { "2026-01-\(10 + $0 % 10),t\($0 / 10),\($0 % 3)" }
        let (text, created) = try draft(["day,team,score"] + rows + [rows[4]])
        #expect(text.contains(#""identifier": ["day", "team"]"#), "\(text)")
        #expect(text.contains("1 of 101 records is a copy of another one"), "\(text)")
        #expect(created == [100])
    }

    // MARK: Rows and headers that are wrong

    /// A draft allows what a run rejects, and says so.
    @Test func rowsThatAreTooShortAreTold() throws {
        let (text, created) = try draft(["id,a,b", "1,x,y", "2,x", "3,x,y", "4,x,y,z"])
        #expect(text.contains(#""limits": { "rejects": 2 }"#), "\(text)")
        #expect(
            unfolded(text).contains("2 rows are no records: the first of them in line 3, the row has 2 cells"),
            "\(text)")
        #expect(text.contains(#""b": "text""#) && created == [2], "\(text)")
        let failure = #expect(throws: Failure.self) { try draft(["id,a,b", "1,x", "2,x"]) }
        #expect(failure?.message.contains("2 rows are no records") == true, "\(String(describing: failure))")
    }

    /// Delimiters alone, as spreadsheets write them below a table, cost no identifier and no type.
    @Test(arguments: [1, 2, 300]) func rowsWithoutAValueAreLeftOut(_ blank: Int) throws {
        let rows = ["A;x;1", "B;;2", "C;z;3"] + Array(repeating: ";;", count: blank)
        let (text, report) = try InitRun.Draft.run(of: (["id;name;n"] + rows).joined(separator: "\n") + "\n", "f.csv")
        #expect(text.contains(#""identifier": "id""#) && text.contains(#""n": "integer""#), "\(text)")
        #expect(text.contains(#""where": { "not": { "id": null, "name": null, "n": null } }"#), "\(text)")
        #expect(text.contains("\(blank) row\(blank == 1 ? "" : "s") without a value"), "\(text)")
        #expect(report.entities.map(\.counts.created) == [3])
    }

    /// Of wide tables, what all rows have tells; where no column is full, all of them do.
    @Test(arguments: [true, false]) func wideRowsWithoutAValueAreLeftOut(_ isFull: Bool) throws {
        let header = (1...9).map { "c\($0)" }.joined(separator: ",")
        let rows = (1...30).map { row in
            (1...9).map { column in !isFull && row % 9 + 1 == column ? "" : "\(row * column)" }.joined(separator: ",")
        }
        let (text, created) = try draft([header] + rows + [",,,,,,,,"])
        #expect(created == [30], "\(text)")
        #expect(text.contains(#""c9": null } }"#) != isFull, "\(text)")
    }

    /// A row that lacks only its identifier is a reject tomorrow, also where a note below has nothing else.
    @Test func aRowWithoutItsIdentifierIsNotLeftOut() throws {
        let header = "id," + (1...8).map { "c\($0)" }.joined(separator: ",")
        let rows = (1...30).map { row in "k\(row)," + (1...8).map { "\(row * $0)" }.joined(separator: ",") }
        let (text, _) = try draft([header] + rows + [",,,,,,,,", "Note,,,,,,,,"])
        let columns = ["c1", "c2", "c3", "c4", "c5", "c6"].map { "\"\($0)\": null" }.joined(separator: ", ")
        #expect(text.contains(#""where": { "not": { \#(columns) } }"#), "\(text)")
    }

    /// What a column without a name has is told, wherever it begins.
    @Test(arguments: [1, 70, 300]) func columnsWithoutANameAreTold(_ first: Int) throws {
        let rows = (1...300).map { "\($0),\($0 < first ? "" : "v\($0)"),x\($0)" }
        let values = first == 300 ? "1 value:" : "\(301 - first) values:"
        for title in [[], ["Title", ""]] {
            let (text, _) = try draft(title + ["id,,x"] + rows)
            #expect(unfolded(text).contains("no name for column 2, which is passed over, with \(values)"), "\(text)")
        }
    }

    @Test func aHeaderMayNameAColumnTwice() throws {
        let (text, created) = try draft(["name,age,name,name2,", "a,1,b,x,", "c,2,d,y,"])
        #expect(text.contains(#""header": true, "names": ["name", "age", "name3", "name2", ""]"#), "\(text)")
        #expect(unfolded(text).contains("has a name twice") && created == [2], "\(text)")
    }

    /// Bytes that fit no encoding are named with their places.
    @Test func bytesOfNoEncodingHaveAPlace() throws {
        let folder = NSTemporaryDirectory() + "sluice-init-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let bytes = Array("a,b\n1,caf".utf8) + [0xe9] + Array("\n2,x".utf8) + [0x81] + Array("y\n".utf8)
        try Data(bytes).write(to: URL(filePath: "\(folder)/enc.csv"))
        let failure = #expect(throws: Failure.self) { try InitRun(["\(folder)/enc.csv"], output: nil).perform() }
        let message = failure?.message ?? ""
        #expect(
            message.contains("enc.csv:2:6: the byte 0xE9") && message.contains("enc.csv:3:4, the byte 0x81"),
            "\(message)")
    }
}
