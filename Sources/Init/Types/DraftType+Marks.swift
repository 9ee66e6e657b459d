import SluiceDefinition

// Numbers with a comma before the fraction, or with marks between groups.
extension DraftType {
    /// Of numbers with marks, which are none without them.
    static func marked(_ column: DraftColumn, _ forms: TextForms) -> DraftType {
        let type = fractional(column)
        let comma = ("decimalMark", "\",\"")
        switch (forms.contains(.commaNumber), forms.contains(.commaGroups), forms.contains(.pointGroups)) {
        // `1,234` in each: of three digits behind a comma nobody knows what they are.
        case (_, _, true) where forms.contains(.commaNumber) || forms.contains(.commaGroups),
            (true, _, false) where forms.contains(.mayHaveGroups):
            return DraftType("text", [], "numbers, but does the comma stand before the fraction, or between groups?")
        case (true, _, false) where mayBeLists(column):
            return DraftType("text", [], "numbers, but is the comma before the fraction, or between two of them?")
        case (true, _, false): return DraftType(type, [comma])
        case (false, true, false): return DraftType(type, [comma, ("thousands", "\".\"")])
        case (false, false, true): return DraftType(type, [("thousands", "\",\"")])
        default: return spaced(column, forms)
        }
    }

    /// Of numbers with three digits behind each point, `1.234`, where other columns have a comma before the fraction:
    /// the point stands between groups, unless others have one before the fraction, too. Nil: nothing says so.
    static func pointed(_ column: DraftColumn, _ forms: TextForms) -> DraftType? {
        guard forms.contains(.commaGroups), !forms.contains(.whole), !column.hasZeros else { return nil }
        let others = column.entity.columns.filter { $0 !== column && $0.cut == nil && $0.content == .scalar }
        guard others.contains(where: \.hasCommas) else { return nil }
        if others.contains(where: \.hasPoints) {
            return DraftType("text", [], "numbers, but does the point stand before the fraction, or between groups?")
        }
        let type = column.facts.longest <= mostOfInteger ? "integer" : "decimal"
        return DraftType(
            type, [("decimalMark", "\",\""), ("thousands", "\".\"")],
            "the point stands between groups, as other columns have a comma before the fraction")
    }

    /// The type of numbers with a fraction in the texts of a column.
    static func fractional(_ column: DraftColumn) -> String {
        column.entity.place.isOfTable && !column.areLongNumbers && !column.isMoney ? "real" : "decimal"
    }

    /// Of numbers with spaces between groups.
    private static func spaced(_ column: DraftColumn, _ forms: TextForms) -> DraftType {
        let thousands = ("thousands", "\" \"")
        let type = fractional(column)
        switch (forms.contains(.spaceGroupsComma), forms.contains(.spaceGroupsPoint)) {
        case (false, false): return DraftType("text", [], hint(column))
        case (true, false): return DraftType(type, [("decimalMark", "\",\""), thousands])
        case (false, true): return DraftType(type, [thousands])
        case (true, true):
            let facts = column.facts
            // A telephone, or the number of a company, has as many digits as others.
            if facts.bytes == facts.longest * (facts.texts - facts.empties), facts.longest > 7 || facts.sketch.count < 3
            {
                return DraftType(
                    "text", [], "whole numbers, with spaces: perhaps \"integer\" with \"thousands\": \" \"")
            }
            return DraftType(facts.longest <= mostOfInteger ? "integer" : "decimal", [thousands])
        }
    }

    /// So long is a number of 64 bits at the most, spaces of one byte within it.
    private static let mostOfInteger = 23

    /// Whether a comma in numbers may stand between two of them, `4,6`: most of them have none, or other columns have a
    /// point before the fraction.
    private static func mayBeLists(_ column: DraftColumn) -> Bool {
        let hasMostlyNone = column.facts.integers.count * 2 > column.values
        return hasMostlyNone
            || column.entity.columns.contains { other in
                other.areFractions && other.hasPoints
                    || other.cut == nil && other.facts.reals.count > 0 && other.facts.texts == 0
            }
    }
}
