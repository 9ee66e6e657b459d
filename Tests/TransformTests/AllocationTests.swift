import AllocationCounter
import SluiceRecords
import SluiceTransform
import Testing

/// Making values of the usual types asks for no memory, but for the arena of the batch, which grows and stays.
@Suite(.enabled(if: countsAllocations())) struct AllocationTests {
    private static let types: [(AttributeType, Raw)] = [
        (.text, "caf\u{e9}"), (.text, .number("12.50")), (.integer, 42), (.real, .number("-52.5")),
        (.real, .number("0.1234567890123456789012")), (.decimal, .number("1.500")), (.boolean, .yes),
        (.date, "2026-11-21"), (.datetime, "2026-11-21T10:00:00.5+01:00"), (.json, .json("[1]")), (.bytes, "AAEC"),
    ]

    /// A batch that has been transformed before, so that its arena has grown.
    private func allocations(_ attribute: Attribute, _ value: Raw, rows: Int) throws -> UInt64 {
        let bench = try Bench(Model(entities: [Bench.entity(slots: 1, attributes: [attribute])]))
        var made: UInt64 = 0
        for _ in 0..<3 {
            bench.batch.reset()
            for _ in 0..<rows { bench.append([value]) }
            let before = countOfAllocations()
            bench.transform()
            made = countOfAllocations() - before
            #expect(bench.batch.faults.isEmpty)
        }
        return made
    }

    @Test(arguments: 0..<types.count) func noneForAValue(_ index: Int) throws {
        let (type, value) = Self.types[index]
        let attribute = Attribute(name: "a", value: ValueRule(.slot(0)), conversion: Conversion(type))
        #expect(try allocations(attribute, value, rows: 1000) == allocations(attribute, value, rows: 100))
    }

    @Test func noneForARule() throws {
        let rule = first(slot(0) { $0.nullIf = [.text("x")] }, slot(0)) { rule in
            rule.trim = true
            rule.match = "[a-z]+"
            rule.fallback = .text("none")
        }
        let attribute = Attribute(name: "a", value: rule, conversion: Conversion(.text))
        #expect(try allocations(attribute, " caf\u{e9}", rows: 1000) == allocations(attribute, " x", rows: 100))
    }
}
