import SluiceRecords
import SluiceTransform
import Testing

/// `format` of dates, as strptime has it.
@Suite struct DateFormatTests {
    @Test func dates() throws {
        let values = [
            ("%d.%m.%Y", "20.11.2026", "2026-11-20"), ("%d.%m.%Y", "1.2.2026", "2026-02-01"),
            ("%Y%m%d", "20261120", "2026-11-20"), ("%m/%d/%y", "11/20/26", "2026-11-20"),
            ("%D", "11/20/69", "1969-11-20"), ("%d %b %Y", "5 jan 2026", "2026-01-05"),
            ("%d. %B %Y", "05. September 2026", "2026-09-05"), ("%Y-%j", "2024-060", "2024-02-29"),
            ("%Y-%j", "2023-365", "2023-12-31"), ("%A, %e %h %Y", "Friday,  5 May 2026", "2026-05-05"),
            ("%a %e %b %Y", "fri 20 Nov 2026", "2026-11-20"), ("%C%y-%m-%d", "1926-11-20", "1926-11-20"),
            ("%F %T", "2026-11-20 23:13:00", "2026-11-20"), ("am %d%%%m%%%Y", "am 20%11%2026", "2026-11-20"),
            ("%Y年%m月%d日", "2026年11月20日", "2026-11-20"), ("%n%Y %m%t%d", " \t2026 11   20", "2026-11-20"),
        ]
        for (format, text, date) in values {
            #expect(try convert(.string(text), .date, format: format) == .text(date), "\(format)")
        }
        #expect(try convert(20_261_120, .date, format: "%Y%m%d") == "2026-11-20")
    }

    @Test func textsInAnotherFormat() throws {
        let values = [
            ("%d.%m.%Y", "20.11.26"), ("%d.%m.%Y", "20.11.2026 "), ("%d.%m.%Y", "20.13.2026"),
            ("%d.%m.%Y", "32.1.2026"),
            ("%d.%m.%Y", " 20.11.2026"), ("%d.%m.%Y", "20-11-2026"), ("%d %b %Y", "5 Mai 2026"), ("%Y-%j", "2023-366"),
            ("%Y-%j", "2024-000"), ("%F", ""), ("%F", "2026-11-20\0"),
        ]
        for (format, text) in values {
            let shown = text.replacing("\0", with: "\\u0000")
            #expect(
                try convert(.string(text), .date, format: format)
                    == .fault("date in the format \(format) expected, found the string \"\(shown)\""))
        }
        #expect(
            try convert("30.2.2026", .date, format: "%d.%m.%Y")
                == .fault("date expected, but the string \"30.2.2026\" is no day of the calendar"))
        #expect(try convert(.yes, .date, format: "%Y%m%d") == .fault("date in the format %Y%m%d expected, found true"))
    }

    @Test func datetimes() throws {
        let values = [
            ("%Y-%m-%dT%H:%M:%S%z", "2026-11-21T00:13:00+0100", "2026-11-20T23:13:00.000000Z"),
            ("%Y-%m-%dT%H:%M%z", "2026-11-21T00:13+01", "2026-11-20T23:13:00.000000Z"),
            ("%Y-%m-%dT%H:%M%z", "2026-11-20T13:13-10:00", "2026-11-20T23:13:00.000000Z"),
            ("%Y-%m-%dT%H:%M%z", "2026-11-20T13:13z", "2026-11-20T13:13:00.000000Z"),
            ("%c %z", "Fri Nov 20 23:13:00 2026 +0000", "2026-11-20T23:13:00.000000Z"),
            ("%d %B %Y %I:%M %p%z", "20 November 2026 11:13 PMZ", "2026-11-20T23:13:00.000000Z"),
            ("%F %r%z", "2026-11-20 12:13:00 amZ", "2026-11-20T00:13:00.000000Z"),
            ("%F %l:%M %p%z", "2026-11-20  1:13 pmZ", "2026-11-20T13:13:00.000000Z"),
            ("%F %T.%f%z", "2026-11-20 23:13:00.2500+00:00", "2026-11-20T23:13:00.250000Z"),
            ("%F%z", "2026-11-20+02:00", "2026-11-19T22:00:00.000000Z"),
        ]
        for (format, text, utc) in values {
            #expect(try convert(.string(text), .datetime, format: format) == .text(utc), "\(format)")
        }
        #expect(
            try convert("20.11.2026 23:13", .datetime, format: "%d.%m.%Y %R", timeZone: "Europe/Berlin")
                == "2026-11-20T22:13:00.000000Z")
        #expect(
            try convert("20.11.2026 24:00", .datetime, format: "%d.%m.%Y %R", timeZone: "Europe/Berlin")
                == .fault("datetime in the format %d.%m.%Y %R expected, found the string \"20.11.2026 24:00\""))
    }

    /// Of several formats, the first that reads a value counts, whether it is a strptime format or one with a word of
    /// its own. What is no moment in one format may be one in another.
    @Test(
        arguments: [
            ("2026-11-20T23:13:00Z", "2026-11-20T23:13:00.000000Z"), ("1795672800", "2026-11-26T06:00:00.000000Z"),
            ("1795672800250", "2026-11-26T06:00:00.250000Z"), ("26.11.2026 06:40", "2026-11-26T05:40:00.000000Z"),
            ("2026-11-20 23:13:00", "2026-11-20T22:13:00.000000Z"), ("31.02.2026 10:00", nil), ("soon", nil), ("", nil),
            ("2026-02-30T00:00:00Z", nil),
        ] as [(String, String?)])
    func theFirstFormatThatReadsCounts(_ text: String, _ utc: String?) throws {
        let formats = ["rfc3339", "%d.%m.%Y %H:%M", "unix", "unix-ms"]
        for turn in formats.indices {
            let turned = Array(formats[turn...] + formats[..<turn])
            var conversion = Conversion(.datetime, format: turned[0], timeZone: "Europe/Berlin")
            conversion.otherFormats = Array(turned.dropFirst())
            // As milliseconds, they are a moment of 1970.
            let isFirst = turned.first { $0.hasPrefix("unix") } == "unix"
            if text == "1795672800", !isFirst { continue }
            let found = try convert([.string(text)], conversion)[0]
            if let utc {
                #expect(found == .text(utc), "\(turned)")
            } else if case .fault(let reason) = found {
                let isDay = !text.contains("02") || text.isEmpty
                let words =
                    isDay ? "in one of the formats \(turned.joined(separator: ", "))" : "is no day of the calendar"
                #expect(reason.contains(words), "\(reason)")
            } else {
                Issue.record("\(found)")
            }
        }
    }

    @Test(
        arguments: [
            (["unix", "%FT%T%z"], "UTC", "the format %FT%T%z has an offset (%z): timeZone has no effect beside it"),
            (["unix", "unix-ms"], "UTC", "the format unix counts in UTC: timeZone has no effect beside it"),
            (["unix"], "UTC", "the format unix counts in UTC: timeZone has no effect beside it"),
            (["rfc3339", "%F %R"], nil, "the format %F %R has no offset (%z): timeZone is needed beside it"),
            (["rfc3339", "unix"], "UTC", nil), (["rfc3339"], nil, nil), (["unix", "%F %R"], "UTC", nil),
        ] as [([String], String?, String?)])
    func formatsAndZonesGoTogether(_ formats: [String], _ zone: String?, _ message: String?) {
        var conversion = Conversion(.datetime, format: formats[0], timeZone: zone)
        conversion.otherFormats = Array(formats.dropFirst())
        #expect(Transformer.check(conversion: conversion) == message)
        conversion.type = .date
        let word = formats.first { !$0.contains("%") } ?? ""
        #expect(
            Transformer.check(conversion: conversion) == "the format \(word) is for the type datetime, not for date")
    }

    private static let known =
        ", which sluice does not know; it knows %Y %y %C %m %b %d %j %H %I %p %M %S %f %z %a %F %T %R and more (attributes.md)"

    @Test(arguments: [
        ("%d.%m.", "the format %d.%m. has no year (%Y)"),
        (
            "yyyy-MM-dd",
            "the format yyyy-MM-dd has no year (%Y): what is read is written as in %d.%m.%Y or %Y-%m-%d %H:%M"
        ),
        ("%Y %d", "the format %Y %d does not name a day (%m and %d, or %j)"),
        ("%C-%m-%d", "the format %C-%m-%d has no year (%Y)"),
        ("%F %I", "the format %F %I needs both %I and %p, or neither (%H)"),
        ("%F %Z", "the format %F %Z has %Z\(known)"),
        ("%F %", "the format %F % ends with a lone %"),
        ("%G-W%V-%u", "the format %G-W%V-%u has %G\(known)"),
        ("%EY", "the format %EY has %E\(known)"),
        ("unix", "the format unix is for the type datetime, not for date"),
    ])
    func formatsThatCannotServe(_ format: String, _ message: String) {
        #expect(Transformer.check(conversion: Conversion(.date, format: format)) == message)
    }

    /// Of a month or a year, the date is the first day; a time needs its day.
    @Test func formatsWithoutADay() throws {
        #expect(try convert("2026-11", .date, format: "%Y-%m") == "2026-11-01")
        #expect(try convert("Nov 26", .date, format: "%b %y") == "2026-11-01")
        #expect(try convert("2026", .date, format: "%Y") == "2026-01-01")
        #expect(try convert(2026, .date, format: "%Y") == "2026-01-01")
        #expect(
            try convert("2026-13", .date, format: "%Y-%m")
                == .fault("date in the format %Y-%m expected, found the string \"2026-13\""))
        #expect(
            Transformer.check(conversion: Conversion(.datetime, format: "%Y-%m %H:%M%z"))
                == "the format %Y-%m %H:%M%z does not name a day (%m and %d, or %j)")
    }

    @Test func localTimesNeedAZone() {
        let format = "%Y-%m-%d %H:%M"
        #expect(
            Transformer.check(conversion: Conversion(.datetime, format: format))
                == "the format %Y-%m-%d %H:%M has no offset (%z): timeZone is needed beside it")
        #expect(Transformer.check(conversion: Conversion(.datetime, format: format, timeZone: "UTC")) == nil)
        #expect(Transformer.check(conversion: Conversion(.datetime, format: format + "%z")) == nil)
    }
}
