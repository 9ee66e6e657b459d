import SluiceRecords

extension Evaluator {
    /// Whether the current row meets all of the conditions.
    mutating func meets(_ conditions: Range<Int>) -> Bool {
        for index in conditions {
            let condition = plan.conditions[index]
            let value = raw[rowStart + condition.slot]
            // A value that cannot be compared, half a surrogate pair, equals nothing.
            guard (try? equalsAny(value, condition.literals, condition.count)) == true else { return false }
        }
        return true
    }

    /// Whether a raw value equals one of some literals, as JSON values are equal: of one type, and numbers by their
    /// value. Objects and arrays are equal if they are written alike, white space aside. Absent equals nothing.
    mutating func equalsAny(_ raw: Cell, _ first: Int, _ count: Int) throws(Complaint) -> Bool {
        guard count > 0 else { return false }
        let value = try converter.unwrapped(converter.plain(raw))
        for index in first..<(first + count) {
            if plan.literals[index].kind == .json {
                if raw.kind == .json, converter.view(raw).equals(literalView(index)) { return true }
            } else if equals(value, index) {
                return true
            }
        }
        return false
    }

    private func equals(_ value: Cell, _ index: Int) -> Bool {
        let literal = plan.literals[index]
        guard value.kind == literal.kind else { return false }
        switch value.kind {
        case .string: return converter.view(value).equals(literalView(index))
        case .number: return NumberText.areEqual(converter.view(value), literalView(index))
        case .null, .yes, .no: return true
        default: return false
        }
    }
}
