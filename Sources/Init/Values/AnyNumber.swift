import SluiceRecords

/// Numbers that types take, and JSON does not: without digits on one side of the point, with an exponent, with a plus.
enum AnyNumber {
    private static let longest = 40
    /// So many digits behind a plus, without a point, are those of a number rather than of a telephone.
    private static let mostBehindPlus = 6
    /// Beyond this exponent a number may be too large for a double.
    private static let largestExponent = 250

    /// Whether a text that is not empty is one. An exponent has a sign, or a point before it, as programs write them:
    /// `1E5` may be a code, and `007` is none either.
    static func isOne(_ text: TextView) -> Bool {
        guard text.count <= longest else { return false }
        let hasSign = text[0] == UInt8(ascii: "-") || text[0] == UInt8(ascii: "+")
        let start = hasSign ? 1 : 0
        var index = start
        while text.isDigit(index) { index += 1 }
        let whole = index - start
        if whole > 1, text[start] == UInt8(ascii: "0") { return false }
        let hasPoint = index < text.count && text[index] == UInt8(ascii: ".")
        if hasPoint { index += 1 }
        let point = index
        while text.isDigit(index) { index += 1 }
        guard whole + index - point > 0 else { return false }
        if index < text.count { return isExponent(text, index, needsSign: !hasPoint) }
        return hasPoint || text[0] != UInt8(ascii: "+") || whole <= mostBehindPlus
    }

    private static func isExponent(_ text: TextView, _ start: Int, needsSign: Bool) -> Bool {
        guard text[start] | 0x20 == UInt8(ascii: "e"), start + 1 < text.count else { return false }
        let hasSign = text[start + 1] == UInt8(ascii: "-") || text[start + 1] == UInt8(ascii: "+")
        let digits = start + (hasSign ? 2 : 1)
        guard hasSign || !needsSign, (1...3).contains(text.count - digits),
            let exponent = text.digits(digits, text.count - digits)
        else { return false }
        return exponent <= largestExponent
    }
}
