import Foundation
import Testing

@testable import Sluice
@testable import SluiceInit

/// Times that are written as whole numbers, and what takes them.
@Suite struct DraftMomentTests {
    private static func number(_ day: Int, _ rest: String) -> String { "202510\(day < 10 ? "0" : "")\(day)\(rest)" }

    /// The hours of Wikimedia would be seconds of the year 2034.
    @Test(arguments: [("00", "%Y%m%d%H"), ("0930", "%Y%m%d%H%M"), ("093059", "%Y%m%d%H%M%S")])
    func hoursOfADayAreNoUnixTime(_ rest: String, _ format: String) throws {
        for mark in ["\"", ""] {
            let feed = list(28) { #"{"id": \#($0), "seen": \#(mark)\#(Self.number($0 + 1, rest))\#(mark)}"# }
            let (text, report) = try InitRun.Draft.run(of: feed)
            #expect(
                text.contains(
                    #""seen": { "type": "datetime", "format": "\#(format)", "timeZone": "UTC" }"#),
                "\(text)")
            #expect(report.entities[0].counts.created == 28)
        }
    }

    /// Exports of MongoDB say the type of each value.
    @Test func extendedJSONSaysTheTypes() throws {
        let feed = list(20) {
            #"{"id": \#($0), "born": {"$date": {"$numberLong": "22611723\#($0 % 10)000"}}, "limit": {"$numberInt": "\#(1000 + $0)"},"#
                + #" "share": {"$numberDouble": "-0.\#($0 + 1)"}, "price": {"$numberDecimal": "\#($0).50"}}"#
        }
        let (text, report) = try InitRun.Draft.run(of: feed)
        #expect(
            text.contains(#"{ "type": "datetime", "from": "born['$date']['$numberLong']", "format": "unix-ms" }"#),
            "\(text)")
        for type in ["integer", "real", "decimal"] {
            #expect(
                text.contains(
                    #""type": "\#(type)", "from": "\#(type == "integer" ? "limit" : type == "real" ? "share" : "price")["#
                ), "\(text)")
        }
        #expect(report.entities[0].counts.created == 20 && report.entities[0].counts.rejected == 0)
    }

    /// Days are numbers of eight digits: a name says that they are days, or else a comment that they may be.
    @Test func daysAsNumbersAreDates() throws {
        let feed = list(20) {
            #"{"id": \#($0), "date": \#(Self.number($0 + 1, "")), "batch": \#(Self.number($0 + 2, ""))}"#
        }
        let (text, _) = try InitRun.Draft.run(of: feed)
        #expect(text.contains(#""date": { "type": "date", "format": "%Y%m%d" }"#), "\(text)")
        #expect(text.contains(#""batch": "integer"  // could be dates"#), "\(text)")
    }

    /// What is no such time in one record is none in the others.
    @Test func numbersThatAreNoTimesStayNumbers() throws {
        let feed = list(20) { #"{"id": \#($0), "batch": \#($0 == 7 ? "20251399" : Self.number($0 + 1, ""))}"# }
        let text = try InitRun.Draft.text(of: feed)
        #expect(text.contains(#""batch": "integer""#), "\(text)")
        #expect(!text.contains("could be"), "\(text)")
    }

    /// No format takes parts of a second since 1970: the first run of a draft rejects nothing.
    @Test(arguments: [
        ("1759276800", "000000000", "nanoseconds"), ("1759276800", "000000", "microseconds"),
    ]) func partsOfASecondAreNoUnixTime(_ seconds: String, _ rest: String, _ unit: String) throws {
        for mark in ["\"", ""] {
            let feed = list(30) { number in
                let value = "\(Int(seconds)! + number)\(rest)"
                return #"{"id": \#(number), "startTimeUnixNano": \#(mark)\#(value)\#(mark)}"#
            }
            let (text, report) = try InitRun.Draft.run(of: feed)
            #expect(
                text.contains(#""startTimeUnixNano": "integer"  // \#(unit)"#), "\(text)")
            #expect(report.entities[0].counts.created == 30)
        }
    }

    /// Milliseconds since 1970 are times where their name says so, with null and 0 among them or without; a comment
    /// says what they may be elsewhere.
    @Test func millisecondsWithZerosAreTimes() throws {
        func millis(_ row: Int, _ other: String? = nil, _ every: Int = 4) -> String {
            other.flatMap { row % every == 0 ? $0 : nil } ?? "\(1_700_000_000_000 + row * 86_399_999)"
        }
        let feed = list(40) { row in
            #"{"id": "k\#(row)", "createdAt": \#(millis(row)), "expiresAt": \#(millis(row, "0")), "#
                + #""lastSeenMs": \#(millis(row, "null")), "updated": \#(millis(row, row % 8 == 0 ? "0" : "null")), "#
                + #""seen": \#(millis(row, "0")), "closedAt": \#(millis(row, "-1")), "size": \#(row * 1_000_000_000)}"#
        }
        let (text, report) = try InitRun.Draft.run(of: feed)
        let type = #"{ "type": "datetime", "format": "unix-ms""#
        #expect(text.contains(#""createdAt": \#(type) }"#) && text.contains(#""lastSeenMs": \#(type) }"#), "\(text)")
        #expect(text.contains(#""expiresAt": \#(type), "nullIf": 0 },  // 0 in 10, taken for null"#), "\(text)")
        #expect(text.contains(#""updated": \#(type), "nullIf": 0 },  // 0 in 5, taken for null; null in 5"#), "\(text)")
        let could = #"could be times: "datetime" with the format "unix-ms", and 0 as its "nullIf""#
        #expect(text.contains(#""seen": "integer",  // "# + could), "\(text)")
        #expect(text.contains(#""closedAt": "integer",  // times, but for -1: perhaps "datetime""#), "\(text)")
        #expect(text.contains(#""size": "integer""#), "\(text)")
        #expect(report.entities.map(\.counts.created) == [40] && report.entities[0].counts.rejected == 0)
    }

    @Test func numbersOf64BitsAreIntegers() throws {
        let text = try InitRun.Draft.text(of: list(20) { #"{"id": \#($0), "seed": 72036854775\#(80_000_000 + $0)}"# })
        #expect(text.contains(#""seed": "integer""#), "\(text)")
    }

    /// Times that name the month are texts, and a comment says what they seem to be, and how they are read if it knows.
    @Test(arguments: [
        "Thu, 09 Oct 2025 08:53:20 GMT", "Thu Oct 09 08:53:20 +0000 2025", "09/Oct/25 8:53 AM",
        "09/Oct/2025:08:53:20 +0000",
    ]) func timesWithTheNameOfAMonthAreTold(_ time: String) throws {
        let feed = list(20) {
            #"{"id": \#($0), "seen": "\#(time.replacing("53", with: String(10 + $0)))", "note": "in Oct it was 5:\#($0)"}"#
        }
        let text = try InitRun.Draft.text(of: feed)
        let isRead = time.hasSuffix("GMT")
        let words = isRead ? #"times: perhaps "datetime" with "format": "%a, %d %b"# : "times, as it seems"
        #expect(text.contains(#""seen": "text",  // "# + words), "\(text)")
        #expect(text.ranges(of: "as it seems").count == (isRead ? 0 : 1), "\(text)")
    }

    // MARK: Flags

    /// Of texts that are always the same nobody knows what else there may be.
    @Test func aFlagThatIsAlwaysTrueIsText() throws {
        let text = try InitRun.Draft.text(of: list(20) { #"{"id": \#($0), "ready": "True"}"# })
        #expect(text.contains(#""ready": "text"  // always "True""#), "\(text)")
        let both = try InitRun.Draft.text(
            of: list(20) { #"{"id": \#($0), "ready": "\#($0 % 2 == 0 ? "True" : "False")"}"# })
        #expect(both.contains(#""ready": { "type": "boolean", "map": "#), "\(both)")
    }

    /// A text in the place of an object hides what the object has: a comment counts both.
    @Test func textsBesideObjectsAreCounted() throws {
        let feed = list(20) {
            #"{"id": \#($0), "object": \#($0 % 4 == 0 ? "\"x\($0)\"" : #"{"id": "y\#($0)", "n": 1}"#)}"#
        }
        let text = try InitRun.Draft.text(of: feed)
        #expect(text.contains(#""object": "json"  // 15 objects, 5 texts"#), "\(text)")
    }
}
