/// What the keys of objects tell by themselves, whatever is behind them: whether they are data, or names of fields.
enum DataKeys {
    /// Whether keys are versions of one: `metricV2`, `metricV31`.
    static func areVersions(_ names: [String]) -> Bool {
        guard names.count > 1 else { return false }
        let stems = names.map { name -> Substring in
            let digits = name.reversed().prefix { $0.isNumber || $0 == "." || $0 == "_" }
            let stem = name.dropLast(digits.count)
            guard digits.contains(where: \.isNumber), let last = stem.last, last == "V" || last == "v" else {
                return ""
            }
            return stem.dropLast()
        }
        return stems[0].utf8.count > 2 && stems.allSatisfy { $0.utf8.elementsEqual(stems[0].utf8) }
    }

    /// Whether keys are letters and a number, which is not the place in a row: `P31`, `P569`.
    static func areNumbered(_ names: [String]) -> Bool {
        let numbers = names.compactMap { name -> Int? in
            let letters = name.utf8.prefix { $0 | 0x20 &- UInt8(ascii: "a") < 26 || $0 == UInt8(ascii: "-") }
            return letters.count <= 4 ? Int(name.dropFirst(letters.count)) : nil
        }
        return numbers.count >= 3 && numbers.count == names.count && (numbers.max() ?? 0) >= 2 * names.count
    }

    /// Whether a key is a name with its number in front, as Alpha Vantage has them: `1. open`.
    private static func isItem(_ key: String) -> Bool {
        let digits = key.utf8.prefix(while: \.isDigit).count
        let rest = key.utf8.dropFirst(digits)
        return (1...2).contains(digits) && rest.starts(with: ". ".utf8)
            && (rest.dropFirst(2).first.map { $0 | 0x20 &- UInt8(ascii: "a") < 26 } ?? false)
    }

    /// Whether a key cannot well be the name of a field.
    static func isData(_ key: String) -> Bool {
        guard let first = key.utf8.first else { return true }
        if isItem(key) { return false }
        if first.isDigit || key.utf8.count > 60 { return true }
        return key.utf8.contains { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "/") }
    }

    /// Whether keys are days of the week, or months: what is under each of them is of one kind.
    static func areDays(_ names: [String]) -> Bool {
        let lower = names.map { $0.lowercased() }
        return lower.count > 1 && spans.contains { $0.isSuperset(of: lower) }
    }

    /// Whether keys are codes of two or three capital letters, all of one length: of countries, or currencies.
    static func areLetterCodes(_ names: [String]) -> Bool {
        guard names.count >= 5, let length = names.first?.utf8.count, (2...3).contains(length) else { return false }
        return names.allSatisfy { name in
            name.utf8.count == length && name.utf8.allSatisfy { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }
        }
    }

    /// Whether a key says how long something took: `3h`, `24h`, `30m`.
    static func isSpan(_ key: String) -> Bool {
        let digits = key.utf8.prefix(while: \.isDigit).count
        return (1...3).contains(digits)
            && ["s", "m", "min", "h", "d", "w", "y"].contains { $0.isIdentical(to: String(key.dropFirst(digits))) }
    }

    private static let spans: [Set<String>] = [
        ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"],
        ["mon", "tue", "wed", "thu", "fri", "sat", "sun"],
        ["montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag"],
        ["mo", "di", "mi", "do", "fr", "sa", "so"],
        ["mo", "tu", "we", "th", "fr", "sa", "su"],
        ["lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"],
        ["lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo"],
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"],
        [
            "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
            "november", "december",
        ],
    ]
}
