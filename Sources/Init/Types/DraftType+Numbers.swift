import SluiceDefinition
import SluiceRecords

// The types of booleans and numbers, and of texts among them.
extension DraftType {
    /// Of booleans, and perhaps other values that say the same.
    static func boolean(_ column: DraftColumn) -> DraftType {
        let (counts, facts) = (column.counts, column.facts)
        if counts.numbers == 0, column.areTextsMissing { return DraftType("boolean").withNull(for: column) }
        let areBits = facts.reals.count == 0 && facts.integers.areBits
        guard areBits, facts.forms.contains(.boolean) else {
            let isNone = counts.texts == 0 && counts.numbers > 0
            return DraftType(
                "text", [],
                "booleans, and other values"
                    + (isNone ? ": perhaps a number, with \"nullIf\": false" : ""))
        }
        let others = [("numbers", counts.numbers), ("texts", counts.texts)].filter { $0.1 > 0 }.map(\.0)
        return DraftType("boolean", [], others.isEmpty ? nil : "some of them as \(others.joined(separator: " or "))")
    }

    /// Of numbers, and texts among them.
    static func mixed(_ column: DraftColumn) -> DraftType {
        if column.areTextsMissing { return number(column).withNull(for: column) }
        if column.isWhole {
            let moment = column.isCalledMoment ? moment(column) : nil
            return moment ?? DraftType("integer", [], "some of them as texts")
        }
        let facts = column.facts
        guard facts.forms.areNumbers else { return DraftType("text", [], nearlyNumbers(column) ?? "numbers and texts") }
        guard !facts.reals.isWide else { return DraftType("text", [], "numbers and texts") }
        // So few digits are the same as a double.
        let isReal = facts.longest <= 16 && column.counts.numbers > column.counts.texts && !column.isMoney
        return DraftType(isReal ? "real" : "decimal", [], "some of them as texts")
    }

    static func number(_ column: DraftColumn) -> DraftType {
        let facts = column.facts
        guard facts.reals.count == 0 else {
            if column.isOfSeconds {
                return DraftType("datetime", [("format", "\"unix\"")] + precision(facts.reals.digits - 10))
            }
            if column.mayBeSeconds {
                let type = facts.reals.areRounded ? "decimal" : "real"
                return DraftType(type, [], "could be times: \"datetime\" with the format \"unix\"")
            }
            if facts.reals.areIntegers {
                let remark = facts.reals.areNanoseconds ? unreadMoment("nanoseconds") : nil
                return DraftType("integer", [], remark)
            }
            if facts.reals.isWide { return DraftType("text", [], "numbers that may be too large for \"real\"") }
            return facts.reals.areRounded
                ? DraftType("decimal", [], "numbers of up to \(facts.reals.digits) digits, more than \"real\" holds")
                : DraftType(column.isMoney ? "decimal" : "real")
        }
        if facts.integers.areBits, Names.isQuestion(column.ownName) { return DraftType("boolean") }
        if facts.integers.areBits, facts.sketch.distinct == 2 {
            return DraftType("integer", [], "only 0 and 1: perhaps \"boolean\"")
        }
        return moment(column) ?? DraftType("integer")
    }

    /// What takes so many digits of a second's fraction.
    static func precision(_ digits: Int) -> [(String, String)] { digits > 6 ? [("fraction", "9")] : [] }
}
