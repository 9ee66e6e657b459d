import SluiceRecords

/// A decimal number, exactly: on the way of a stored value from one form to another.
package struct ExactNumber: Hashable, Sendable {
    private var isNegative = false
    /// The significant digits, 0 to 9, without zeros at either end; none: zero.
    private var digits: [UInt8] = []
    /// Of the last significant digit.
    private var exponent = 0

    /// An integer times ten to the power of `-scale`.
    package init(_ value: Int64, scale: Int = 0) {
        isNegative = value < 0
        set(Array(String(value.magnitude).utf8).map { $0 - UInt8(ascii: "0") }, exponent: -scale)
    }

    /// The shortest number that is nearest to a double.
    package init?(_ value: Double) {
        guard value.isFinite else { return nil }
        let parts = "\(value.magnitude)".split(separator: "e")
        guard let number = ExactNumber(digits: parts[0]) else { return nil }
        self = number
        isNegative = value < 0
        if parts.count > 1, let power = Int(parts[1]), !digits.isEmpty { exponent += power }
    }

    /// A text in the only spelling of its number, so that nothing is lost: no `+`, no exponent, no zero in front, no
    /// `-0`.
    package init?(_ text: String) {
        let isNegative = text.utf8.first == UInt8(ascii: "-")
        let magnitude = Substring(isNegative ? text.dropFirst() : text[...])
        guard let number = ExactNumber(digits: magnitude), !(isNegative && number.digits.isEmpty) else { return nil }
        self = number
        self.isNegative = isNegative
    }

    /// Digits, and perhaps a point with digits behind it.
    private init?(digits text: Substring) {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isDigit) }),
            parts[0].count == 1 || parts[0].first != UInt8(ascii: "0")
        else { return nil }
        set(parts.joined().map { $0 - UInt8(ascii: "0") }, exponent: parts.count == 2 ? -parts[1].count : 0)
    }

    private mutating func set(_ all: [UInt8], exponent: Int) {
        let zeros = all.reversed().prefix { $0 == 0 }.count
        digits = Array(all.dropLast(zeros).drop { $0 == 0 })
        self.exponent = digits.isEmpty ? 0 : exponent + zeros
    }

    /// The digits behind the point.
    package var scale: Int { max(-exponent, 0) }

    /// The number in units of its digit `scale` behind the point; nil if it is not integral in them, or beyond 64 bits.
    package func integer(scale: Int = 0) -> Int64? {
        if digits.isEmpty { return 0 }
        let zeros = exponent + scale
        guard zeros >= 0, digits.count + zeros <= 19 else { return nil }
        return Int64((isNegative ? "-" : "") + written(digits) + String(repeating: "0", count: zeros))
    }

    /// The nearest double, if its shortest decimal is this number.
    package var real: Double? {
        guard let value = Double(text), ExactNumber(value) == self else { return nil }
        return value
    }

    /// Without zeros that say nothing.
    package var text: String { text(scale: scale) ?? "0" }

    /// With so many digits behind the point; nil if it has more.
    package func text(scale: Int) -> String? {
        guard self.scale <= scale else { return nil }
        var all = digits + Array(repeating: 0, count: digits.isEmpty ? scale : exponent + scale)
        if all.count <= scale { all = Array(repeating: 0, count: scale + 1 - all.count) + all }
        let (whole, fraction) = (all.dropLast(scale), all.suffix(scale))
        return (isNegative ? "-" : "") + written(whole) + (scale > 0 ? "." + written(fraction) : "")
    }

    private func written(_ digits: some Sequence<UInt8>) -> String {
        String(decoding: digits.map { $0 + UInt8(ascii: "0") }, as: UTF8.self)
    }
}

extension ExactNumber: Comparable {
    package static func < (left: ExactNumber, right: ExactNumber) -> Bool {
        if left.isNegative != right.isNegative { return left.isNegative }
        return left.isNegative ? right.isSmaller(than: left) : left.isSmaller(than: right)
    }

    /// Without the signs.
    private func isSmaller(than other: ExactNumber) -> Bool {
        if digits.isEmpty || other.digits.isEmpty { return digits.isEmpty && !other.digits.isEmpty }
        let (place, otherPlace) = (digits.count + exponent, other.digits.count + other.exponent)
        if place != otherPlace { return place < otherPlace }
        return digits.lexicographicallyPrecedes(other.digits)
    }
}
