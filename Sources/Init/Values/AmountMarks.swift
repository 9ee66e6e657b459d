/// Which marks the numbers of amounts have, before the fraction and between groups, as far as these numbers tell.
struct AmountMarks {
    /// A comma or a point; nil: none of the numbers has a fraction for sure.
    private(set) var fraction: Character?
    /// Nil: none of the numbers has groups for sure.
    private(set) var groups: Character?
    /// The mark of `1,234` or `1.234`, where nothing tells which of both it is.
    private(set) var open: Character?

    /// Nil: the numbers are written in several ways, and a definition reads one.
    init?(of numbers: [String]) {
        var (fractions, groups, open) = (Set<Character>(), Set<Character>(), Set<Character>())
        for number in numbers {
            let marks = number.filter { !$0.isNumber }.map(AmountMarks.plain)
            guard let first = marks.first, let last = marks.last else { continue }
            if marks.count > 1 {
                groups.insert(first)
                if last != first { fractions.insert(last) }
            } else if !AmountMarks.ofFractions.contains(last) {
                groups.insert(last)
            } else if AmountMarks.mayHaveGroup(number) {
                open.insert(last)
            } else {
                fractions.insert(last)
            }
        }
        for mark in open.sorted() where !fractions.contains(mark) && !groups.contains(mark) {
            switch (fractions.isEmpty, groups.isEmpty) {
            case (false, true): groups.insert(mark)
            case (true, false): fractions.insert(mark)
            case (true, true) where open.count == 1: self.open = mark
            default: return nil
            }
        }
        guard fractions.count < 2, groups.count < 2, fractions.isDisjoint(with: groups),
            fractions.isSubset(of: AmountMarks.ofFractions)
        else { return nil }
        (fraction, self.groups) = (fractions.first, groups.first)
    }

    private static let ofFractions: Set<Character> = [",", "."]

    /// All spaces as one, and all apostrophes, as a definition has them.
    private static func plain(_ mark: Character) -> Character { mark.isWhitespace ? " " : mark == "’" ? "'" : mark }

    /// Whether three digits stand behind the only mark of a number, and up to three before it: not a zero.
    private static func mayHaveGroup(_ number: String) -> Bool {
        let parts = number.split { !$0.isNumber }
        return parts.count == 2 && parts[1].count == 3 && parts[0].count <= 3 && parts[0].first != "0"
    }

    /// What a definition says of them, behind its other keys.
    var keys: String {
        if let open {
            return ", and \"decimalMark\" or \"thousands\", as the \(open == "," ? "comma" : "point") is meant"
        }
        // A point between groups is none before a fraction, of which there is none today.
        let comma = fraction == "," || groups == "." ? ", \"decimalMark\": \",\"" : ""
        return comma + (groups.map { ", \"thousands\": \"\($0)\"" } ?? "")
    }
}
