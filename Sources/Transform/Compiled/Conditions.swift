import SluiceRecords

extension Evaluator {
    /// Whether the current row meets all of the conditions.
    mutating func meets(_ conditions: Range<Int>) -> Bool {
        for index in conditions { guard meets(index, .absent) else { return false } }
        return true
    }

    /// Whether a condition is met.
    ///
    /// - Parameter value: what it tests, if it has no slot of its own.
    private mutating func meets(_ index: Int, _ value: Cell) -> Bool {
        let condition = compiled.conditions[index]
        guard condition.slot >= 0 else { return fits(value, condition) }
        let found = raw[rowStart + condition.slot]
        guard found.kind == .list else { return fits(found, condition) }
        var rest = found
        while rest.length > 0 {
            let element = pop(&rest)
            if element.kind != .unlisted, fits(element, condition) { return true }
        }
        return false
    }

    /// Whether a value is what a condition asks for, of whatever slot.
    mutating func fits(_ value: Cell, _ condition: Int) -> Bool { fits(value, compiled.conditions[condition]) }

    private mutating func fits(_ value: Cell, _ condition: CompiledCondition) -> Bool {
        switch condition.kind {
        // A value that cannot be compared, half a surrogate pair, equals nothing.
        case .equals:
            if (try? equalsAny(value, condition.first, condition.count)) == true { return true }
            return condition.readsTexts && saysAny(value, condition.first, condition.count)
        case .less: return order(value, condition).map { $0 < 0 } ?? false
        case .lessOrEqual: return order(value, condition).map { $0 <= 0 } ?? false
        case .greater: return order(value, condition).map { $0 > 0 } ?? false
        case .greaterOrEqual: return order(value, condition).map { $0 >= 0 } ?? false
        case .matches: return matches(value, compiled.patterns[condition.first])
        case .type: return type(of: value).map { $0.bit & condition.first != 0 } ?? false
        case .present: return value.kind != .absent
        case .not: return !meets(condition.first, value)
        case .all, .any:
            for part in condition.first..<condition.first + condition.count
            where meets(part, value) == (condition.kind == .any) {
                return condition.kind == .any
            }
            return condition.kind == .all
        }
    }

    /// A value without what the way of its slot adds to it; nil: it is absent, or cannot be read.
    private mutating func comparable(_ raw: Cell) -> Cell? {
        guard raw.kind != .absent else { return nil }
        return try? converter.unwrapped(converter.plain(raw))
    }

    /// How a value compares with the literal of a condition: below 0, 0, or above; nil: not at all.
    private mutating func order(_ raw: Cell, _ condition: CompiledCondition) -> Int? {
        let literal = compiled.literals[condition.first]
        guard let value = comparable(raw) else { return nil }
        if condition.readsTexts && literal.kind == .number && isNumber(value) {
            return NumberText.order(converter.view(value), literalView(condition.first))
        }
        guard value.kind == literal.kind else { return nil }
        switch value.kind {
        case .number: return NumberText.order(converter.view(value), literalView(condition.first))
        case .string:
            if condition.count > 1, let time = try? converter.convert(value, .instant) {
                return converter.view(time).order(literalView(condition.first + 1))
            }
            return converter.view(value).order(literalView(condition.first))
        default: return nil
        }
    }

    private mutating func matches(_ raw: Cell, _ pattern: Pattern) -> Bool {
        guard let value = comparable(raw), !value.isNull, let text = try? asText(value) else { return false }
        return (try? pattern.matches(converter.view(text))) == true
    }

    /// The JSON type of a value; nil: it is absent.
    private mutating func type(of raw: Cell) -> JSONType? {
        switch raw.kind {
        case .absent: return nil
        case .brokenString: return .string
        default: break
        }
        guard let value = comparable(raw) else { return .string }
        switch value.kind {
        case .null: return .null
        case .yes, .no: return .boolean
        case .number: return .number
        case .array: return .array
        case .object: return .object
        case .json: return converter.view(value)[0] == UInt8(ascii: "[") ? .array : .object
        default: return .string
        }
    }

    /// Whether a raw value equals one of some literals, as JSON values are equal: of one type, and numbers by their
    /// value. Objects and arrays are equal if they are written alike, white space aside. Absent equals nothing.
    mutating func equalsAny(_ raw: Cell, _ first: Int, _ count: Int) throws(Complaint) -> Bool {
        guard count > 0 else { return false }
        let value = try converter.unwrapped(converter.plain(raw))
        for index in first..<(first + count) {
            if compiled.literals[index].kind == .json {
                if raw.kind == .json, converter.view(raw).equals(literalView(index)) { return true }
            } else if equals(value, index) {
                return true
            }
        }
        return false
    }

    private func equals(_ value: Cell, _ index: Int) -> Bool {
        let literal = compiled.literals[index]
        guard value.kind == literal.kind else { return false }
        switch value.kind {
        case .string: return converter.view(value).equals(literalView(index))
        case .number: return NumberText.areEqual(converter.view(value), literalView(index))
        case .null, .yes, .no: return true
        default: return false
        }
    }

    // MARK: Texts of tables

    /// Whether a value is a text in which one of some numbers or booleans is written.
    mutating func saysAny(_ raw: Cell, _ first: Int, _ count: Int) -> Bool {
        guard let value = comparable(raw), value.kind == .string else { return false }
        for index in first..<(first + count) {
            switch compiled.literals[index].kind {
            case .number:
                if isNumber(value), NumberText.areEqual(converter.view(value), literalView(index)) { return true }
            case .yes, .no:
                let isYes = compiled.literals[index].kind == .yes
                if let found = try? converter.convert(value, .boolean), (found.integer != 0) == isYes { return true }
            default: break
            }
        }
        return false
    }

    private func isNumber(_ value: Cell) -> Bool {
        value.kind == .string && NumberText(converter.view(value)) != nil
    }
}

extension CompiledConversion {
    fileprivate static let boolean = CompiledConversion(kind: .boolean)
}
