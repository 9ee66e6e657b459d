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

    /// Whether all texts are numbers, and a comma stands before the fraction of some.
    var hasCommas: Bool {
        facts.texts > facts.empties && facts.numbers == 0 && !numeralForms.areNumbers
            && !numeralForms.isDisjoint(with: [.commaNumber, .commaGroups, .spaceGroupsComma])
            && !numeralForms.contains(.pointGroups)
    }

    /// Whether numbers have a point before the fraction, for sure: not three digits behind it in all of them.
    var hasPoints: Bool {
        if facts.texts == 0 { return facts.reals.count > 0 }
        return facts.numbers == 0 && numeralForms.areNumbers && !numeralForms.contains(.whole)
            && (!numeralForms.contains(.commaGroups) || hasZeros)
    }

    /// Whether zero stands before the point in some numbers, as far as a sample tells: no group stands behind it.
    var hasZeros: Bool {
        facts.sample.texts.contains { text in
            text.starts(with: Array("0.".utf8)) || text.starts(with: Array("-0.".utf8))
        }
    }

    /// Whether numbers in texts have more digits than `real` holds, as far as a sample tells.
    var areLongNumbers: Bool {
        guard facts.longest > DraftColumn.mostOfReal else { return false }
        return facts.sample.texts.contains { text in
            let number = text.prefix { $0 | 0x20 != UInt8(ascii: "e") }
            return number.filter(\.isDigit).drop { $0 == UInt8(ascii: "0") }.count > DraftColumn.mostOfReal
        }
    }

    /// So many significant digits does a real number hold, the last one not quite.
    private static let mostOfReal = 17

    /// Whether numbers with a fraction are amounts of money, by their name, and by how many digits they have behind the
    /// point: people add these up, and want to find each again as it was.
    var isMoney: Bool {
        if facts.reals.hasExponent { return false }
        let fraction = max(facts.reals.fraction, mostOfFraction)
        return Names.isPrice(ownName) ? (1...4).contains(fraction) : fraction == 2 && Names.isMoney(ownName)
    }

    /// How many digits stand behind the last mark of numbers in texts, at the most, as far as a sample tells.
    private var mostOfFraction: Int {
        let marks = [UInt8(ascii: "."), UInt8(ascii: ",")]
        return facts.sample.texts.map { text in
            text.lastIndex(where: marks.contains).map { text[($0 + 1)...].count(where: \.isDigit) } ?? 0
        }.max() ?? 0
    }

    /// Two of the numbers in texts that are one number, as far as a sample tells: `1.1` and `1.10`, which are two
    /// versions. Nil: there are none, or all have as many digits.
    var sameNumbers: (String, String)? {
        let texts = facts.sample.texts.filter { $0.contains(UInt8(ascii: ".")) && $0.allSatisfy { $0 < 0x80 } }
        let known = Set(texts)
        for text in texts where text.last == UInt8(ascii: "0") {
            var short = text
            while short.last == UInt8(ascii: "0"), short.dropLast().last != UInt8(ascii: ".") { short.removeLast() }
            if short.count < text.count, known.contains(short) {
                return (String(decoding: short, as: UTF8.self), String(decoding: text, as: UTF8.self))
            }
        }
        return nil
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

    /// Whether all are 0 or 1, and no name says that these identify anything.
    var isFlag: Bool {
        isWhole && facts.integers.areBits && meaning.rank == .other && !Names.isOrdinal(ownName)
            && entity.records > 2
    }

    /// Whether they count or measure something, as their name says, or since it is data itself: a year or a day, as
    /// tables have them that should be longer rather than wider.
    var isCounted: Bool {
        guard isWhole || areNumerals || facts.reals.count > 0 else { return false }
        return Names.isMeasure(ownName)
            || entity.place.isOfTable && (ownName.utf8.first?.isDigit ?? false) && meaning.rank == .other
    }

    /// Whether its name is that of something measured, and its values are no groups of these, such as those of ages.
    var isCalledMeasure: Bool { Names.isMeasure(ownName) && !areRanges }

    /// Whether texts are whole numbers, or ranges of them, as far as a sample tells: `17`, `26-29`, `65+`.
    private var areRanges: Bool {
        let texts = facts.sample.texts.filter { !$0.isEmpty }
        guard facts.numbers == 0, !texts.isEmpty, texts.contains(where: { !$0.allSatisfy(\.isDigit) }) else {
            return false
        }
        return texts.allSatisfy { text in
            let parts = text.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
            let isOpen = text.last == UInt8(ascii: "+") && text.count > 1 && text.dropLast().allSatisfy(\.isDigit)
            return isOpen || parts.count <= 2 && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isDigit) }
        }
    }

    /// Likewise, or as their values say.
    var isCounting: Bool { areFigures || isCounted }

    /// Whether they are a part of where something is, as their name says.
    var isCoordinate: Bool { Names.isLatitude(ownName) || Names.isLongitude(ownName) }

    /// Whether they count or measure something, such as goals: there may be none of it, or a part.
    var areFigures: Bool {
        isUnnamedNumber && entity.place.isOfTable && (!isWhole || facts.integers.least <= 0)
    }
}
