import SluiceRecords
import Testing

@testable import SluiceTransform

/// Durations become whole numbers of seconds, or of parts of one.
@Suite struct DurationTests {
    /// What becomes of a value: the integer, or the reason.
    private func convert(_ raw: Literal, _ format: String? = nil, fraction: Int = 0) throws -> String {
        var conversion = Conversion(.duration, format: format)
        conversion.fraction = fraction
        let catalog = Catalog()
        var converter = Converter(arena: Arena(capacity: 256), catalog: catalog)
        defer {
            converter.arena.deallocate()
            converter.members.deallocate()
        }
        let compiled = try catalog.compile(conversion)
        do throws(Complaint) {
            return "\(try converter.convert(converter.arena.append(raw), compiled).integer)"
        } catch {
            return error.reason(in: converter.arena, catalog)
        }
    }

    @Test(arguments: [
        ("25:10:00", "90600"), ("0:00:01", "1"), ("-1:30:00", "-5400"), ("+00:00:59", "59"),
        ("100000:00:00", "360000000"),
        ("PT1H30M", "5400"), ("PT90M", "5400"), ("P1DT2H", "93600"), ("P2W", "1209600"), ("P1W1D", "691200"),
        ("PT0.5M", "30"), ("PT0,5H", "1800"), ("-PT5M", "-300"), ("P0D", "0"), ("PT36H", "129600"), ("PT1.000S", "1"),
        ("2400", "2400"), ("2.4e3", "2400"), ("-1", "-1"), ("0", "0"), ("0e99", "0"), ("07:05:09.000", "25509"),
    ])
    func takes(_ text: String, _ expected: String) throws {
        #expect(try convert(.text(text)) == expected)
    }

    @Test(arguments: [
        "", "1:30", "1:60:00", "1:00:60", "1:0:00", "1:00:0", "a", "1:00:00:00", "P", "PT", "P1DT", "PT1H30", "PT30M1H",
        "P1H",
        "PT1D", "pt1h", "PT1H1H", "PT0.5H30M", "1:00:00x", " 1:00:00", "1:00:00.", "PT.5S", "PT-5S", "::", "1:-1:00",
        "T1H",
    ])
    func refuses(_ text: String) throws {
        #expect(try convert(.text(text)) == "duration expected, found the string \"\(text)\"")
    }

    @Test func saysWhatDoesNotFit() throws {
        let calendar = "duration expected, but the string \"P1Y\" has years or months, which are not all of one length"
        #expect(try convert(.text("P1Y")) == calendar)
        #expect(try convert(.text("P1M")).contains("years or months"))
        let precise = "duration expected, but the number 1.5 has more than 0 digits of a second: see \"fraction\""
        #expect(try convert(.number("1.5")) == precise)
        #expect(try convert(.text("PT0.0001S"), fraction: 3).contains("more than 3 digits"))
        #expect(try convert(.text("0:00:00.1234567891"), fraction: 9).contains("more than 9 digits"))
        #expect(try convert(.number("1e400")) == "duration expected, but the number 1e400 is beyond 64 bits")
        #expect(try convert(.number("9223372036854775808")).hasSuffix("is beyond 64 bits"))
        #expect(try convert(.number("9223372036854775807")) == "9223372036854775807")
        #expect(try convert(.number("9223372036854775807"), "d").hasSuffix("is beyond 64 bits"))
        #expect(try convert(.boolean(true)) == "duration expected, found true")
    }

    /// Whatever fits 64 bits in the units of the column is taken, however it is written.
    @Test func theLastOfAll() throws {
        let (most, least) = ("9223372036854775807", "-9223372036854775808")
        for text in [most, "PT\(most)S", "PT153722867280912930M7S", "2562047788015215:30:07"] {
            #expect(try convert(.text(text)) == most)
            #expect(try convert(.text(text), fraction: 1).hasSuffix("is beyond 64 bits"))
        }
        for text in [least, "-PT9223372036854775808S", "-2562047788015215:30:08"] {
            #expect(try convert(.text(text)) == least)
        }
        #expect(try convert(.text("PT9223372036854775.807S"), fraction: 3) == most)
        #expect(try convert(.text("9223372036.854775807"), fraction: 9) == most)
        for text in [
            "PT9223372036854775808S", "2562047788015215:30:08", "P9999999999999999999W", "PT10000000000000000000S",
        ] {
            #expect(try convert(.text(text)).hasSuffix("is beyond 64 bits"), "\(text)")
        }
    }

    @Test func fractionsAreCounted() throws {
        #expect(try convert(.text("0:00:01.25"), fraction: 3) == "1250")
        #expect(try convert(.number("0.000000001"), fraction: 9) == "1")
        #expect(try convert(.text("PT1.5S"), fraction: 1) == "15")
        #expect(try convert(.text("1:00:00"), fraction: 6) == "3600000000")
    }

    @Test(arguments: [
        ("ms", "183000", "183"), ("m", "1.5", "90"), ("h", "0.25", "900"), ("d", "2", "172800"), ("m:s", "3:45", "225"),
        ("m:s", "75:00", "4500"), ("h:m", "3:45", "13500"), ("h:m", "25:10:00", "90600"), ("m:s", "12", "12"),
        ("ms", "PT1S", "1"), ("hhmm", "0930", "34200"), ("hhmm", "5", "300"), ("hhmm", "0", "0"),
        ("hhmm", "2400", "86400"), ("hhmm", "25959", "935940"), ("hhmm", "9:30:15", "34215"), ("hhmm", "PT1H", "3600"),
    ])
    func formats(_ format: String, _ text: String, _ expected: String) throws {
        #expect(try convert(.text(text), format) == expected)
    }

    @Test(arguments: ["0960", "9.5", "-930", "100000", "9:30", "1e9"])
    func whatIsNoHoursAndMinutes(_ text: String) throws {
        #expect(try convert(.text(text), "hhmm").hasPrefix("duration expected, found"))
    }

    @Test func otherFormatsAreMistakes() {
        let reason = Transformer.check(conversion: Conversion(.duration, format: "s"))
        #expect(reason == #"the format of a duration is "ms", "m", "h", "d", "m:s", "h:m" or "hhmm""#)
    }
}
