import SluiceRecords
import SluiceTransform
import Testing

/// Which values an attribute may have: `min`, `max`, `oneOf`.
@Suite struct BoundsTests {
    /// What becomes of values: typed, or the reason of their fault.
    private func outcomes(
        _ conversion: Conversion, _ values: [Raw], _ change: (inout Attribute.Bounds) -> Void
    ) throws -> [String] {
        var attribute = Attribute(name: "a", value: slot(0), conversion: conversion)
        change(&attribute.bounds)
        let bench = try Bench(Model(entities: [Bench.entity(slots: 1, attributes: [attribute])]))
        for value in values { bench.append([value]) }
        bench.transform()
        return values.indices.map { row in
            bench.batch.faults.first { $0.row == row }?.reason ?? "taken"
        }
    }

    @Test func numbers() throws {
        for type in [AttributeType.integer, .real, .decimal] {
            let found = try outcomes(Conversion(type), [-1, 0, 5, 10, 11, .null, .absent, "7", "70"]) {
                $0.min = .number("0")
                $0.max = .number("1e1")
            }
            #expect(
                found == [
                    "at least 0 expected, found the number -1", "taken", "taken", "taken",
                    "at most 1e1 expected, found the number 11", "taken", "taken", "taken",
                    "at most 1e1 expected, found the string \"70\"",
                ], "\(type)")
        }
    }

    /// As numbers, not as texts.
    @Test(arguments: [(Int?.none, false), (2, false), (2, true)]) func decimals(scale: Int?, isInteger: Bool) throws {
        var conversion = Conversion(.decimal)
        (conversion.scale, conversion.isInteger) = (scale, isInteger)
        let found = try outcomes(conversion, ["9.5", "10", "-9", "100", "1e2", "99.99"]) {
            $0.min = .text("9.50")
            $0.max = .number("99.99")
        }
        #expect(found.map { $0 == "taken" } == [true, true, false, false, false, true])
    }

    @Test func datesAndTimes() throws {
        let days = try outcomes(Conversion(.date, format: "%d.%m.%Y"), ["31.12.2019", "01.01.2020", "02.02.2021"]) {
            $0.min = .text("01.01.2020")
            $0.max = .text("31.12.2020")
        }
        #expect(
            days == [
                "at least \"01.01.2020\" expected, found the string \"31.12.2019\"", "taken",
                "at most \"31.12.2020\" expected, found the string \"02.02.2021\"",
            ])
        // As moments.
        let times = try outcomes(
            Conversion(.datetime), ["2020-01-01T00:30:00+01:00", "2020-01-01T00:00:00Z", "2019-12-31T23:00:00-01:00"]
        ) { $0.min = .text("2020-01-01T01:00:00+01:00") }
        #expect(times.map { $0 == "taken" } == [false, true, true])
    }

    @Test func choices() throws {
        let texts = try outcomes(Conversion(.text), ["a", "A", "", "b"]) { $0.oneOf = [.text("a"), .text("b")] }
        #expect(
            texts == [
                "taken", "one of \"a\", \"b\" expected, found the string \"A\"",
                "one of \"a\", \"b\" expected, found the string \"\"", "taken",
            ])
        let numbers = try outcomes(Conversion(.integer), [1, 2, "3", "3.0"]) { $0.oneOf = [.number("1"), .text("3")] }
        #expect(numbers.map { $0 == "taken" } == [true, false, true, true])
    }

    @Test func whatIsImpossible() {
        var bounds = Attribute.Bounds()
        (bounds.min, bounds.max) = (.number("10"), .number("9"))
        for type in [AttributeType.integer, .real, .decimal] {
            #expect(Transformer.check(bounds: bounds, as: Conversion(type))?.contains("the former is greater") == true)
        }
        bounds.max = .number("10.0")
        #expect(Transformer.check(bounds: bounds, as: Conversion(.decimal)) == nil)
    }
}
