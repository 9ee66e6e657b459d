import SluiceDefinition
import SluiceRecords

// What texts may be that no type takes as they are: a definition can say it, or a comment does.
extension DraftType {
    /// What is told of texts; nil: they are nothing else.
    static func hint(_ column: DraftColumn) -> String? {
        if column.facts.forms.contains(.json) {
            return "JSON in texts, into which paths do not look (recipes.md)"
        }
        return pair(column) ?? amounts(column) ?? dayAndMonth(column) ?? moments(column)
            ?? daysAndTimes(column) ?? nearly(column)
    }

    /// Of texts of which all but a few are of another type, as far as a sample tells: whoever chooses the type wants to
    /// know of these.
    private static func nearly(_ column: DraftColumn) -> String? {
        if let odd = column.oddTexts { return odd.areCodes ? nil : odd.remark }
        guard let (kind, others) = TextKind.ofNearlyAll(column) else { return nearlyNumbers(column) }
        if let first = others.first, let same = equalNumbers(of: column) {
            return "numbers, of which \(same) would be one, but for \(quoted(first))"
        }
        // How many these are, is known of them.
        if [.integer, .anyNumber].contains(kind.form) { return nearlyNumbers(column) }
        if others.isEmpty { return nil }
        let these = others.count > 1 ? "these" : "this"
        let named = CellPlace.named(others, of: others.count == 1 ? 1 : nil)
        return "\(kind.name), but for \(named): perhaps \(kind.type), with \(these) as its \"nullIf\""
    }

    private static let leastNumbers = 5
    private static let leastLabels = 10

    /// What is told of a few texts among numbers, be these texts or not; nil: they are many, or may be numbers.
    static func nearlyNumbers(_ column: DraftColumn) -> String? {
        let (facts, texts) = (column.facts, column.facts.numerals)
        let least = Names.isLabel(column.ownName) ? leastLabels : leastNumbers
        guard column.cut == nil, column.counts.booleans == 0, texts.others > 0,
            TextKind.isFew(texts.others, of: column.values), facts.sketch.distinct >= Double(least)
        else { return nil }
        let kept = texts.examples
        let sampled = facts.sample.texts.filter { !TextKind.forms($0).areNumbers }
        let examples = kept.isEmpty ? sampled.map { String(decoding: $0, as: UTF8.self) }.sorted() : kept
        // `0306` beside `7000` is no flaw, and no number.
        if examples.isEmpty || examples.contains(where: { $0.utf8.allSatisfy(\.isDigit) }) { return nil }
        let named = CellPlace.named(examples, of: texts.others)
        if texts.marked > 0 { return "numbers, but for \(named): perhaps \"decimal\"" }
        let reals = facts.reals.fraction > 0 || facts.reals.hasExponent ? facts.reals.count : 0
        let fractions = texts.fractions + reals
        let these = "with \(max(texts.others, examples.count) > 1 ? "these" : "this") as its \"nullIf\""
        if fractions == 0 { return "whole numbers, but for \(named): perhaps \"integer\", \(these)" }
        // Of most of them nobody has to be told.
        let some = 2 * fractions > column.values ? "" : ", \(grouped(fractions)) of them with a fraction"
        return "numbers\(some), but for \(named): perhaps \"decimal\", \(these)"
    }

    /// Pairs of words for what is so, and what is not.
    private static let words = [
        ("ja", "nein"), ("yes", "no"), ("y", "n"), ("j", "n"), ("oui", "non"), ("si", "no"), ("sí", "no"), ("t", "f"),
        ("on", "off"), ("wahr", "falsch"),
    ]

    /// Of two words, one of which says that something is so. A third may come: nothing but a comment tells.
    private static func pair(_ column: DraftColumn) -> String? {
        let all = column.facts.sample.texts.map { String(decoding: $0, as: UTF8.self) }.sorted()
        let texts = all.filter { !MissingTexts.isOne($0) }
        guard texts.count == 2, all.count < 4, column.facts.sketch.distinct < Double(all.count) + 0.5,
            column.facts.numbers == 0
        else { return nil }
        let known = words.lazy.compactMap { yes, no -> (String, String)? in
            guard let first = texts.first(where: { $0.lowercased() == yes }),
                let other = texts.first(where: { $0.lowercased() == no })
            else { return nil }
            return (first, other)
        }
        guard let (yes, no) = known.first else { return nil }
        let map = JSONText.object([(yes, "\"true\""), (no, "\"false\"")])
        let missing = all.filter { MissingTexts.isOne($0) }.map { ", \"nullIf\": \(DraftText.quoted($0))" }.joined()
        return "only \(quoted(yes)) and \(quoted(no)): perhaps \"boolean\" with \"map\": \(map)\(missing)"
    }

    /// The regular expression of a number in a text, as JSON has it: from the first digit to the last one, so that what
    /// it does not expect between them is a reject, and no other number.
    private static let number = "\"-?\\\\d(?:.*\\\\d)?\""

    /// Of amounts with a unit, or a minus behind them.
    private static func amounts(_ column: DraftColumn) -> String? {
        guard let amounts = column.amounts, let first = amounts.first else { return nil }
        if amounts.contains(where: \.isMinusBehind) {
            return "numbers with a minus behind them, which no type takes"
        }
        let behind = first.behind
        // `2E` in all records may be the name of a terminal.
        if behind.allSatisfy(\.isLetter), !behind.isEmpty, Set(amounts.map(\.number)).count == 1 { return nil }
        let unit = quoted(first.before.isEmpty ? behind : first.before)
        if amounts.contains(where: \.isMinusApart) { return "numbers with \(unit), and with a minus apart from them" }
        guard let marks = AmountMarks(of: amounts.map(\.number)) else {
            return "numbers with \(unit), with other marks in some than in others"
        }
        return "numbers with \(unit): perhaps \"decimal\" with \"match\": \(number)\(marks.keys)"
    }

    /// Of times in a way of writing that a format takes, some of which may be zero: MySQL has these for none.
    private static func moments(_ column: DraftColumn) -> String? {
        guard column.facts.numbers == 0, !column.isKey else { return nil }
        let all = column.facts.sample.texts.filter { !$0.isEmpty }
        let zeros = all.filter { $0.starts(with: Array("0000-00-00".utf8)) }
        let ways = TimeWriting.ofAll(all.filter { !zeros.contains($0) })
        if ways.count > 1 { return "times, but is the day or the month first?" }
        guard let way = ways.first, way.format != "%Y-%m-%d %H:%M:%S" || !zeros.isEmpty else { return nil }
        let texts = DraftText.list(zeros.map { String(decoding: $0, as: UTF8.self) })
        let none = zeros.isEmpty ? "" : ", \"nullIf\": \(texts)"
        return "times: perhaps \"datetime\" with \"format\": \(quoted(way.format)), and a \"timeZone\"\(none)"
    }

    /// Of days beside times.
    private static func daysAndTimes(_ column: DraftColumn) -> String? {
        let forms = column.facts.sample.texts.filter { !$0.isEmpty }.map(TextKind.forms)
        let areMoments = forms.allSatisfy { !$0.isDisjoint(with: [.date, .time, .localTime]) }
        let hasBoth = forms.contains { $0.contains(.date) } && forms.contains { !$0.contains(.date) }
        guard column.facts.numbers == 0, !column.isKey, areMoments, hasBoth else { return nil }
        return "dates and times: perhaps \"datetime\" with \"format\": [\"rfc3339\", \"%Y-%m-%d\"], and a \"timeZone\""
    }

    /// Of days without a year: `0111` is the first of November.
    private static func dayAndMonth(_ column: DraftColumn) -> String? {
        let facts = column.facts
        let words = Names.words(column.ownName).map { $0.lowercased() }
        guard facts.longest == 4, facts.bytes == 4 * (facts.texts - facts.empties), facts.numbers == 0,
            words.contains(where: { $0.hasSuffix("datum") || $0 == "date" })
        else { return nil }
        let areDays = facts.sample.texts.allSatisfy { text in
            guard text.allSatisfy(\.isDigit) else { return false }
            let numbers = text.map { Int($0) - 48 }
            return (1...31).contains(numbers[0] * 10 + numbers[1]) && (1...12).contains(numbers[2] * 10 + numbers[3])
        }
        return areDays ? "days and months without a year, as it seems, which no type takes" : nil
    }
}
