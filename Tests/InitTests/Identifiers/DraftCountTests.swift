import Foundation
import Testing

@testable import Sluice
@testable import SluiceInit

/// What counts or measures something identifies nothing: the next feed corrects it.
@Suite struct DraftCountTests {
    private func table(_ rows: [String]) throws -> String {
        try InitRun.Draft.text(of: rows.joined(separator: "\n") + "\n", "feed.csv")
    }

    /// Three attributes come before two of which one counts something.
    @Test func threeAttributesComeBeforeACount() throws {
        let feed = list(224) { number in
            let day = number % 28 + 1
            return
                #"{"article": "a\#(number / 56)", "agent": "\#(number / 28 % 2 == 0 ? "user" : "spider")", "timestamp": "2025-10-\#(day < 10 ? "0" : "")\#(day)", "views": \#(number * 7919 % 9973)}"#
        }
        let text = try InitRun.Draft.text(of: feed)
        #expect(text.contains(#""identifier": ["article", "agent", "timestamp"]"#), "\(text)")
    }

    /// Columns that are called after days hold counts; where something is, tells rows apart.
    @Test func placesComeBeforeColumnsOfDays() throws {
        let rows = (0..<280).map { row in
            let counts = (1...12).map { String(row * ($0 + 7) * 7919 % (400 * $0) + 3) }
            return "Land \(row / 3),\(Double(row * 37 % 100) / 8 + 0.0625),\(Double(row) / 16 + 0.03125),"
                + counts.joined(separator: ",")
        }
        let days = (1...12).map { "\($0)/9/20" }.joined(separator: ",")
        let text = try table(["Country/Region,Lat,Long,\(days)"] + rows)
        #expect(text.contains(#""identifier": ["Lat", "Long"]"#), "\(text)")
    }

    /// A time that is unique comes before a pace with anything.
    @Test func aTimeComesBeforeAPace() throws {
        let rows = (0..<200).map { row in
            let (hour, day) = (row % 24, 10 + row / 24)
            return "\(row % 3 == 0 ? "Running" : "Cycling"),2025-01-\(day) \(hour < 10 ? "0" : "")\(hour):00:00,"
                + "0\(row % 4):\(10 + row % 20):10,\(4 + row % 3):\(10 + row / 5)"
        }
        let text = try table(["Type,Date,Time,Avg Pace"] + rows)
        #expect(text.contains(#""identifier": "Date""#), "\(text)")
    }

    // MARK: What comments say

    /// A booking that is there twice says nothing of two that may come on one day.
    @Test func aCopyHidesNoChance() throws {
        var rows = (0..<300).map { row in
            "2025-10-\(10 + row / 15),\(row % 2 == 0 ? "in" : "out"),Rechnung \(row * 37 % 101) \(row % 13),\(row % 9),\(row * 31 % 4001).5"
        }
        rows.insert(rows[19], at: 20)
        let text = unfolded(try table(["day,kind,text,shop,sum"] + rows))
        #expect(text.contains("1 of 301 records is a copy of another one"), "\(text)")
        #expect(text.contains("unique together, which may be by chance"), "\(text)")
    }

    /// What an object in the record is known by identifies the object.
    @Test func theIdentifierOfAnObjectIsNotThatOfTheRecord() throws {
        var records = (0..<100).map { #"{"id": \#($0), "map": {"id": "a\#($0)", "line": "x\#($0)"}, "at": [1, 2]}"# }
        records.insert(records[9], at: 10)
        let text = try InitRun.Draft.text(of: "[\(records.joined(separator: ","))]")
        #expect(text.ranges(of: "unique but for 1 of 101").count == 1, "\(text)")
    }

    /// Two attributes that could identify a record are a choice.
    @Test func whatElseIsUniqueIsTold() throws {
        let feed = list(50) { #"{"requestID": "r\#($0 * 7919)", "eventID": "e\#($0 * 104729)", "name": "x"}"# }
        let text = try InitRun.Draft.text(of: feed)
        #expect(text.contains(#"// "eventID" is unique, too"#), "\(text)")
    }

    @Test func aTimeBesideSeveralAttributesIsTold() throws {
        let feed = list(120) { number in
            let minute = "\(10 + number / 12):\(10 + number % 12 * 4)"
            return
                #"{"connection_id": "c\#(number % 6)", "startedDateTime": "2025-10-09T08:\#(minute)Z", "request": {"url": "https://x.org/\#(number / 6)"}}"#
        }
        let text = try InitRun.Draft.text(of: feed)
        #expect(text.contains(#""identifier": ["connection_id", "request_url"]"#), "\(text)")
        #expect(text.contains(#"// "startedDateTime" is unique, too"#), "\(text)")
    }

    /// `no-cache` may be the value of two headers.
    @Test func aValueIdentifiesWithItsName() throws {
        let feed = list(60) { number in
            #"{"id": \#(number), "headers": [{"name": "a", "value": "x\#(number)"}, {"name": "b", "value": "y"}, {"name": "b", "value": "z"}]}"#
        }
        let text = try InitRun.Draft.text(of: feed)
        #expect(text.contains(#""name"],"#) || text.contains(#""name", "value"],"#), "\(text)")
    }

    /// Of one object, however often it is told of, nobody knows whether its key is known elsewhere.
    @Test func aKeyOfOneObjectIdentifiesNothing() throws {
        let feed = list(120) { #"{"id": \#($0), "ref": {"name": "s1", "key": "password"}}"# }
        let text = try InitRun.Draft.text(of: feed)
        #expect(!text.contains(#""Ref": {"#), "\(text)")
    }
}
