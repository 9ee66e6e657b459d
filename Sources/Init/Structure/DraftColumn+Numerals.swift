import SluiceRecords

// What the numbers are that a column of a table holds as texts, or one of records as numbers.
extension DraftColumn {
    /// Whether all cells of a table's column are numbers, but for those that say that there is none (`NA`). Elsewhere,
    /// texts are numbers for sure where they have marks between groups.
    var areNumerals: Bool {
        guard !isKey, facts.texts > facts.empties else { return false }
        if areGrouped { return true }
        return entity.place.isOfTable && (numeralForms.areNumbers || numeralForms.contains(.commaNumber))
    }

    /// Whether all texts are numbers, and some of them have marks between groups.
    private var areGrouped: Bool {
        facts.numbers == 0 && !numeralForms.isDisjoint(with: .groups) && !numeralForms.areNumbers
            && !numeralForms.contains(.commaNumber)
    }

    private var numeralForms: TextForms { facts.missing.count > 0 ? facts.formsOfOthers : facts.forms }

    /// Whether all cells are numbers, and some of them have a fraction: measured, and no identifier. Times as services
    /// know messages by, and versions (`3.10`), are none.
    var areFractions: Bool {
        areNumerals && !isWhole && !numeralForms.contains(.whole) && !isStamp && isWrittenAsMeasured
    }

    /// Whether numbers with a fraction are written as numbers are: all with as many digits behind the point, or none
    /// with a zero at the end, as far as a sample tells. `3.9` and `3.10` are two versions.
    var isWrittenAsMeasured: Bool {
        let fractions = facts.sample.texts.compactMap { text in
            text.lastIndex(of: UInt8(ascii: ".")).map { text[($0 + 1)...] }
        }
        return Set(fractions.map(\.count)).count < 2 || !fractions.contains { $0.last == UInt8(ascii: "0") }
    }

    /// Whether all values are whole numbers as years are, or stand one behind the other: minutes do not.
    var areYears: Bool {
        guard isWhole else { return false }
        if Names.isYear(ownName) { return true }
        let (least, greatest) = (facts.integers.least, facts.integers.greatest)
        let isDense = facts.sketch.isExact && greatest - least + 1 == Int64(facts.sketch.count)
        return least >= 1900 && greatest <= 2100 || isDense && facts.sketch.count > 2 && greatest - least < 60
    }

    /// Whether a whole number counts the records: their numbers are dense, from one on.
    var countsRecords: Bool {
        isWhole && facts.integers.least >= 0 && facts.integers.least <= 1
            && facts.integers.greatest <= Int64(entity.records) + 1
    }

    /// Whether no name says that numbers identify anything, and they are not what the first column of a table numbers
    /// the rows by.
    var isUnnamedNumber: Bool {
        (areNumerals || isWhole && facts.texts == 0) && meaning.rank == .other && !Names.isOrdinal(ownName)
            && !(entity.place.isOfTable && index == 0 && isWhole)
    }

    /// Whether they count or measure something, such as goals: there may be none of it, or a part.
    var areFigures: Bool {
        isUnnamedNumber && entity.place.isOfTable && (!isWhole || facts.integers.least <= 0)
    }
}
