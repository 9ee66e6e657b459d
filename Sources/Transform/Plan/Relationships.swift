import SluiceRecords

/// The cells of relationships: which target, and its identifier.
extension Evaluator {
    /// Fills the cells of a relationship in a row of typed cells.
    @inline(__always)
    mutating func fill(_ plan: RelationshipPlan, _ typed: Table<Cell>, _ row: Int) throws(Complaint) {
        if plan.slot >= 0 {
            // Most relationships are one value that is taken as it is.
            let value = raw[rowStart + plan.slot]
            if value.kind == .string || value.kind == .number {
                typed[row + plan.column] = try key(value, plan, self.plan.conversions[plan.conversions])
                return
            }
        }
        try fillAny(plan, typed, row)
    }

    @inline(never)
    private mutating func fillAny(_ plan: RelationshipPlan, _ typed: Table<Cell>, _ row: Int) throws(Complaint) {
        if plan.elements >= 0 { return try fillElements(plan, typed, row) }
        try fillValues(plan, typed, row)
    }

    /// Fills the cells from the values of the record, which are lists side by side where it is to-many.
    mutating func fillValues(_ plan: RelationshipPlan, _ typed: Table<Cell>, _ row: Int) throws(Complaint) {
        let base = stackCount
        defer { stackCount = base }
        for rule in 0..<plan.ruleCount { push(try evaluate(plan.key + rule)) }
        if let missing = missing(plan, base) {
            let cell = missing.kind == .absent ? plan.whenAbsent : missing
            for column in plan.column..<(plan.column + plan.cellCount) { typed[row + column] = cell }
            return
        }
        if plan.selector >= 0 { push(try evaluate(plan.selector)) }
        let values = base..<stackCount
        if plan.isMany {
            try fillLists(plan, values, typed, row)
        } else {
            try fillReference(plan, values, typed, row)
        }
    }

    /// What the reference is where it has no key, null or absent: each way to find the target lacks a value.
    @inline(never)
    func missing(_ plan: RelationshipPlan, _ values: Int) -> Cell? {
        guard plan.hasWays else { return missing(values..<values + plan.keyCount) }
        var result = Cell.absent
        for way in 0..<plan.targetCount {
            guard let missing = missing(way: way, plan, values) else { return nil }
            if missing.kind != .absent { result = missing }
        }
        return result
    }

    /// Whether a link has no key: asked for each of them.
    @inline(__always)
    func lacksKey(_ plan: RelationshipPlan, _ values: Int) -> Bool {
        if plan.hasWays { return missing(plan, values) != nil }
        for part in 0..<plan.keyCount where stack[values + part].isNull { return true }
        return false
    }

    private func missing(way: Int, _ plan: RelationshipPlan, _ values: Int) -> Cell? {
        missing(values + way * plan.keyCount..<values + (way + 1) * plan.keyCount)
    }

    private mutating func fillReference(
        _ plan: RelationshipPlan, _ values: Range<Int>, _ typed: Table<Cell>, _ row: Int
    ) throws(Complaint) {
        for index in values where stack[index].kind == .list { throw .unexpected("one value", stack[index]) }
        let selected = try selectedTarget(plan, values)
        if let selected { typed[row + plan.column] = .integer(Int64(selected)) }
        for target in 0..<plan.targetCount {
            for part in 0..<plan.keyCount {
                typed[row + plan.keyColumn(target: target) + part] =
                    selected ?? target == target ? try key(plan, values, target, part) : .null
            }
        }
        for index in 0..<plan.valueCount { typed[row + plan.valueColumn + index] = try linkValue(plan.values + index) }
    }

    /// Lists side by side: a place of them for each link whose key is not null.
    private mutating func fillLists(
        _ plan: RelationshipPlan, _ values: Range<Int>, _ typed: Table<Cell>, _ row: Int
    ) throws(Complaint) {
        for column in plan.column..<(plan.column + plan.cellCount) { typed[row + column] = Cell(kind: .list) }
        let count = try commonLength(values) ?? 1
        for _ in 0..<count {
            pushElements(values)
            try appendLink(plan, values.upperBound..<stackCount, typed, row)
            stackCount = values.upperBound
        }
    }

    mutating func appendLink(
        _ plan: RelationshipPlan, _ values: Range<Int>, _ typed: Table<Cell>, _ row: Int
    ) throws(Complaint) {
        if lacksKey(plan, values.lowerBound) { return }
        let selected = try selectedTarget(plan, values)
        if let selected { append(.integer(Int64(selected)), typed, row + plan.column) }
        for target in 0..<plan.targetCount {
            for part in 0..<plan.keyCount {
                let value = selected ?? target == target ? try key(plan, values, target, part) : .null
                append(value, typed, row + plan.keyColumn(target: target) + part)
            }
        }
        if plan.valueCount > 0 { try appendValues(plan, typed, row) }
    }

    /// Adds what a link has of its own. What is absent is null: nothing of an earlier link is kept.
    @inline(never)
    private mutating func appendValues(
        _ plan: RelationshipPlan, _ typed: Table<Cell>, _ row: Int
    ) throws(Complaint) {
        // A link that comes of no element has nothing of one.
        if let withoutElement { fillMembers(withoutElement, with: .null) }
        for index in 0..<plan.valueCount {
            let value = try linkValue(plan.values + index)
            append(value.kind == .absent ? .null : value, typed, row + plan.valueColumn + index)
        }
    }

    private mutating func linkValue(_ index: Int) throws(Complaint) -> Cell {
        do throws(Complaint) {
            return try value(of: self.plan.linkColumns[index])
        } catch {
            faultyLinkValue = index
            throw error
        }
    }

    private func append(_ value: Cell, _ typed: Table<Cell>, _ column: Int) {
        var list = typed[column]
        batch.append(value, to: &list)
        typed[column] = list
    }

    /// The target whose entity the selector names, the last of the values; nil: there is no selector.
    private mutating func selectedTarget(_ plan: RelationshipPlan, _ values: Range<Int>) throws(Complaint) -> Int? {
        guard plan.selector >= 0 else { return nil }
        let value = stack[values.upperBound - 1]
        if value.isNull { throw .unnamedTarget(value) }
        let name = try asText(value)
        for target in 0..<plan.targetCount where converter.view(name).equals(literalView(plan.names + target)) {
            return target
        }
        throw .unknownTarget(name)
    }

    /// A part of a key, converted as the identifier of a target is; `impossible` if no such identifier can exist, or if
    /// it is another way in which the target can be found.
    private mutating func key(
        _ plan: RelationshipPlan, _ values: Range<Int>, _ target: Int, _ part: Int
    ) throws(Complaint) -> Cell {
        if plan.hasWays { return try key(ofWay: target, plan, values.lowerBound, part) }
        let conversion = self.plan.conversions[plan.conversions + target * plan.keyCount + part]
        return try key(stack[values.lowerBound + part], plan, conversion)
    }

    @inline(never)
    private mutating func key(
        ofWay way: Int, _ plan: RelationshipPlan, _ values: Int, _ part: Int
    ) throws(Complaint) -> Cell {
        // Of another way, nothing is known.
        if missing(way: way, plan, values) != nil { return converter.append("", kind: .impossible) }
        let place = way * plan.keyCount + part
        return try key(stack[values + place], plan, self.plan.conversions[plan.conversions + place])
    }

    @inline(__always)
    private mutating func key(
        _ raw: Cell, _ plan: RelationshipPlan, _ conversion: ConversionPlan
    ) throws(Complaint) -> Cell {
        if raw.kind == .string && conversion.kind == .text {
            return Cell(kind: .text, payload: raw.payload, length: raw.length)
        }
        do throws(Complaint) {
            return try converter.convert(raw, conversion)
        } catch {
            return try impossible(raw, plan)
        }
    }

    /// A value that no identifier of the target can be. What no identifier at all can be is no reference.
    @inline(never)
    private mutating func impossible(_ raw: Cell, _ plan: RelationshipPlan) throws(Complaint) -> Cell {
        switch raw.kind {
        case .yes: converter.append("true", kind: .impossible)
        case .no: converter.append("false", kind: .impossible)
        case .json: try impossible(converter.unwrapped(raw), plan)
        case .string, .number, .text: Cell(kind: .impossible, payload: raw.payload, length: raw.length)
        default: throw .noReference(plan.reference, raw)
        }
    }
}
