/// A part of a count, as people write it: `9.2%`. Kept in whole numbers: in binary, 9.2 % of 750 are fewer than 69.
package struct Share: Sendable, Hashable {
    /// Of ``denominator``.
    package let numerator: Int
    package let denominator: Int

    /// More decimals than these change nothing for any count there is.
    private static let mostDecimals = 15

    /// - Parameter text: digits, perhaps a fraction, and a percent sign: at most `100%`. Nil where it is anything else.
    package init?(_ text: String) {
        guard text.utf8.last == UInt8(ascii: "%") else { return nil }
        let parts = text.utf8.dropLast().split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isDigit) }),
            let whole = Int(String(decoding: parts[0], as: UTF8.self)), whole <= 100
        else { return nil }
        var (numerator, denominator) = (whole, 100)
        let decimals = parts.count == 2 ? Array(parts[1]) : []
        if whole == 100, decimals.contains(where: { $0 != UInt8(ascii: "0") }) { return nil }
        let count = decimals.prefix(Share.mostDecimals).lastIndex { $0 != UInt8(ascii: "0") }.map { $0 + 1 } ?? 0
        for digit in decimals.prefix(count) {
            numerator = numerator * 10 + Int(digit - UInt8(ascii: "0"))
            denominator *= 10
        }
        self.numerator = numerator
        self.denominator = denominator
    }

    /// - Parameter percent: from 0 to 100.
    package init(percent: Int) {
        numerator = percent
        denominator = 100
    }

    /// As people write it: `9.2%`.
    package var text: String {
        let unit = denominator / 100
        let (whole, rest) = numerator.quotientAndRemainder(dividingBy: unit)
        return rest == 0 ? "\(whole)%" : "\(whole).\(String(unit + rest).dropFirst())%"
    }

    /// How much of a count it is, rounded down.
    package func of(_ count: Int) -> Int { divided(count).quotient }

    /// How much of a count it is, rounded up.
    package func ofRoundedUp(_ count: Int) -> Int {
        let (quotient, remainder) = divided(count)
        return remainder == 0 ? quotient : quotient + 1
    }

    private func divided(_ count: Int) -> (quotient: Int, remainder: Int) {
        // No more than the count: the share is at most 1.
        denominator.dividingFullWidth(numerator.multipliedFullWidth(by: count))
    }
}
