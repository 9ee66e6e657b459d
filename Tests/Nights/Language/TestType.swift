import Foundation
import SluiceRecords
import TestSupport

/// The types of attributes, some in several ways, and what they take, in the simplest way.
enum TestType: CaseIterable {
    case text, integer, real, decimal, boolean, date, writtenDate, datetime, localTime, unix, unixMilliseconds, json
    case bytes
    /// With digits that the definition counts: a time, an amount of money, and the same as an integer.
    case tenths, price, cents
    /// Of two parts or three, and in milliseconds.
    case duration, laps

    /// What a definition says of it.
    var keys: [(key: String, value: String)] {
        switch self {
        case .writtenDate: [("type", "date"), ("format", "%d.%m.%Y")]
        case .localTime: [("type", "datetime"), ("format", "%Y-%m-%d %H:%M"), ("timeZone", "Europe/Berlin")]
        case .unix: [("type", "datetime"), ("format", "unix")]
        case .unixMilliseconds: [("type", "datetime"), ("format", "unix-ms")]
        case .tenths: [("type", "datetime"), ("format", "unix"), ("fraction", "1")]
        case .price: [("type", "decimal"), ("scale", "2")]
        case .cents: [("type", "decimal"), ("scale", "2"), ("as", "integer")]
        case .laps: [("type", "duration"), ("format", "m:s"), ("fraction", "3")]
        default: [("type", "\(self)")]
        }
    }

    var attributeType: AttributeType {
        switch self {
        case .writtenDate: .date
        case .localTime, .unix, .unixMilliseconds, .tenths: .datetime
        case .price, .cents: .decimal
        case .laps: .duration
        default: AttributeType(rawValue: "\(self)") ?? .text
        }
    }

    /// How its values are stored.
    var conversion: Conversion {
        var conversion = Conversion(attributeType)
        if self == .price || self == .cents { conversion.scale = 2 }
        conversion.isInteger = self == .cents
        if self == .tenths { conversion.fraction = 1 }
        if self == .laps { conversion.fraction = 3 }
        return conversion
    }

    /// All texts of the tests that are dates or times, as they are stored.
    private static let moments: [TestType: [Text: Text]] = [
        .date: ["2024-02-29": "2024-02-29", "2026-11-20": "2026-11-20"],
        .writtenDate: ["29.02.2024": "2024-02-29", "20.11.2026": "2026-11-20"],
        .datetime: [
            "2026-11-20T23:13:00.250Z": "2026-11-20T23:13:00.250000Z",
            "2026-11-20T23:13:00+01:00": "2026-11-20T22:13:00.000000Z",
            "2026-11-20 22:13:00z": "2026-11-20T22:13:00.000000Z",
        ],
        .localTime: [
            "2026-07-01 12:00": "2026-07-01T10:00:00.000000Z", "2026-12-01 12:00": "2026-12-01T11:00:00.000000Z",
        ],
    ]

    /// Texts of the tests that are durations, in milliseconds; the last one is of two parts.
    private static let durations: [Text: Int64] = [
        "25:10:00": 90_600_000, "PT1H30M": 5_400_000, "-P1DT0.5S": -86_400_500, "0:00:01.250": 1250, "3:45": 225_000,
    ]

    /// Texts that look like dates and times, some of which are none.
    static let writtenMoments: [Text] =
        moments.values.flatMap(\.keys).sorted() + [
            "25:10:00", "PT1H30M", "-P1DT0.5S", "0:00:01.250", "3:45", "P1M", "1:60:00", "2023-02-29", "30.02.2024",
            "2026-03-29 02:30", "2026-11-20T23:13:00",
        ]

    /// A value that a definition may give for the type.
    func literal(_ random: inout SeededRandom) -> TestLiteral {
        switch self {
        case .text: [.text("b"), .text(""), .number("7.0"), .boolean(true)][random.below(4)]
        case .integer, .unix, .unixMilliseconds, .tenths: [.number("1"), .text("2"), .number("3.0")][random.below(3)]
        case .real, .decimal, .price, .cents: [.number("2.50"), .text("1"), .number("3")][random.below(3)]
        case .boolean: [.boolean(false), .text("true"), .number("0")][random.below(3)]
        case .date, .writtenDate, .datetime, .localTime:
            .text((TestType.moments[self] ?? [:]).keys.sorted()[random.below(2)])
        case .json:
            [.text("b"), .number("1.0"), .boolean(true), .json("{\"a\":[1,null]}"), .json("[]")][random.below(5)]
        case .bytes: [.text("YWI="), .text("")][random.below(2)]
        case .duration, .laps: [.number("2"), .text("PT1H30M"), .text("25:10:00")][random.below(3)]
        }
    }
}

extension TestType {
    /// What is stored for a value that is neither null nor absent.
    func convert(_ raw: TestRaw) throws(TestFault) -> TestValue {
        if self == .json { return .text(try TestType.json(raw)) }
        switch raw {
        case .null, .absent, .list, .object, .array, .json: throw TestFault()
        case .boolean(let value): return try convert(value)
        case .number(let number): return try convert(number: number, isText: false)
        case .string(let text): return try convert(text)
        }
    }

    private static func json(_ raw: TestRaw) throws(TestFault) -> Text {
        switch raw {
        case .null, .absent, .list, .object, .array: throw TestFault()
        case .json(let json): return Text(json)
        case .boolean(let value): return value ? "true" : "false"
        case .number(let number): return Text(number)
        case .string(let text):
            let plain = text.description.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            return Text("\"" + plain + "\"")
        }
    }

    private func convert(_ value: Bool) throws(TestFault) -> TestValue {
        switch self {
        case .text: return .text(value ? "true" : "false")
        case .boolean: return .integer(value ? 1 : 0)
        default: throw TestFault()
        }
    }

    private func convert(_ text: Text) throws(TestFault) -> TestValue {
        switch self {
        case .text: return .text(text)
        case .boolean:
            guard let value: Int64 = ["true": 1, "1": 1, "false": 0, "0": 0][text] else { throw TestFault() }
            return .integer(value)
        case .date, .writtenDate, .datetime, .localTime:
            guard let moment = TestType.moments[self]?[text] else { throw TestFault() }
            return .text(moment)
        case .bytes: return .bytes(try TestType.bytes(text.description))
        case .duration where TestType.durations[text] != nil && text != "3:45":
            return .integer(try TestType.whole(Decimal(TestType.durations[text] ?? 0) / 1000))
        case .laps where TestType.durations[text] != nil: return .integer(TestType.durations[text] ?? 0)
        default: return try convert(number: text.description, isText: true)
        }
    }

    private func convert(number: String, isText: Bool) throws(TestFault) -> TestValue {
        if self == .text { return .text(Text(number)) }
        guard let value = TestType.decimal(number) else { throw TestFault() }
        switch self {
        case .integer, .duration: return .integer(try TestType.whole(value))
        case .laps: return .integer(try TestType.whole(value * 1000))
        case .real:
            guard let double = Double("\(value)") else { throw TestFault() }
            return .real(double)
        case .decimal: return .text(Text("\(value)"))
        case .boolean:
            guard !isText, value == 0 || value == 1 else { throw TestFault() }
            return .integer(value == 0 ? 0 : 1)
        case .unix: return .text(try TestType.moment(value))
        case .unixMilliseconds: return .text(try TestType.moment(value / 1000))
        case .tenths: return .text(try TestType.moment(value, digits: 1))
        case .price: return .text(Text(try TestType.padded("\(value)", digits: 2)))
        case .cents:
            guard let integer = Int64("\(value * 100)") else { throw TestFault() }
            return .integer(integer)
        default: throw TestFault()
        }
    }

    private static func whole(_ value: Decimal) throws(TestFault) -> Int64 {
        guard let integer = Int64("\(value)") else { throw TestFault() }
        return integer
    }

    /// A number as JSON or a text writes it.
    static func decimal(_ text: String) -> Decimal? {
        isNumber(text) ? Decimal(string: text, locale: TestType.plain) : nil
    }

    private static let plain = Locale(identifier: "C")

    /// Whether all of a text is `[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?`. Compiling that for each number
    /// takes a sixth of a night.
    private static func isNumber(_ text: String) -> Bool {
        var rest = text.utf8[...]
        func skip(_ bytes: String) -> Bool {
            guard let first = rest.first, bytes.utf8.contains(first) else { return false }
            rest = rest.dropFirst()
            return true
        }
        func skipDigits() -> Bool {
            let before = rest.count
            while skip("0123456789") {}
            return rest.count < before
        }
        _ = skip("+-")
        let isWhole = skipDigits()
        let hasFraction = skip(".") && skipDigits()
        guard isWhole || hasFraction else { return false }
        if skip("eE") {
            _ = skip("+-")
            guard skipDigits() else { return false }
        }
        return rest.isEmpty
    }

    private static func bytes(_ text: String) throws(TestFault) -> [UInt8] {
        var digits = text
        if text.utf8.count % 4 == 0 {
            for _ in 0..<2 where digits.hasSuffix("=") { digits.removeLast() }
        }
        let padded = digits + String(repeating: "=", count: (4 - digits.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: padded), data.base64EncodedString() == padded else { throw TestFault() }
        return [UInt8](data)
    }

    /// A number with so many digits behind the point.
    private static func padded(_ number: String, digits: Int) throws(TestFault) -> String {
        let parts = number.split(separator: ".")
        let fraction = parts.count > 1 ? parts[1] : ""
        guard fraction.count <= digits else { throw TestFault() }
        return parts[0] + "." + fraction + String(repeating: "0", count: digits - fraction.count)
    }

    /// Seconds since 1970, in years of four digits.
    private static func moment(_ seconds: Decimal, digits: Int = 6) throws(TestFault) -> Text {
        guard seconds > -62_135_596_800, seconds < 253_402_300_800 else { throw TestFault() }
        var (exact, whole) = (seconds, Decimal())
        unsafe NSDecimalRound(&whole, &exact, 0, .down)
        let formatter = ISO8601DateFormatter()
        let text = formatter.string(from: Date(timeIntervalSince1970: Double("\(whole)") ?? 0))
        let fraction = try padded("\(seconds - whole)", digits: digits)
        return Text(text.dropLast() + fraction.dropFirst() + "Z")
    }
}
