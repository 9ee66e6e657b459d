import SluiceRecords
import SluiceTransform
import Testing

/// Whole rows and batches.
@Suite struct TransformerTests {
    private func attribute(_ name: String, _ index: Int, _ type: AttributeType, required: Bool = false) -> Attribute {
        var attribute = Attribute(name: name, value: slot(index), conversion: Conversion(type))
        attribute.required = required
        return attribute
    }

    @Test func allFaultsOfARecordAreTold() throws {
        let attributes = [
            attribute("id", 0, .text), attribute("count", 1, .integer), attribute("name", 2, .text, required: true),
        ]
        let bench = try Bench(Model(entities: [Bench.entity(slots: 3, attributes: attributes, identifier: [0])]))
        bench.append(["a", 1, "x"])
        bench.append([.null, "many", .absent])
        bench.append([.absent, .null, .null])
        bench.append(["b", .null, ""])
        bench.transform()
        #expect(bench.row(0) == ["a", 1, "x"])
        #expect(bench.row(3) == ["b", .null, ""])
        let faults = bench.batch.faults.map { "\($0.row) \($0.member): \($0.reason)" }
        #expect(
            faults == [
                "1 id: identifier, but null, from \"x\"", "1 count: integer expected, found the string \"many\"",
                "1 name: required, but absent: there is no x", "2 id: identifier, but absent: there is no x",
                "2 name: required, but null, from \"x\"",
            ])
        #expect(bench.batch.sections[0].status[1] == .rejected)
    }

    @Test func requiredComesAfterDefault() throws {
        var name = attribute("name", 0, .text, required: true)
        name.value.fallback = .text("none")
        let bench = try Bench(Model(entities: [Bench.entity(slots: 1, attributes: [name])]))
        bench.append([.null])
        bench.transform()
        #expect(bench.row(0) == ["none"])
    }

    @Test func onlyCompleteRowsAreTransformed() throws {
        let bench = try Bench(
            Model(entities: [Bench.entity(slots: 1, attributes: [attribute("a", 0, .integer, required: true)])]))
        for status in [RowStatus.open, .rejected, .dropped, .complete] { bench.append([.null], status: status) }
        bench.transform()
        #expect(bench.batch.faults.map(\.row) == [3])
        #expect(bench.batch.sections[0].status[0] == .open)
        #expect(bench.batch.sections[0].status[2] == .dropped)
    }

    /// What is left out is no record: it has no number, and is no reject.
    @Test func recordsThatCountAreNumbered() throws {
        var conditional = Bench.entity(slots: 1, attributes: [attribute("a", 0, .text)])
        conditional.conditions = [RecordCondition(slot: 0, values: [.text("x")])]
        let bench = try Bench(Model(entities: [Bench.entity(slots: 1), conditional]))
        /// Transforms a batch of rows, with the numbers that the reader gave them, and returns those that they have
        /// then.
        func numbers(_ rows: [(record: UInt64, value: Raw, status: RowStatus)], entity: Int = 1) -> [UInt64] {
            bench.batch.reset()
            for row in rows {
                let index = bench.append([row.value], entity: entity, status: row.status)
                unsafe bench.batch.sections[entity].positions.base[index].record = row.record
                guard row.status == .rejected else { continue }
                bench.batch.faults.append(Fault(entity: entity, row: index, member: "@", reason: "broken"))
            }
            bench.transform()
            let section = bench.batch.sections[entity]
            let kept = (0..<section.count).filter { section.status[$0] != .dropped }
            #expect(bench.batch.faults.map(\.row) == kept.filter { section.status[$0] == .rejected })
            return kept.map { section.positions[$0].record }
        }
        #expect(
            numbers([
                (0, "y", .complete), (1, "x", .complete), (2, "y", .rejected), (3, "x", .rejected),
                (4, .broken, .rejected),
            ]) == [0, 1])
        // A row that was moved to another batch is no record here.
        #expect(numbers([(5, "y", .dropped), (5, "x", .complete), (6, "x", .complete)]) == [2, 3])
        // The next source.
        #expect(numbers([(0, "x", .complete), (1, "y", .complete), (2, "x", .complete)]) == [0, 1])
        #expect(numbers([(0, "y", .complete), (1, "x", .rejected)], entity: 0) == [0, 1])
    }

    @Test func rowsThatDoNotMeetTheConditionsAreDropped() throws {
        var entity = Bench.entity(slots: 3, attributes: [attribute("a", 0, .integer)])
        entity.conditions = [
            RecordCondition(slot: 1, values: [.text("stop"), .number("1")]),
            RecordCondition(slot: 2, values: [.boolean(true), .null]),
        ]
        let bench = try Bench(Model(entities: [entity]))
        let rows: [([Raw], Typed)] = [
            ([1, "stop", .yes], 1), ([2, .number("1.0"), .null], 2), ([3, "1", .yes], .dropped),
            ([4, "stop", .no], .dropped), ([5, "stop", .absent], .dropped), ([6, "Stop", .yes], .dropped),
            ([7, .object, .yes], .dropped), ([8, .broken, .yes], .dropped), (["faulty", .null, .yes], .dropped),
            ([9, .json("\"st\\u006fp\""), .json("null")], 9), ([10, .json("\"\\ud800\""), .yes], .dropped),
        ]
        for (values, _) in rows { bench.append(values) }
        bench.transform()
        for (index, row) in rows.enumerated() { #expect(bench.row(index) == [row.1]) }
        #expect(bench.batch.faults.isEmpty)
    }

    @Test func entitiesAreTransformedEach() throws {
        let one = Bench.entity(slots: 1, attributes: [attribute("a", 0, .integer)])
        var two = Bench.entity(slots: 2, attributes: [attribute("b", 1, .text), attribute("c", 0, .date)])
        two.relationships = [
            Relationship(
                name: "r", targets: [.init(entity: 0, conversions: [Conversion(.integer)])], key: [ValueRule(.slot(1))])
        ]
        let bench = try Bench(Model(entities: [one, two]))
        bench.append([7])
        bench.append(["2026-11-20", "8"], entity: 1)
        bench.append(["soon", "8"], entity: 1)
        bench.transform()
        #expect(bench.row(0) == [7])
        #expect(bench.row(0, entity: 1) == ["8", "2026-11-20", 8])
        #expect(bench.batch.faults.map { "\($0.entity) \($0.row) \($0.member)" } == ["1 1 c"])
    }

    @Test func aBatchIsUsedAgain() throws {
        let attributes = [
            Attribute(name: "a", value: join(slot(0), slot(0)), conversion: Conversion(.text)),
            Attribute(name: "b", value: slot(0), conversion: Conversion(.real)),
        ]
        let bench = try Bench(Model(entities: [Bench.entity(slots: 1, attributes: attributes)]))
        for round in 0..<3 {
            bench.batch.reset()
            // Enough to make the arena grow while values are added to it.
            for number in 0..<40_000 { bench.append([.number("\(number).\(round + 1)")]) }
            bench.append(["x"])
            bench.transform()
            for number in stride(from: 0, to: 40_000, by: 997) {
                let text = "\(number).\(round + 1)"
                #expect(bench.row(number) == [.text("\(text)/\(text)"), .real(Double(text) ?? -1)])
            }
            #expect(bench.batch.faults.map(\.row) == [40_000])
        }
    }

    @Test func failuresSayWhere() throws {
        var attribute = attribute("born", 0, .datetime)
        attribute.conversion.timeZone = "Europe/Atlantis"
        #expect(
            throws: Failure(.definition, "E.born: there is no time zone Europe/Atlantis in /usr/share/zoneinfo")
        ) { try Transformer(model: Model(entities: [Bench.entity(slots: 1, attributes: [attribute])])) }
        let target = Relationship.Target(entity: 0, conversions: [Conversion(.text), Conversion(.text)])
        let relationship = Relationship(name: "r", targets: [target], key: [slot(0)])
        #expect(throws: Failure.self) {
            try Transformer(
                model: Model(entities: [Bench.entity(slots: 1, relationships: [relationship, relationship])]))
        }
    }

    @Test func literalsAreChecked() {
        #expect(Transformer.check(literal: .text("5"), as: Conversion(.integer)) == nil)
        #expect(Transformer.check(literal: .null, as: Conversion(.integer)) == nil)
        #expect(Transformer.check(literal: .json("{}"), as: Conversion(.json)) == nil)
        #expect(
            Transformer.check(literal: .text("n/a"), as: Conversion(.real)) == "real expected, found the string \"n/a\""
        )
        #expect(
            Transformer.check(literal: .json("[]"), as: Conversion(.text)) == "text expected, found an array")
        #expect(
            Transformer.check(literal: .text("20.11."), as: Conversion(.date, format: "%d.%m."))
                == "the format %d.%m. has no year (%Y)")
    }
}
