import Foundation
import SluiceRecords
import TestSupport
import Testing

@testable import SluiceSchema
@testable import SluiceStoreSQLite

/// Stored values take another form without loss, or not at all.
@Suite struct FormConversionTests {
    private static let (text, integer, real, boolean) = (
        StoredForm(.text), StoredForm(.integer), StoredForm(.real), StoredForm(.boolean)
    )
    private static let (date, decimal, old) = (StoredForm(.date), StoredForm(.decimal), StoredForm(.datetime))

    private static func time(_ digits: Int) -> StoredForm { StoredForm(.datetime, fraction: digits) }
    private static func decimal(_ scale: Int) -> StoredForm { StoredForm(.decimal, scale: scale) }
    private static func cents(_ scale: Int) -> StoredForm { StoredForm(.decimal, scale: scale, isInteger: true) }

    private func convert(_ value: StoredValue, _ from: StoredForm, _ to: StoredForm) throws -> StoredValue? {
        try #require(FormConversion(from: from, to: to)).convert(value)
    }

    struct Case {
        var value: StoredValue
        var from: StoredForm
        var to: StoredForm
        var expected: StoredValue?

        init(_ value: StoredValue, _ from: StoredForm, _ to: StoredForm, _ expected: StoredValue? = nil) {
            self.value = value
            self.from = from
            self.to = to
            self.expected = expected
        }
    }

    /// Of random values of a form, two that become one are of a conversion that says so.
    @Test(arguments: 0..<20) func whatMayJoin(seed: Int) {
        var random = SeededRandom(seed)
        let numbers = ["0", "1", "1.0", "1.00", "10", "10.5", "10.50", "-1", "-1.0", "0.1", "0.10"]
        let times = ["2026-11-20T23:13:00Z", "2026-11-20T23:13:00.0Z", "2026-11-20T23:13:00.25Z", "2026-11-20"]
        let texts = numbers + times + ["true", "false", "x", "2024-02-29"]
        let forms =
            [Self.text, Self.integer, Self.real, Self.boolean, Self.date, Self.decimal, Self.old]
            + (0..<3).flatMap { [Self.time($0), Self.decimal($0), Self.cents($0), Self.duration($0)] }
        for from in forms {
            for to in forms {
                guard from != to, let conversion = FormConversion(from: from, to: to) else { continue }
                let values = (0..<40).compactMap { _ -> StoredValue? in
                    switch from.column {
                    case .integer: .integer(Int64(random.below(2000)) - 1000)
                    case .real: .real(Double(random.below(2000)) / 8 - 100)
                    case .text: .text(texts[random.below(texts.count)])
                    case .blob: nil
                    }
                }
                for value in values {
                    guard let new = conversion.convert(value) else { continue }
                    let twins = values.contains { $0 != value && conversion.convert($0) == new }
                    #expect(!twins || conversion.mayJoin, "\(from.name) to \(to.name): \(value)")
                }
            }
        }
    }

    private static func duration(_ digits: Int) -> StoredForm { StoredForm(.duration, fraction: digits) }

    static let fitting: [Case] = [
        Case(.integer(90), integer, duration(0), .integer(90)),
        Case(.integer(-90), integer, duration(3), .integer(-90_000)),
        Case(.integer(90), duration(0), duration(3), .integer(90_000)),
        Case(.integer(1500), duration(3), duration(1), .integer(15)),
        Case(.integer(2000), duration(3), integer, .integer(2)),
        Case(.integer(-7), integer, text, .text("-7")),
        Case(.integer(7), integer, real, .real(7)),
        Case(.integer(1 << 53), integer, real, .real(0x1p53)),
        Case(.integer(.min), integer, text, .text("\(Int64.min)")),
        Case(.integer(120), integer, decimal, .text("120")),
        Case(.integer(120), integer, decimal(2), .text("120.00")),
        Case(.integer(120), integer, cents(2), .integer(12000)),
        Case(.integer(1), integer, boolean, .integer(1)),
        Case(.real(2), real, integer, .integer(2)),
        Case(.real(-0.0), real, integer, .integer(0)),
        Case(.real(0.1), real, decimal, .text("0.1")),
        Case(.real(1e-7), real, decimal, .text("0.0000001")),
        Case(.real(1.5e21), real, decimal, .text("1500000000000000000000")),
        Case(.real(19.9), real, cents(2), .integer(1990)),
        Case(.text("19.9"), decimal, decimal(2), .text("19.90")),
        Case(.text("-0.5"), decimal, decimal(3), .text("-0.500")),
        Case(.text("19.90"), decimal(2), decimal, .text("19.9")),
        Case(.text("19.90"), decimal(2), decimal(1), .text("19.9")),
        Case(.text("0"), decimal, decimal(2), .text("0.00")),
        Case(.text("19.9"), decimal, cents(2), .integer(1990)),
        Case(.integer(1990), cents(2), decimal, .text("19.9")),
        Case(.integer(5), cents(2), decimal(2), .text("0.05")),
        Case(.integer(-5), cents(2), text, .text("-0.05")),
        Case(.integer(1900), cents(2), integer, .integer(19)),
        Case(.integer(1990), cents(2), cents(3), .integer(19900)),
        Case(.integer(50), cents(2), real, .real(0.5)),
        Case(.text("19.90"), decimal(2), text, .text("19.90")),
        Case(.text("120"), decimal, integer, .integer(120)),
        Case(.text("0.1"), decimal, real, .real(0.1)),
        Case(.text("12"), text, integer, .integer(12)),
        Case(.text("-12"), text, integer, .integer(-12)),
        Case(.text("0"), text, integer, .integer(0)),
        Case(.text("1.50"), text, decimal, .text("1.5")),
        Case(.text("2.5"), text, real, .real(2.5)),
        Case(.text("true"), text, boolean, .integer(1)),
        Case(.text("false"), text, boolean, .integer(0)),
        Case(.text("2024-02-29"), text, date, .text("2024-02-29")),
        Case(.text("2024-02-29"), date, text, .text("2024-02-29")),
        Case(.text("2026-11-20T23:13:00.25Z"), text, time(3), .text("2026-11-20T23:13:00.250Z")),
        Case(.text("2026-11-20T23:13:00Z"), old, time(6), .text("2026-11-20T23:13:00.000000Z")),
        Case(.text("2026-11-20T23:13:00.25Z"), old, time(2), .text("2026-11-20T23:13:00.25Z")),
        Case(.text("2016-12-31T23:59:60.500000Z"), time(6), time(1), .text("2016-12-31T23:59:60.5Z")),
        Case(.text("2026-11-20T23:13:00.000Z"), time(3), time(0), .text("2026-11-20T23:13:00Z")),
        Case(.integer(1), boolean, integer, .integer(1)),
    ]

    @Test func nothingIsLost() throws {
        for example in Self.fitting {
            #expect(try convert(example.value, example.from, example.to) == example.expected, "\(example)")
        }
    }

    static let unfit: [Case] = [
        Case(.integer(1500), duration(3), duration(0)),
        Case(.integer(1500), duration(3), integer),
        Case(.integer(.max), integer, duration(1)),
        Case(.integer((1 << 53) + 1), integer, real),
        Case(.integer(2), integer, boolean),
        Case(.integer(.max), integer, cents(1)),
        Case(.real(2.5), real, integer),
        Case(.real(1e19), real, integer),
        Case(.real(0.125), real, decimal(2)),
        Case(.text("19.99"), decimal, decimal(1)),
        Case(.text("19.9"), decimal, integer),
        Case(.text("0.1234567890123456789"), decimal, real),
        Case(.integer(1990), cents(2), integer),
        Case(.integer(1995), cents(2), decimal(1)),
        Case(.text("007"), text, integer),
        Case(.text("+7"), text, integer),
        Case(.text("-0"), text, integer),
        Case(.text("1e3"), text, decimal),
        Case(.text(""), text, integer),
        Case(.text("1."), text, decimal),
        Case(.text("9223372036854775808"), text, integer),
        Case(.text("1"), text, boolean),
        Case(.text("2023-02-29"), text, date),
        Case(.text("2024-2-29"), text, date),
        Case(.text("2026-11-20T23:13:00+01:00"), text, time(6)),
        Case(.text("2026-11-20T24:13:00Z"), text, time(6)),
        Case(.text("2026-11-20T23:13:00.1234567Z"), old, time(6)),
        Case(.text("n/a"), old, time(6)),
        Case(.text("2026-11-20T23:13:00.250Z"), time(3), time(1)),
        Case(.blob, text, integer),
    ]

    @Test func whatDoesNotFitStays() throws {
        for example in Self.unfit {
            #expect(try convert(example.value, example.from, example.to) == nil, "\(example)")
        }
    }

    @Test func othersHaveNoWay() {
        let pairs: [(StoredForm, StoredForm)] = [
            (Self.text, StoredForm(.json)), (StoredForm(.json), Self.text), (StoredForm(.bytes), Self.text),
            (Self.real, Self.text), (Self.boolean, Self.text), (Self.date, Self.time(6)), (Self.integer, Self.time(6)),
        ]
        for (from, to) in pairs {
            #expect(FormConversion(from: from, to: to) == nil)
        }
    }

    @Test func theRemedyIsNamed() throws {
        let times = try #require(FormConversion(from: Self.old, to: Self.time(6)))
        #expect(times.remedy(.text("2026-11-20T23:13:00.12345678Z")) == "with \"fraction\": 8 it would")
        #expect(times.remedy(.text("2026-11-20T23:13:00.1234567890Z")) == "with \"fraction\": 9 it would")
        #expect(times.remedy(.text("2026-11-20T23:13:00.1234567891Z")) == nil)
        let prices = try #require(FormConversion(from: Self.decimal, to: Self.decimal(2)))
        #expect(prices.remedy(.text("1.2345")) == "with \"scale\": 4 it would")
    }

    /// There and back again, every number is what it was.
    @Test func numbersComeBack() throws {
        var random = SeededRandom(5)
        for _ in 0..<2000 {
            let value = Int64.random(in: .min ... .max, using: &random) >> Int64.random(in: 0...63, using: &random)
            for to in [Self.text, Self.decimal, Self.decimal(3)] {
                let there = try #require(try convert(.integer(value), Self.integer, to))
                #expect(try convert(there, to, Self.integer) == .integer(value))
            }
            let number = Double(bitPattern: UInt64.random(in: 0...(.max), using: &random))
            guard number.isFinite, number != 0 else { continue }
            let text = try #require(try convert(.real(number), Self.real, Self.decimal))
            #expect(try convert(text, Self.decimal, Self.real) == .real(number))
        }
    }

    // MARK: The SQL of a table

    @Test(arguments: [
        (
            "CREATE TABLE \"T\" (\n  \"objectID\" INTEGER PRIMARY KEY,\n  \"a\" TEXT NOT NULL,\n  \"b\" TEXT\n) STRICT",
            "CREATE TABLE \"T\" (\n  \"objectID\" INTEGER PRIMARY KEY,\n  \"a\" INTEGER NOT NULL,\n  \"b\" TEXT\n) STRICT"
        ),
        ("CREATE TABLE T(x TEXT,A TEXT)STRICT", "CREATE TABLE T(x TEXT,A INTEGER)STRICT"),
        (
            "CREATE TABLE \"a\"\"(\" (\"x,(\"\"\" TEXT, [a] TEXT CHECK (a <> 'a TEXT, a'), `b` TEXT)",
            "CREATE TABLE \"a\"\"(\" (\"x,(\"\"\" TEXT, [a] INTEGER CHECK (a <> 'a TEXT, a'), `b` TEXT)"
        ),
        (
            "CREATE TABLE T (b TEXT DEFAULT (max('a', 2)), -- a TEXT\n /* , a TEXT */ a /**/ TEXT, UNIQUE (a, b))",
            "CREATE TABLE T (b TEXT DEFAULT (max('a', 2)), -- a TEXT\n /* , a TEXT */ a /**/ INTEGER, UNIQUE (a, b))"
        ),
    ])
    func typesAreReplaced(sql: String, expected: String) {
        var table = TableSQL(sql)
        table.set([FoldedName("A"): .integer])
        #expect(table.sql == expected)
    }

    @Test func quotedNamesAreNames() {
        var table = TableSQL("CREATE TABLE T (\"x,(\"\"\" TEXT, \"ä\" TEXT)")
        table.set([FoldedName("x,(\""): .real, FoldedName("ä"): .blob])
        #expect(table.sql == "CREATE TABLE T (\"x,(\"\"\" REAL, \"ä\" BLOB)")
    }
}
