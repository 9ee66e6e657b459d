import SluiceRecords
import Testing

/// What `where` takes.
@Suite struct ConditionTests {
    /// Whether a condition takes a record of some slots.
    private func takes(_ condition: RecordCondition, _ slots: [Raw]) throws -> Bool {
        let attribute = Attribute(name: "a", value: ValueRule(.slot(0)), conversion: Conversion(.json))
        var entity = Bench.entity(slots: slots.count + 1, attributes: [attribute])
        entity.conditions = [condition]
        let bench = try Bench(Model(entities: [entity]))
        bench.append(slots)
        bench.transform()
        return bench.row(0) != [.dropped]
    }

    private func fits(_ value: Raw, _ test: ValueTest) throws -> Bool {
        let fits = try takes(.value(slot: 0, test), [value])
        #expect(try takes(.value(slot: 0, .not(test)), [value]) != fits)
        return fits
    }

    @Test func numbersAreComparedExactly() throws {
        let ordered: [String] = [
            "-1e400", "-9007199254740993", "-9007199254740992.5", "-2", "-1.5", "-1e-400", "0", "1e-400", "0.1",
            "0.10000000000000000000001", "1", "9.99", "10", "123456789012345678901", "123456789012345678902", "1e400",
        ]
        for (index, one) in ordered.enumerated() {
            for (other, text) in ordered.enumerated() {
                let literal = Literal.number(text)
                #expect(try fits(.number(one), .compares(.less, literal)) == (index < other), "\(one) < \(text)")
                #expect(try fits(.number(one), .compares(.lessOrEqual, literal)) == (index <= other))
                #expect(try fits(.number(one), .compares(.greater, literal)) == (index > other))
                #expect(try fits(.number(one), .compares(.greaterOrEqual, literal)) == (index >= other))
            }
        }
        for (one, other) in [("-0", "0"), ("1.0", "1"), ("100", "1e2"), ("12e-1", "1.20")] {
            #expect(try fits(.number(one), .compares(.lessOrEqual, .number(other))))
            #expect(try fits(.number(one), .compares(.greaterOrEqual, .number(other))))
            #expect(try !fits(.number(one), .compares(.less, .number(other))))
        }
        #expect(try fits(.index(3), .compares(.greater, .number("2.5"))))
    }

    @Test func textsAreComparedByTheirCharacters() throws {
        let ordered: [String] = ["", "A", "AB", "B", "a", "z", "é", "\u{ffff}", "\u{10000}"]
        for (index, one) in ordered.enumerated() {
            for (other, text) in ordered.enumerated() {
                #expect(try fits(.string(one), .compares(.less, .text(text))) == (index < other))
                #expect(try fits(.string(one), .compares(.greaterOrEqual, .text(text))) == (index >= other))
            }
        }
        #expect(try fits("2026-11-20", .compares(.greater, .text("2026-11-19T23:59:59Z"))))
        #expect(try fits("2026-11-20", .compares(.less, .text("2026-12"))))
    }

    @Test func timesAreComparedAsTimes() throws {
        let noon = Literal.text("2026-11-20T12:00:00Z")
        #expect(try fits("2026-11-20T13:30:00+02:00", .compares(.less, noon)))
        #expect(try fits("2026-11-20T12:00:00.001Z", .compares(.greater, noon)))
        #expect(try fits("2026-11-20T13:00:00+01:00", .compares(.lessOrEqual, noon)))
        #expect(try fits("2026-11-20T13:00:00+01:00", .compares(.greaterOrEqual, noon)))
        // Without an offset it is a text.
        #expect(try fits("2026-11-20T12:30:00", .compares(.greater, noon)))
    }

    @Test func differentTypesAreNotCompared() throws {
        let values: [Raw] = ["5", .yes, .null, .absent, .object, .array, .broken, .json("[5]")]
        for value in values { #expect(try !fits(value, .compares(.lessOrEqual, .number("9")))) }
        for value in [5, .yes, .null, .absent, .object, .array, .broken] as [Raw] {
            #expect(try !fits(value, .compares(.greaterOrEqual, .text(""))))
        }
    }

    @Test func presence() throws {
        for value in [1, "", .null, .no, .object, .array, .broken] as [Raw] { #expect(try fits(value, .isPresent)) }
        #expect(try !fits(.absent, .isPresent))
    }

    @Test func types() throws {
        let values: [(Raw, JSONType)] = [
            (.null, .null), (.yes, .boolean), (.no, .boolean), (1, .number), (.index(1), .number), ("1", .string),
            (.broken, .string), (.key("k"), .string), (.array, .array), (.object, .object), (.json("[1]"), .array),
            (.json("{}"), .object), (.json("1.5"), .number), (.json("\"x\""), .string),
        ]
        for (value, type) in values {
            for other in JSONType.allCases {
                #expect(try fits(value, .hasType([other])) == (other == type), "\(value)")
            }
            #expect(try fits(value, .hasType(JSONType.allCases)))
        }
        #expect(try !fits(.absent, .hasType(JSONType.allCases)))
    }

    @Test func patterns() throws {
        let digits = ValueTest.matches("^\\d+(x)?$")
        #expect(try fits("12", digits) && fits(12, digits) && fits("12x", digits))
        #expect(try fits(.yes, .matches("tru")))
        for value in ["12y", .null, .absent, .object, .array, .broken] as [Raw] { #expect(try !fits(value, digits)) }
    }

    @Test func testsOfOneValueAndOfSeveral() throws {
        let test = ValueTest.all([.compares(.greater, .number("1")), .any([.isOne(of: [.number("5")]), .isPresent])])
        #expect(try fits(5, test) && !fits(1, test))
        let condition = RecordCondition.value(slot: 0, test)
        // One and the same value must meet all of it.
        #expect(try takes(condition, [.list([0, "5", 2])]))
        #expect(try !takes(condition, [.list([0, "5"])]))
        #expect(try !takes(condition, [.list([])]))
        #expect(try takes(.value(slot: 0, .not(.isOne(of: [.text("x")]))), [.list(["x", "y"])]))
        #expect(try !takes(.not(.value(slot: 0, .isOne(of: [.text("x")]))), [.list(["x", "y"])]))
        #expect(try takes(.not(.value(slot: 0, .isPresent)), [.list([])]))
    }

    @Test func conditionsOfConditions() throws {
        let one = RecordCondition(slot: 0, values: [.number("1")])
        let two = RecordCondition(slot: 1, values: [.number("2")])
        let expected: [(RecordCondition, [Bool])] = [
            (.all([one, two]), [true, false, false, false]), (.any([one, two]), [true, true, true, false]),
            (.not(.all([one, two])), [false, true, true, true]),
            (.not(.any([one, two])), [false, false, false, true]),
            (.any([.all([one, .not(two)]), .all([.not(one), two])]), [false, true, true, false]),
        ]
        let records: [[Raw]] = [[1, 2], [1, 0], [0, 2], [.absent, 0]]
        for (condition, taken) in expected { #expect(try records.map { try takes(condition, $0) } == taken) }
    }

    @Test func aWrongPatternIsTold() {
        var entity = Bench.entity(slots: 1)
        entity.conditions = [.value(slot: 0, .not(.matches("(")))]
        #expect(throws: Failure.self) { try Bench(Model(entities: [entity])) }
    }
}
