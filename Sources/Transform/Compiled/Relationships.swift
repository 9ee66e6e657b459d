import SluiceRecords

/// The cells of relationships: which target, and its identifier.
extension Evaluator {
    /// Fills the cells of a relationship in a row of typed cells.
    @inline(__always)
    mutating func fill(_ relationship: CompiledRelationship, _ typed: Table<Cell>, _ row: Int) throws(Complaint) {
        if relationship.slot >= 0 {
            // Most relationships are one value that is taken as it is.
            let value = raw[rowStart + relationship.slot]
            if value.kind == .string || value.kind == .number {
                typed[row + relationship.column] = try key(
                    value, relationship, compiled.conversions[relationship.conversions])
                return
            }
        }
        try fillAny(relationship, typed, row)
    }

    @inline(never)
    private mutating func fillAny(_ relationship: CompiledRelationship, _ typed: Table<Cell>, _ row: Int)
        throws(Complaint)
    {
        if relationship.elements >= 0 { return try fillElements(relationship, typed, row) }
        try fillValues(relationship, typed, row)
    }

    /// Fills the cells from the values of the record, which are lists side by side where it is to-many.
    mutating func fillValues(_ relationship: CompiledRelationship, _ typed: Table<Cell>, _ row: Int) throws(Complaint) {
        let base = stackCount
        defer { stackCount = base }
        for rule in 0..<relationship.ruleCount { push(try evaluate(relationship.key + rule)) }
        if let missing = missing(relationship, base) {
            let cell = missing.kind == .absent ? relationship.whenAbsent : missing
            for column in relationship.column..<(relationship.column + relationship.cellCount) {
                typed[row + column] = cell
            }
            return
        }
        if relationship.selector >= 0 { push(try evaluate(relationship.selector)) }
        let values = base..<stackCount
        if relationship.isMany {
            try fillLists(relationship, values, typed, row)
        } else {
            try fillReference(relationship, values, typed, row)
        }
    }

    /// What the reference is where it has no key, null or absent: each way to find the target lacks a value.
    @inline(never)
    func missing(_ relationship: CompiledRelationship, _ values: Int) -> Cell? {
        guard relationship.hasWays else { return missing(values..<values + relationship.keyCount) }
        var result = Cell.absent
        for way in 0..<relationship.targetCount {
            guard let missing = missing(way: way, relationship, values) else { return nil }
            if missing.kind != .absent { result = missing }
        }
        return result
    }

    /// Whether a link has no key: asked for each of them.
    @inline(__always)
    func lacksKey(_ relationship: CompiledRelationship, _ values: Int) -> Bool {
        if relationship.hasWays { return missing(relationship, values) != nil }
        for part in 0..<relationship.keyCount where stack[values + part].isNull { return true }
        return false
    }

    private func missing(way: Int, _ relationship: CompiledRelationship, _ values: Int) -> Cell? {
        missing(values + way * relationship.keyCount..<values + (way + 1) * relationship.keyCount)
    }

    private mutating func fillReference(
        _ relationship: CompiledRelationship, _ values: Range<Int>, _ typed: Table<Cell>, _ row: Int
    ) throws(Complaint) {
        for index in values where stack[index].kind == .list { throw .misshaped("one value", stack[index]) }
        let selected = try selectedTarget(relationship, values)
        if let selected { typed[row + relationship.column] = .integer(Int64(selected)) }
        for target in 0..<relationship.targetCount {
            for part in 0..<relationship.keyCount {
                typed[row + relationship.keyColumn(target: target) + part] =
                    selected ?? target == target ? try key(relationship, values, target, part) : .null
            }
        }
        for index in 0..<relationship.valueCount {
            typed[row + relationship.valueColumn + index] = try linkValue(relationship.values + index)
        }
    }

    /// Lists side by side: a place of them for each link whose key is not null.
    private mutating func fillLists(
        _ relationship: CompiledRelationship, _ values: Range<Int>, _ typed: Table<Cell>, _ row: Int
    ) throws(Complaint) {
        for column in relationship.column..<(relationship.column + relationship.cellCount) {
            typed[row + column] = Cell(kind: .list)
        }
        let count = try commonLength(values) ?? 1
        for _ in 0..<count {
            pushElements(values)
            try appendLink(relationship, values.upperBound..<stackCount, typed, row)
            stackCount = values.upperBound
        }
    }

    mutating func appendLink(
        _ relationship: CompiledRelationship, _ values: Range<Int>, _ typed: Table<Cell>, _ row: Int
    ) throws(Complaint) {
        if lacksKey(relationship, values.lowerBound) { return }
        let selected = try selectedTarget(relationship, values)
        if let selected { append(.integer(Int64(selected)), typed, row + relationship.column) }
        for target in 0..<relationship.targetCount {
            for part in 0..<relationship.keyCount {
                let value = selected ?? target == target ? try key(relationship, values, target, part) : .null
                append(value, typed, row + relationship.keyColumn(target: target) + part)
            }
        }
        if relationship.valueCount > 0 { try appendValues(relationship, typed, row) }
    }

    /// Adds what a link has of its own. What is absent is null: nothing of an earlier link is kept.
    @inline(never)
    private mutating func appendValues(
        _ relationship: CompiledRelationship, _ typed: Table<Cell>, _ row: Int
    ) throws(Complaint) {
        // A link that comes of no element has nothing of one.
        if let withoutElement { fillMembers(withoutElement, with: .null) }
        for index in 0..<relationship.valueCount {
            let value = try linkValue(relationship.values + index)
            append(value.kind == .absent ? .null : value, typed, row + relationship.valueColumn + index)
        }
    }

    private mutating func linkValue(_ index: Int) throws(Complaint) -> Cell {
        do throws(Complaint) {
            return try value(of: compiled.linkColumns[index])
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
    private mutating func selectedTarget(_ relationship: CompiledRelationship, _ values: Range<Int>) throws(Complaint)
        -> Int?
    {
        guard relationship.selector >= 0 else { return nil }
        let value = stack[values.upperBound - 1]
        if value.isNull { throw .unnamedTarget(value) }
        let name = try asText(value)
        for target in 0..<relationship.targetCount
        where converter.view(name).equals(literalView(relationship.names + target)) {
            return target
        }
        throw .unknownTarget(name)
    }

    /// A part of a key, converted as the identifier of a target is; `impossible` if no such identifier can exist, or if
    /// it is another way in which the target can be found.
    private mutating func key(
        _ relationship: CompiledRelationship, _ values: Range<Int>, _ target: Int, _ part: Int
    ) throws(Complaint) -> Cell {
        if relationship.hasWays { return try key(ofWay: target, relationship, values.lowerBound, part) }
        let conversion = compiled.conversions[relationship.conversions + target * relationship.keyCount + part]
        return try key(stack[values.lowerBound + part], relationship, conversion)
    }

    @inline(never)
    private mutating func key(
        ofWay way: Int, _ relationship: CompiledRelationship, _ values: Int, _ part: Int
    ) throws(Complaint) -> Cell {
        // Of another way, nothing is known.
        if missing(way: way, relationship, values) != nil { return converter.append("", kind: .impossible) }
        let place = way * relationship.keyCount + part
        return try key(stack[values + place], relationship, compiled.conversions[relationship.conversions + place])
    }

    @inline(__always)
    private mutating func key(
        _ raw: Cell, _ relationship: CompiledRelationship, _ conversion: CompiledConversion
    ) throws(Complaint) -> Cell {
        if raw.kind == .string && conversion.kind == .text {
            return Cell(kind: .text, payload: raw.payload, length: raw.length)
        }
        do throws(Complaint) {
            return try converter.convert(raw, conversion)
        } catch {
            return try impossible(raw, relationship)
        }
    }

    /// A value that no identifier of the target can be. What no identifier at all can be is no reference.
    @inline(never)
    private mutating func impossible(_ raw: Cell, _ relationship: CompiledRelationship) throws(Complaint) -> Cell {
        switch raw.kind {
        case .yes: converter.append("true", kind: .impossible)
        case .no: converter.append("false", kind: .impossible)
        case .json: try impossible(converter.unwrapped(raw), relationship)
        case .string, .number, .text: Cell(kind: .impossible, payload: raw.payload, length: raw.length)
        default: throw .noReference(relationship.reference, raw)
        }
    }
}
