import SluiceRecords

// Conditions lie flat as well: those that another one is made of, side by side before it.
extension Planner {
    mutating func plan(_ list: [Condition], _ key: String, of entity: Entity) throws(Failure) -> Range<Int> {
        do throws(InvalidConversion) {
            return try plan(list)
        } catch {
            throw Planner.failure(entity, key, error)
        }
    }

    mutating func plan(_ list: [Condition]) throws(InvalidConversion) -> Range<Int> {
        let first = try add(list) { (planner, condition) throws(InvalidConversion) in try planner.plan(condition) }
        return first..<conditions.count
    }

    /// Adds plans side by side, behind those that they need, and returns the index of the first.
    private mutating func add<Element>(
        _ elements: [Element], _ plan: (inout Planner, Element) throws(InvalidConversion) -> ConditionPlan
    ) throws(InvalidConversion) -> Int {
        var plans: [ConditionPlan] = []
        for element in elements {
            plans.append(try plan(&self, element))
            plans[plans.count - 1].readsTexts = readsTexts
        }
        conditions += plans
        return conditions.count - plans.count
    }

    private mutating func plan(_ condition: Condition) throws(InvalidConversion) -> ConditionPlan {
        switch condition {
        case .value(let slot, let test): return try plan(test, of: slot)
        case .all(let parts): return try group(.all, parts)
        case .any(let parts): return try group(.any, parts)
        case .not(let part): return try group(.not, [part])
        }
    }

    private mutating func group(
        _ kind: ConditionPlan.Kind, _ parts: [Condition]
    ) throws(InvalidConversion) -> ConditionPlan {
        let first = try add(parts) { (planner, part) throws(InvalidConversion) in try planner.plan(part) }
        return ConditionPlan(kind: kind, slot: -1, first: first, count: parts.count)
    }

    private mutating func plan(_ test: ValueTest, of slot: Int) throws(InvalidConversion) -> ConditionPlan {
        switch test {
        case .isOne(of: let values):
            return ConditionPlan(kind: .equals, slot: slot, first: add(values), count: values.count)
        case .compares(let comparison, let literal):
            let literals = [literal] + (instant(literal).map { [$0] } ?? [])
            return ConditionPlan(
                kind: Planner.kind(of: comparison), slot: slot, first: add(literals), count: literals.count)
        case .matches(let pattern):
            patterns.append(try Pattern(pattern))
            return ConditionPlan(kind: .matches, slot: slot, first: patterns.count - 1)
        case .hasType(let types):
            return ConditionPlan(kind: .type, slot: slot, first: types.reduce(0) { $0 | $1.bit })
        case .isPresent: return ConditionPlan(kind: .present, slot: slot)
        case .all(let parts): return try group(.all, parts, of: slot)
        case .any(let parts): return try group(.any, parts, of: slot)
        case .not(let part): return try group(.not, [part], of: slot)
        }
    }

    /// Tests of one value, which the group finds.
    private mutating func group(
        _ kind: ConditionPlan.Kind, _ parts: [ValueTest], of slot: Int
    ) throws(InvalidConversion) -> ConditionPlan {
        let first = try add(parts) { (planner, part) throws(InvalidConversion) in try planner.plan(part, of: -1) }
        return ConditionPlan(kind: kind, slot: slot, first: first, count: parts.count)
    }

    private static func kind(of comparison: Comparison) -> ConditionPlan.Kind {
        switch comparison {
        case .less: .less
        case .lessOrEqual: .lessOrEqual
        case .greater: .greater
        case .greaterOrEqual: .greaterOrEqual
        }
    }

    /// A time of RFC 3339 in UTC, with all digits of its fraction, so that texts sort as times do.
    private func instant(_ literal: Literal) -> Literal? {
        guard case .text = literal else { return nil }
        var converter = Converter(arena: Arena(capacity: 64), catalog: catalog)
        defer {
            converter.arena.deallocate()
            converter.members.deallocate()
        }
        guard let time = try? converter.convert(converter.arena.append(literal), .instant) else { return nil }
        return .text(converter.arena.text(of: time))
    }
}

extension ConversionPlan {
    /// A time of RFC 3339 with an offset from UTC.
    static let instant = ConversionPlan(kind: .datetime, digits: Int32(StoredForm.mostFraction))
}

extension JSONType {
    var bit: Int {
        switch self {
        case .null: 1
        case .boolean: 2
        case .number: 4
        case .string: 8
        case .array: 16
        case .object: 32
        }
    }
}
