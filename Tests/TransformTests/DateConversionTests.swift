import Foundation
import SluiceRecords
import SluiceTransform
import Testing

/// The types `date` and `datetime`.
@Suite struct DateConversionTests {
    @Test(arguments: ["2026-11-20", "0001-01-01", "9999-12-31", "2024-02-29", "2000-02-29"])
    func days(_ text: String) throws {
        #expect(try convert(.string(text), .date) == .text(text))
    }

    @Test(arguments: ["2026-02-29", "1900-02-29", "2026-04-31", "2026-13-01", "2026-00-10", "2026-01-00", "0000-01-01"])
    func daysThatDoNotExist(_ text: String) throws {
        #expect(
            try convert(.string(text), .date)
                == .fault("date expected, but the string \"\(text)\" is no day of the calendar"))
    }

    @Test(arguments: ["", "2026-1-05", "20261120", "2026-11-20T00:00:00Z", "2026/11/20", "+026-11-20", "2026-11-2x"])
    func notDates(_ text: String) throws {
        #expect(try convert(.string(text), .date) == .fault("date expected, found the string \"\(text)\""))
    }

    @Test func numbersAreNoDates() throws {
        #expect(try convert(20_261_120, .date) == .fault("date expected, found the number 20261120"))
        #expect(try convert(0, .datetime) == .fault("datetime expected, found the number 0"))
    }

    @Test func datetimesBecomeUTC() throws {
        let values = [
            ("2026-11-20T23:13:00.25Z", "2026-11-20T23:13:00.250000Z"),
            ("2026-11-20T23:13:00Z", "2026-11-20T23:13:00.000000Z"),
            ("2026-11-20t23:13:00z", "2026-11-20T23:13:00.000000Z"),
            ("2026-11-20 23:13:00Z", "2026-11-20T23:13:00.000000Z"),
            ("2026-11-21T00:13:00+01:00", "2026-11-20T23:13:00.000000Z"),
            ("2026-12-31T23:30:00-00:45", "2027-01-01T00:15:00.000000Z"),
            ("2026-11-20T23:13:00.2500Z", "2026-11-20T23:13:00.250000Z"),
            ("2026-11-20T23:13:00.000Z", "2026-11-20T23:13:00.000000Z"),
            ("2024-02-29T12:00:00.123456000000+14:00", "2024-02-28T22:00:00.123456Z"),
            ("2026-11-20T23:13:00-00:00", "2026-11-20T23:13:00.000000Z"),
            ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000000Z"),
        ]
        for (text, utc) in values { #expect(try convert(.string(text), .datetime) == .text(utc)) }
    }

    @Test(arguments: [
        "2026-11-20", "2026-11-20T23:13", "2026-11-20T23:13:00.", "2026-11-20T23:13:00+0100",
        "2026-11-20T23:13:00+24:00",
        "2026-11-20T23:13:00+01:60", "2026-11-20X23:13:00Z", "2026-11-20T23:13:00ZZ", "2026-11-20T23:13:00 Z",
        "2026-11-20T23:13:00*01:00", "2026-11-20T23:13:00,5Z", "2026-11-20T23:13:0xZ",
    ])
    func notDatetimes(_ text: String) throws {
        #expect(try convert(.string(text), .datetime) == .fault("datetime expected, found the string \"\(text)\""))
    }

    @Test func datetimesThatDoNotExist() throws {
        let values = [
            ("2026-02-30T00:00:00Z", "is no day of the calendar"), ("2026-02-03T24:00:00Z", "is no time of day"),
            ("2026-02-03T23:60:00Z", "is no time of day"), ("2026-02-03T23:59:61Z", "is no time of day"),
            ("0001-01-01T00:00:00+01:00", "is outside of the years 1 to 9999"),
            ("9999-12-31T23:30:00-01:00", "is outside of the years 1 to 9999"),
            ("2026-11-20T23:13:00", "has no offset from UTC, and there is no timeZone"),
            ("2026-11-20T23:59:60Z", "is no leap second"), ("2016-12-31T23:59:60+01:00", "is no leap second"),
        ]
        for (text, why) in values {
            let reason = "datetime expected, but the string \"\(text)\" \(why)"
            #expect(try convert(.string(text), .datetime) == .fault(reason))
        }
    }

    @Test func leapSecondsStayAsTheyAre() throws {
        #expect(try convert("2016-12-31T23:59:60Z", .datetime) == "2016-12-31T23:59:60.000000Z")
        #expect(try convert("2017-01-01T00:59:60.50+01:00", .datetime) == "2016-12-31T23:59:60.500000Z")
        #expect(
            try convert("2017-01-01T00:59:60", .datetime, timeZone: "Europe/Berlin") == "2016-12-31T23:59:60.000000Z")
    }

    @Test func secondsSince1970() throws {
        let values = [
            ("0", "1970-01-01T00:00:00.000000Z"), ("1700000000", "2023-11-14T22:13:20.000000Z"),
            ("1.7e9", "2023-11-14T22:13:20.000000Z"),
            ("1700000000.250", "2023-11-14T22:13:20.250000Z"), ("-1", "1969-12-31T23:59:59.000000Z"),
            ("-0.0", "1970-01-01T00:00:00.000000Z"),
            ("-0.25", "1969-12-31T23:59:59.750000Z"), ("-1.001", "1969-12-31T23:59:58.999000Z"),
            ("0.000001", "1970-01-01T00:00:00.000001Z"), ("253402300799", "9999-12-31T23:59:59.000000Z"),
            ("-62135596800", "0001-01-01T00:00:00.000000Z"),
            ("1700000000.123456000", "2023-11-14T22:13:20.123456Z"),
        ]
        for (text, utc) in values {
            #expect(try convert(.number(text), .datetime, format: "unix") == .text(utc))
            #expect(try convert(.string(text), .datetime, format: "unix") == .text(utc))
        }
        for text in ["253402300800", "-62135596801", "1e13", "1e999999999", "1e-7", "1e-101"] {
            guard case .fault = try convert(.number(text), .datetime, format: "unix") else {
                Issue.record("taken: \(text)")
                continue
            }
        }
    }

    @Test func millisecondsSince1970() throws {
        let values = [
            ("1700000000250", "2023-11-14T22:13:20.250000Z"), ("0", "1970-01-01T00:00:00.000000Z"),
            ("-0", "1970-01-01T00:00:00.000000Z"),
            ("-1", "1969-12-31T23:59:59.999000Z"), ("5", "1970-01-01T00:00:00.005000Z"),
            ("0.5", "1970-01-01T00:00:00.000500Z"),
            ("1000", "1970-01-01T00:00:01.000000Z"), ("-1500", "1969-12-31T23:59:58.500000Z"),
            ("-10000", "1969-12-31T23:59:50.000000Z"),
        ]
        for (text, utc) in values {
            #expect(try convert(.number(text), .datetime, format: "unix-ms") == .text(utc))
        }
        #expect(
            try convert("soon", .datetime, format: "unix-ms")
                == .fault("datetime as a number expected, found the string \"soon\""))
    }

    /// What are milliseconds, by their digits, is told.
    @Test(arguments: [
        ("1795219512000", true), ("1795219512123.5", false), ("17952195120000", false),
        ("-1795219512000", false),
    ])
    func millisecondsAsSeconds(_ text: String, _ isTold: Bool) throws {
        guard case .fault(let reason) = try convert(.number(text), .datetime, format: "unix") else {
            Issue.record("taken: \(text)")
            return
        }
        #expect(reason.hasSuffix("or too precise") != isTold, "\(reason)")
    }

    /// All texts of a column are of one length, so that they sort as the times do.
    @Test(arguments: [
        (0, ""), (1, ".2"), (3, ".200"), (6, ".200000"), (9, ".200000000"),
    ])
    func fractionsHaveOneWidth(digits: Int, written: String) throws {
        for (format, raw) in [
            (nil, Raw.string("2023-11-14T22:13:20.20Z")), (nil, "2023-11-14T23:13:20.2+01:00"),
            ("unix", .number("1700000000.2")), ("unix-ms", .number("1700000000200")),
            ("%Y-%m-%d %H:%M:%S.%f%z", "2023-11-14 22:13:20.2000Z"),
        ] {
            var conversion = Conversion(.datetime, format: format)
            conversion.fraction = digits
            let found = try convert([raw], conversion)
            guard digits == 0 else {
                #expect(found == [.text("2023-11-14T22:13:20\(written)Z")])
                continue
            }
            guard case .fault(let reason) = found[0] else {
                Issue.record("taken: \(raw)")
                continue
            }
            #expect(reason.hasSuffix(" has more than 0 digits of a second: see \"fraction\""))
        }
    }

    @Test func significantDigitsAreNeverLost() throws {
        let text = "2026-11-20T23:13:00.1234567Z"
        #expect(
            try convert(.string(text), .datetime)
                == .fault(
                    "datetime expected, but the string \"\(text)\" has more than 6 digits of a second: see \"fraction\""
                ))
        var conversion = Conversion(.datetime)
        conversion.fraction = 7
        #expect(try convert([.string(text)], conversion) == [.text(text)])
    }

    /// Of any two times, the text of the earlier one comes first.
    @Test func textsSortAsTimesDo() throws {
        let seconds = (0..<300).map { _ in
            "\(1_700_000_000 + Int.random(in: 0...2)).\(Int.random(in: 0..<1_000_000) % (Bool.random() ? 10 : 1_000_000))"
        }
        let found = try convert(seconds.map { .number($0) }, Conversion(.datetime, format: "unix"))
        let pairs = zip(seconds, found).compactMap { second, value -> (Double, String)? in
            guard case .text(let text) = value, let number = Double(second) else { return nil }
            return (number, text)
        }
        #expect(pairs.count == seconds.count)
        #expect(pairs.sorted { $0.0 < $1.0 }.map(\.1) == pairs.map(\.1).sorted())
    }

    @Test func unixIsForDatetimesOnly() {
        #expect(throws: Failure.self) { try convert(0, .date, format: "unix") }
    }

    @Test func randomMomentsEqualFoundations() throws {
        let range = -62_135_596_800...253_402_300_799
        let formatter = ISO8601DateFormatter()
        // Foundation changes to the Julian calendar in 1582.
        let seconds = (0..<5_000).map { _ in Int.random(in: -12_219_200_000...range.upperBound) }
        let found = try convert(seconds.map { .number("\($0)") }, Conversion(.datetime, format: "unix"))
        for (second, value) in zip(seconds, found) {
            let expected = formatter.string(from: Date(timeIntervalSince1970: Double(second))).replacing(
                "Z", with: ".000000Z")
            if value != .text(expected) { Issue.record("\(second) became \(value), not \(expected)") }
            // The text, in any offset, leads back to itself.
            let offset = Int.random(in: -1439...1439)
            let local = formatter.string(from: Date(timeIntervalSince1970: Double(second + offset * 60))).dropLast()
            guard local.count == 19 else { continue }
            let (hours, minutes) = abs(offset).quotientAndRemainder(dividingBy: 60)
            let text = "\(local)\(offset < 0 ? "-" : "+")\(hours / 10)\(hours % 10):\(minutes / 10)\(minutes % 10)"
            if second % 16 == 0 { #expect(try convert(.string(text), .datetime) == value) }
        }
    }

    @Test func everyDayOf400Years() throws {
        let seconds = (0..<146_097).map { $0 * 86_400 }
        let found = try convert(seconds.map { .number("\($0)") }, Conversion(.datetime, format: "unix"))
        var (year, month, day) = (1970, 1, 1)
        for value in found {
            let text = String(format: "%04d-%02d-%02dT00:00:00.000000Z", year, month, day)
            if value != .text(text) { Issue.record("\(value) is not \(text)") }
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
            day += 1
            if day > days[month - 1] { (month, day) = (month + 1, 1) }
            if month > 12 { (year, month) = (year + 1, 1) }
        }
        #expect(year == 2370)
    }
}
