import SluiceRecords

/// Whether a table has a header: a first row that is a record like those below it has numbers where these have some.
enum TableHeader {
    /// Names for the columns of a table without a header, such as `column1`; nil: its first line names them.
    static func names(of rows: [[String]]) -> [String]? {
        guard let first = rows.first, rows.count > 1 else { return nil }
        let records = rows.dropFirst().filter { $0.count == first.count }
        let numbers = first.indices.filter { column in
            let cells = records.map { $0[column] }.filter { !$0.isEmpty }
            return !cells.isEmpty && cells.allSatisfy { number($0) != nil }
        }
        let isRecord = numbers.contains { column in number(first[column]).map { !isYear($0) } ?? false }
        // All of them: else a name is among them.
        guard isRecord, numbers.allSatisfy({ first[$0].isEmpty || number(first[$0]) != nil }) else { return nil }
        return first.indices.map { "column\($0 + 1)" }
    }

    /// Names for the columns of a table whose header has one of them twice; nil: all of its names differ. What it calls
    /// nothing stays without a name, and is passed over.
    static func distinctNames(of rows: [[String]]) -> [String]? {
        let names = rows.first ?? []
        let given = Set(names.map { ExactText($0) })
        guard given.count < names.count - max(0, names.count(where: \.isEmpty) - 1) else { return nil }
        var taken: Set<ExactText> = []
        return names.map { name in
            var (own, number) = (name, 2)
            while !name.isEmpty,
                number > 2 && given.contains(ExactText(own)) || !taken.insert(ExactText(own)).inserted
            {
                own = name + String(number)
                number += 1
            }
            return own
        }
    }

    /// Names for the columns of a table whose header has a space behind each delimiter: `id, name, city`; nil: it has
    /// none, or no names.
    static func namesWithoutSpaces(of rows: [[String]]) -> [String]? {
        guard let names = rows.first, names.count > 1, names.dropFirst().allSatisfy({ $0.hasPrefix(" ") }) else {
            return nil
        }
        let own = names.map { String($0.drop { $0 == " " }) }
        return own.contains(where: \.isEmpty) || Set(own.map { ExactText($0) }).count < own.count ? nil : own
    }

    /// Names for the columns of a table whose header has none for the first, which names its rows: `,Miller,Anderson`
    /// above `John,8.4,6.9`; nil: it has one, or the rows are only counted.
    static func namesWithRows(of rows: [[String]]) -> [String]? {
        guard let names = rows.first, names.count > 1, names[0].isEmpty, rows.count > fewestNamed,
            !names.dropFirst().contains(where: \.isEmpty)
        else { return nil }
        let own = rows.dropFirst().map { $0[0] }
        guard !own.contains(where: { $0.isEmpty || number($0) != nil || MissingTexts.isOne($0) }),
            Set(own.map { ExactText($0) }).count == own.count,
            Set(names.map { ExactText($0) }).count == names.count
        else { return nil }
        let name = ["row", "row_name", "name_of_row"].first { name in !names.contains { $0.isIdentical(to: name) } }
        return name.map { [$0] + names.dropFirst() }
    }

    /// So many rows show that each has a name of its own.
    private static let fewestNamed = 4

    /// Whether the first row below the header has the units of what stands below it: short texts, and no numbers where
    /// all other rows have some, but for one that lacks, or is a word.
    static func hasUnits(_ rows: [[String]]) -> Bool {
        guard let header = rows.first, rows.count >= 4, rows[1].count == header.count else { return false }
        let records = rows.dropFirst(2).filter { $0.count == header.count }
        let numbers = header.indices.filter { column in
            let cells = records.map { $0[column] }.filter { !MissingTexts.isOne($0) }
            let others = cells.count { number($0) == nil }
            return cells.count - others >= 2 && 5 * others <= cells.count
        }
        let units = numbers.map { rows[1][$0] }.filter { !$0.isEmpty }
        guard !units.isEmpty, units.allSatisfy({ number($0) == nil && !MissingTexts.isOne($0) }),
            rows[1].allSatisfy({ $0.utf8.count <= 16 })
        else { return false }
        // A record has something in the other columns, and a word for what is wrong in one of numbers.
        let isAlone = header.indices.allSatisfy { numbers.contains($0) || MissingTexts.isOne(rows[1][$0]) }
        return isAlone || units.contains(where: UnitText.isKnown)
    }

    /// Columns are called as years are, in tables of statistics.
    static func isYear(_ number: Double) -> Bool { number == number.rounded() && (1500...2200).contains(number) }

    /// A text that is a number in digits, with marks between its groups, too.
    static func number(_ text: String) -> Double? {
        let plain = text.contains(".") ? text : text.replacingExactly(",", with: ".")
        if let number = Double(plain) { return plain.utf8.contains(where: \.isDigit) ? number : nil }
        return withoutGroups(text).flatMap { Double($0) }
    }

    /// A number whose groups have marks between them, `1.045,70`, as it is without these; nil: it is none.
    private static func withoutGroups(_ text: String) -> String? {
        let forms = TextKind.forms(Array(text.utf8))
        if !forms.isDisjoint(with: [.commaGroups, .spaceGroupsComma]) {
            return String(text.filter { $0.isNumber || $0 == "-" || $0 == "," }).replacingExactly(",", with: ".")
        }
        guard !forms.isDisjoint(with: [.pointGroups, .spaceGroupsPoint]) else { return nil }
        return String(text.filter { $0.isNumber || $0 == "-" || $0 == "." })
    }
}
