import SluiceRecords

/// What a definition can say so that a text is read as a number, where the text itself shows it.
enum NumberHint {
    static func text(for text: String, _ type: AttributeType) -> String? {
        if let keys = markKeys(text, type) { return keys.joined(separator: ", ") + " reads it" }
        return hintOfComma(text, type) ?? hintOfSign(text, type)
    }

    /// One comma, and three digits behind it: what the number is, its author knows.
    private static func hintOfComma(_ text: String, _ type: AttributeType) -> String? {
        let parts = text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        guard parts.count == 2, isWhole(parts[0]), parts[1].count == 3, isDigits(parts[1]) else { return nil }
        let fraction = (type == .integer ? #""type": "decimal", "# : "") + #""decimalMark": ",""#
        return #""thousands": "," reads it where the comma stands between groups, \#(fraction) where before a fraction"#
    }

    private static func hintOfSign(_ text: String, _ type: AttributeType) -> String? {
        guard let sign = sign(around: text) else { return nil }
        let number = trimmed(text, of: sign.utf8)
        let parts = number.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let isPlain =
            parts.count <= (type == .integer ? 1 : 2) && isWhole(parts[0]) && parts.dropFirst().allSatisfy(isDigits)
        guard let marks = isPlain ? [] : markKeys(number, type) else { return nil }
        let keys = [#""match": "-?\\d(?:.*\\d)?""#] + marks
        return keys.joined(separator: ", ") + #" takes the number without its "\#(sign)""#
    }

    private static func isWhole(_ text: Substring.UTF8View) -> Bool {
        let hasSign = text.first == UInt8(ascii: "-") || text.first == UInt8(ascii: "+")
        return isDigits(hasSign ? text.dropFirst() : text)
    }

    private static func isDigits(_ text: Substring.UTF8View) -> Bool { !text.isEmpty && text.allSatisfy(\.isDigit) }

    /// A sign that says of a number what it counts: of a word such as `km`, other records may have another one.
    private static func sign(around text: String) -> String? {
        let backwards = text.utf8.reversed()
        return ["%", "€", "$", "£"].first {
            text.utf8.starts(with: $0.utf8) || backwards.starts(with: $0.utf8.reversed())
        }
    }

    private static func trimmed(_ text: String, of sign: String.UTF8View) -> String {
        var bytes = Array(text.utf8)
        if bytes.starts(with: sign) { bytes.removeFirst(sign.count) } else { bytes.removeLast(sign.count) }
        let isSpace: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") }
        let inner = bytes.drop(while: isSpace).reversed().drop(while: isSpace).reversed()
        return String(decoding: Array(inner), as: UTF8.self)
    }

    /// Marks between groups and before the fraction, which the number shows: a comma that has not three digits behind
    /// it stands before a fraction.
    private static func markKeys(_ text: String, _ type: AttributeType) -> [String]? {
        let body = Array(text.utf8.drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") })
        guard let first = body.first, first.isDigit, let last = body.last, last.isDigit else { return nil }
        let marks = body.filter { !$0.isDigit }
        guard let decimal = marks.last, [UInt8(ascii: ","), UInt8(ascii: ".")].contains(decimal) else { return nil }
        let groups = Set(marks.dropLast())
        guard groups.count <= 1, groups.allSatisfy({ $0 != decimal && ".,' ".utf8.contains($0) }) else { return nil }
        let decimals = body.reversed().prefix { $0.isDigit }.count
        guard decimals != 3 || !groups.isEmpty else { return nil }
        let shown = decimal == UInt8(ascii: ",") ? [#""decimalMark": ",""#] : []
        let grouped = groups.first.map { [#""thousands": "\#(Character(UnicodeScalar($0)))""#] } ?? []
        let fraction = text.utf8.suffix(decimals)
        let isFractional = type == .integer && !fraction.allSatisfy { $0 == UInt8(ascii: "0") }
        let keys = (isFractional ? [#""type": "decimal""#] : []) + shown + grouped
        return keys.isEmpty ? nil : keys
    }
}
