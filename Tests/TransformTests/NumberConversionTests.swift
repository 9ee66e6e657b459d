import Foundation
import SluiceRecords
import Testing

/// The types `integer`, `real` and `decimal`.
@Suite struct NumberConversionTests {
    @Test func integersHoweverTheyAreWritten() throws {
        let values: [(String, Int64)] = [
            ("0", 0), ("-0", 0), ("-0.0", 0), ("0e99999999999999999999", 0), ("1.0", 1), ("1e3", 1000), ("100e-2", 1),
            ("1.50e1", 15), ("-12", -12), ("9223372036854775807", .max), ("-9223372036854775808", .min),
            ("9.223372036854775807e18", .max), ("922337203685477580700e-2", .max),
            ("1000000000000000000", 1_000_000_000_000_000_000),
        ]
        for (text, value) in values {
            #expect(try convert(.number(text), .integer) == .integer(value))
            #expect(try convert(.string(text), .integer) == .integer(value))
        }
        #expect(try convert("+5", .integer) == 5)
        #expect(try convert("007", .integer) == 7)
        #expect(try convert(.index(3), .integer) == 3)
        #expect(try convert(.key("42"), .integer) == 42)
    }

    @Test(arguments: ["1.5", "1e-1", "0.1", "1e-99999999999999999999"]) func fractionsAreNoIntegers(
        _ text: String
    ) throws {
        let reason = "integer expected, but the number \(text) is not integral"
        #expect(try convert(.number(text), .integer) == .fault(reason))
    }

    @Test(arguments: [
        "9223372036854775808", "-9223372036854775809", "1e19", "1e99999999999999999999", "99999999999999999999",
    ])
    func integersBeyond64Bits(_ text: String) throws {
        let reason = "integer expected, but the number \(text) is beyond 64 bits"
        #expect(try convert(.number(text), .integer) == .fault(reason))
    }

    @Test(arguments: [
        "", " 1", "1 ", "-", "+", "--1", "1e", "1e+", "e1", ".", "0x10", "1_000", "1,5", "inf", "nan", "n/a", "١",
        "1.2.3", "1e5.0",
    ])
    func notNumbers(_ text: String) throws {
        for type in ["integer", "real", "decimal"] {
            let found = try convert(.string(text), #require(AttributeType(rawValue: type)))
            #expect(found == .fault("\(type) expected, found the string \"\(text)\""))
        }
    }

    @Test func numbersAreNoOtherScalars() throws {
        #expect(try convert(.yes, .integer) == .fault("integer expected, found true"))
        #expect(try convert(.object, .real) == .fault("real expected, found an object"))
        #expect(try convert(.no, .decimal) == .fault("decimal expected, found false"))
    }

    @Test func reals() throws {
        let texts = [
            "0.1", "52.520007", "13.404953999999999", "1e22", "1e23", "123456789012345678", "9007199254740993",
            "9007199254740992.5", "1.7976931348623157e308", "5e-324", "2.2250738585072011e-308", "4.9e-324",
            "179769313486231580793728971405301e276", "0.30000000000000004", "1e-400", "12345678901234567890.5",
            "9223372036854775807e-19", "18446744073709551615e19", "8.5", "-3.25e-5",
        ]
        for text in texts {
            let expected = try #require(Double(text))
            #expect(try convert(.number(text), .real) == .real(expected))
            #expect(try convert(.string("+" + text), .real) == .real(abs(expected)) || text.hasPrefix("-"))
        }
        #expect(try convert(".5", .real) == .real(0.5))
        #expect(try convert("5.", .real) == .real(5))
    }

    @Test func minusZeroIsZero() throws {
        for text in ["-0", "-0.0", "-1e-400"] {
            guard case .real(let value) = try convert(.number(text), .real) else {
                Issue.record("no number: \(text)")
                continue
            }
            #expect(value.sign == .plus && value == 0)
        }
    }

    @Test func overflowIsARejectNotInfinity() throws {
        #expect(
            try convert(.number("1e309"), .real)
                == .fault("real expected, but the number 1e309 is beyond the range of a double"))
        #expect(
            try convert("-1e999999999999999999999", .real)
                == .fault("real expected, but the string \"-1e999999999999999999999\" is beyond the range of a double"))
    }

    @Test func realsEqualTheLibrarys() throws {
        var random = SystemRandomNumberGenerator()
        var texts: [String] = []
        for _ in 0..<20_000 {
            let digits = String(UInt64.random(in: 0...(.max), using: &random)).prefix(Int.random(in: 1...20))
            let point = Int.random(in: 0...digits.count)
            var text = digits.prefix(point) + (point < digits.count ? "." + digits.dropFirst(point) : "")
            if Bool.random() { text += "e\(Int.random(in: -30...30))" }
            texts.append(String(text))
        }
        for _ in 0..<20_000 {
            let value = Double(bitPattern: UInt64.random(in: 0...(.max), using: &random))
            if value.isFinite { texts.append("\(value)") }
        }
        let found = try convert(texts.map { .string($0) }, Conversion(.real))
        for (text, value) in zip(texts, found) {
            if value != .real(library(text)) { Issue.record("\(text) became \(value)") }
        }
    }

    private func library(_ text: String) -> Double { unsafe strtod(text, nil) }

    @Test func realsHalfwayBetweenDoubles() throws {
        var texts: [String] = []
        for _ in 0..<5_000 {
            // Odd numbers of 54 bits lie exactly between two doubles; one more or less must not.
            let middle = UInt64.random(in: 1 << 53..<1 << 54) | 1
            for number in [middle - 1, middle, middle + 1] {
                texts += ["\(number)", "\(number)0e-1", "\(number).0", "\(number)00"]
            }
            // And so do odd multiples of a power of two, divided by one.
            texts.append("\((UInt64.random(in: 1 << 52..<1 << 53) | 1)).5")
        }
        let found = try convert(texts.map { .string($0) }, Conversion(.real))
        for (text, value) in zip(texts, found) where value != .real(library(text)) {
            Issue.record("\(text) became \(value)")
        }
    }

    @Test func decimalsAreCanonical() throws {
        let values = [
            ("0", "0"), ("-0", "0"), ("-0.00e5", "0"), ("1", "1"), ("1.0", "1"), ("1.10", "1.1"), ("100", "100"),
            ("1e2", "100"), ("1.5e3", "1500"), ("12.34e1", "123.4"), ("1e-3", "0.001"), ("-1.25e-2", "-0.0125"),
            ("0.1", "0.1"), ("10.01", "10.01"), ("123456789012345678901234567890.123456789", nil),
            ("9007199254740993", nil), ("0.30", "0.3"), ("120e-1", "12"),
        ]
        for (text, canonical) in values {
            #expect(try convert(.number(text), .decimal) == .text(canonical ?? text))
            #expect(try convert(.string(text), .decimal) == .text(canonical ?? text))
        }
        #expect(try convert("+007.50", .decimal) == "7.5")
        #expect(try convert(".5", .decimal) == "0.5")
        #expect(try convert("5.", .decimal) == "5")
    }

    @Test func decimalsWithAScaleKeepItsDigits() throws {
        let values = [
            ("19.90", 2, "19.90"), ("19.9", 2, "19.90"), ("1990e-2", 2, "19.90"), ("19.900", 2, "19.90"),
            ("-0.5", 2, "-0.50"), ("0", 2, "0.00"), ("-0", 2, "0.00"), ("-0.0", 1, "0.0"), ("7", 0, "7"),
            ("7.0", 0, "7"), ("1e2", 1, "100.0"), ("0.001", 3, "0.001"), ("12345678901234567890", 1, nil),
        ]
        for (text, scale, written) in values {
            var conversion = Conversion(.decimal)
            conversion.scale = scale
            #expect(
                try convert([.number(text), .string(text)], conversion) == [
                    .text(written ?? text + ".0"), .text(written ?? text + ".0"),
                ])
        }
        var conversion = Conversion(.decimal)
        conversion.scale = 2
        #expect(
            try convert(["19.901"], conversion)
                == [
                    .fault(
                        "decimal expected, but the string \"19.901\" has more than 2 digits behind the point: see \"scale\""
                    )
                ])
        conversion.scale = 100
        #expect(
            try convert([.number("1e901")], conversion)
                == [.fault("decimal expected, but the number 1e901 would need more than 1000 digits")])
    }

    @Test func decimalsAsIntegersCountTheirLastDigit() throws {
        var conversion = Conversion(.decimal)
        conversion.isInteger = true
        let values: [(String, Int, Int64)] = [
            ("19.90", 2, 1990), ("19.9", 2, 1990), ("-0.5", 2, -50), ("0", 2, 0), ("-0.00", 2, 0), ("1e3", 0, 1000),
            ("92233720368547758.07", 2, .max), ("-92233720368547758.08", 2, .min), ("0.000000000000000001", 18, 1),
        ]
        for (text, scale, value) in values {
            conversion.scale = scale
            #expect(try convert([.number(text), .string(text)], conversion) == [.integer(value), .integer(value)])
        }
        conversion.scale = 2
        for text in ["92233720368547758.08", "-92233720368547758.09", "1e17", "1e99999999999999999999"] {
            #expect(
                try convert([.number(text)], conversion)
                    == [
                        .fault("decimal expected, but the number \(text) is beyond 64 bits, in units of its last digit")
                    ])
        }
        #expect(
            try convert([.number("0.001")], conversion)
                == [
                    .fault(
                        "decimal expected, but the number 0.001 has more than 2 digits behind the point: see \"scale\"")
                ])
        #expect(try convert(["x"], conversion) == [.fault("decimal expected, found the string \"x\"")])
    }

    @Test(arguments: ["1e1000", "1e-1000", "1e99999999999999999999", "-1e-999999999"])
    func decimalsDoNotExplode(_ text: String) throws {
        #expect(
            try convert(.number(text), .decimal)
                == .fault("decimal expected, but the number \(text) would need more than 1000 digits"))
        #expect(try convert(.number("1e999"), .decimal) == .text("1" + String(repeating: "0", count: 999)))
    }

    @Test func decimalsEqualFoundations() throws {
        let texts = (0..<10_000).map { _ in
            "\(Int64.random(in: .min ... .max) >> Int64.random(in: 0...63))e\(Int.random(in: -40...40))"
        }
        let found = try convert(texts.map { .number($0) }, Conversion(.decimal))
        for (text, value) in zip(texts, found) {
            let expected = try #require(Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")))
            if value != .text(expected.description) { Issue.record("\(text) became \(value)") }
        }
    }

    @Test func integersEqualSwifts() throws {
        var texts: [String] = []
        for _ in 0..<10_000 {
            let value = Int64.random(in: .min ... .max) >> Int64.random(in: 0...63)
            let zeros = Int.random(in: 0...3)
            texts.append("\(value)" + String(repeating: "0", count: zeros) + "e-\(zeros)")
            texts.append("\(value)")
        }
        let found = try convert(texts.map { .number($0) }, Conversion(.integer))
        for (text, value) in zip(texts, found) {
            let digits = try #require(text.split(separator: "e").first)
            let zeros = text.split(separator: "e").dropFirst().first.flatMap { Int($0.dropFirst()) } ?? 0
            let expected = try #require(Int64(digits.dropLast(zeros)))
            if value != .integer(expected) { Issue.record("\(text) became \(value)") }
        }
    }
}
