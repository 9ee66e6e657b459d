import SluiceRecords

/// A text that is an amount as people and programs write them: `1.234,56-`, `1,50 €`, `12.5%`, `EUR 3.00`, `3 MB`.
struct AmountText {
    /// What stands before the number, and behind it, without the spaces between them.
    let (before, behind): (String, String)
    /// The number without its sign.
    let number: String
    let hasFraction: Bool
    /// Whether something stands between a minus and the number: `- 5 €`.
    let isMinusApart: Bool

    /// Whether the minus stands behind the number.
    var isMinusBehind: Bool { behind == "-" }
    /// Whether it says what the number counts.
    var hasUnit: Bool { !before.isEmpty || !behind.isEmpty && !isMinusBehind }

    /// Nil: it is none.
    init?(_ text: [UInt8]) {
        guard text.count <= 40, text.contains(where: \.isDigit) else { return nil }
        let characters = Array(String(decoding: text, as: UTF8.self))
        guard let first = characters.firstIndex(where: AmountText.isDigit),
            let last = characters.lastIndex(where: AmountText.isDigit)
        else { return nil }
        var before = String(characters[..<first].filter { !$0.isWhitespace })
        isMinusApart = before.last == "-" && characters[first - 1] != "-"
        if before.last == "-" || before.last == "+" { before.removeLast() }
        behind = String(characters[(last + 1)...].filter { !$0.isWhitespace })
        self.before = before
        number = String(characters[first...last])
        guard AmountText.isUnit(before, isBefore: true), behind == "-" || AmountText.isUnit(behind, isBefore: false),
            let hasFraction = AmountText.fraction(of: characters[first...last])
        else { return nil }
        // `ABC 123` is the sign of a car.
        if before.contains(where: \.isLetter), !hasFraction { return nil }
        self.hasFraction = hasFraction
    }

    private static func isDigit(_ character: Character) -> Bool { ("0"..."9").contains(character) }

    /// Whether a text may say what a number counts, if it says anything: a sign, or a few letters.
    private static func isUnit(_ text: String, isBefore: Bool) -> Bool {
        if text.isEmpty { return true }
        if text.count == 1, let sign = text.first, sign.isCurrencySymbol || "%‰°".contains(sign) { return true }
        if text == "°C" || text == "°F" { return true }
        let isCode = text.count == 3 && text.allSatisfy(\.isUppercase)
        return isBefore ? isCode : isCode || text.count <= 3 && text.allSatisfy(\.isLetter)
    }

    /// Whether a number has a fraction; nil: the marks in it are none of a number.
    private static func fraction(of number: ArraySlice<Character>) -> Bool? {
        let groups = number.split(omittingEmptySubsequences: false) { !isDigit($0) }
        let marks = number.filter { !isDigit($0) }
        if groups.contains(where: \.isEmpty) || marks.contains(where: { !".,' \u{A0}\u{202F}’".contains($0) }) {
            return nil
        }
        guard let last = marks.last else { return false }
        let inner = groups.dropFirst().dropLast()
        guard inner.allSatisfy({ $0.count == 3 }), marks.count == 1 || groups[0].count <= 3,
            Set(marks.dropLast()).count < 2
        else { return nil }
        let isGroup = marks.count > 1 && marks[0] == last || !".,".contains(last)
        if isGroup { return groups[groups.count - 1].count == 3 ? false : nil }
        return true
    }
}

extension DraftColumn {
    /// What all texts are as amounts, as far as a sample tells: with a minus behind some of them, or all with one unit.
    /// Nil: they are none, or plain numbers.
    var amounts: [AmountText]? {
        guard !isKey, facts.numbers == 0, facts.texts > facts.empties, facts.longest <= 40,
            facts.forms.isDisjoint(with: .moments)
        else { return nil }
        var found: [AmountText] = []
        for text in facts.sample.texts {
            guard let amount = AmountText(text) else { return nil }
            found.append(amount)
        }
        guard let first = found.first else { return nil }
        if found.contains(where: \.isMinusBehind) { return found.contains(where: \.hasUnit) ? nil : found }
        let isOne = found.allSatisfy { $0.before == first.before && $0.behind == first.behind }
        return first.hasUnit && isOne ? found : nil
    }

    /// Whether all texts are numbers with marks, `1,234`, which no name says to identify anything: before the fraction,
    /// or between groups. Spaces may stand in telephone numbers.
    var areMarkedNumbers: Bool {
        let forms = facts.missing.count > 0 ? facts.formsOfOthers : facts.forms
        return !isKey && facts.numbers == 0 && facts.texts > facts.empties && meaning.rank == .other
            && !forms.areNumbers && !forms.isDisjoint(with: [.commaNumber, .commaGroups, .pointGroups])
    }

    /// Whether all texts are numbers with a fraction, many of them, as far as a sample tells, and no name says that
    /// they are those of versions: `cycle` 1.2.
    var areTextsOfFractions: Bool {
        facts.sketch.distinct >= 10 && !isKey && facts.numbers == 0 && facts.texts > facts.empties
            && facts.forms.areNumbers
            && !facts.forms.contains(.whole) && !isStamp && isWrittenAsMeasured && !Names.isLabel(ownName)
    }
}
