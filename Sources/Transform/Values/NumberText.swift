/// A number as it is written, taken apart without losing anything: `digits` significant digits, the first and the last
/// of them not zero, times ten to the power of `exponent`.
struct NumberText {
    private(set) var isNegative = false
    /// The number of significant digits; 0: the number is zero.
    private(set) var digits = 0
    /// The index of the first significant digit. A decimal point may stand among the digits.
    private(set) var first = 0
    /// Of the last significant digit.
    private(set) var exponent = 0
    /// The significant digits as an integer, if they are no more than 19.
    private(set) var mantissa: UInt64 = 0

    /// Larger exponents are taken for this one, whose sum with any length of a text cannot overflow.
    private static let largestExponent = 1 << 40

    /// Takes a number apart: `[+-] digits [. digits] [e [+-] digits]`, where the digits on one side of the point may be
    /// missing. That is every JSON number, and what strings commonly hold. No white space, no hexadecimal, no infinity.
    init?(_ text: ByteView) {
        var index = 0
        if text.count > 0, text[0] == UInt8(ascii: "-") || text[0] == UInt8(ascii: "+") {
            isNegative = text[0] == UInt8(ascii: "-")
            index = 1
        }
        let start = index
        scanDigits(text, &index)
        var written = index - start
        if index < text.count, text[index] == UInt8(ascii: ".") {
            index += 1
            let point = index
            scanDigits(text, &index)
            exponent -= index - point
            written += index - point
        }
        guard written > 0 else { return nil }
        if index < text.count {
            guard let power = NumberText.power(text, index) else { return nil }
            exponent += power
        }
        exponent += zeros
        if digits == 0 { exponent = 0 }
    }

    /// Zeros after the last significant digit so far.
    private var zeros = 0
    /// All digits so far as an integer, as long as there are no more than 19.
    private var running: UInt64 = 0

    // Inlined, so that the counters stay in registers from digit to digit.
    @inline(__always)
    private mutating func scanDigits(_ text: ByteView, _ index: inout Int) {
        while index < text.count {
            let digit = text.digit(index)
            guard digit <= 9 else { return }
            running = running &* 10 &+ UInt64(digit)
            if digit != 0 {
                if digits == 0 {
                    first = index
                    zeros = 0
                }
                digits += zeros + 1
                zeros = 0
                mantissa = running
            } else {
                zeros += 1
            }
            index += 1
        }
    }

    /// The exponent that starts at an index and ends with the text.
    private static func power(_ text: ByteView, _ start: Int) -> Int? {
        var index = start
        guard text[index] | 0x20 == UInt8(ascii: "e") else { return nil }
        index += 1
        var isNegative = false
        if index < text.count, text[index] == UInt8(ascii: "-") || text[index] == UInt8(ascii: "+") {
            isNegative = text[index] == UInt8(ascii: "-")
            index += 1
        }
        guard index < text.count else { return nil }
        var power = 0
        while index < text.count {
            let digit = text.digit(index)
            guard digit <= 9 else { return nil }
            power = min(power * 10 + Int(digit), largestExponent)
            index += 1
        }
        return isNegative ? -power : power
    }

    /// Multiplies the number by a power of ten.
    mutating func shift(by power: Int) {
        if digits > 0 { exponent += power }
    }

    /// Takes the minus of a zero away.
    mutating func dropSignOfZero() { if digits == 0 { isNegative = false } }

    /// The number as an integer; nil if it is not integral, or beyond 64 bits.
    var integer: Int64? {
        if digits == 0 { return 0 }
        guard exponent >= 0, digits + exponent <= 19 else { return nil }
        let magnitude = mantissa * powerOfTen(exponent)
        if isNegative {
            return magnitude <= UInt64(Int64.max) + 1 ? Int64(truncatingIfNeeded: 0 &- magnitude) : nil
        }
        return Int64(exactly: magnitude)
    }

    /// Whether two numbers are the same, however they are written: `1.0` and `1`, `100` and `1e2`.
    static func areEqual(_ one: ByteView, _ other: ByteView) -> Bool {
        guard let left = NumberText(one), let right = NumberText(other) else { return false }
        guard left.digits == right.digits else { return false }
        if left.digits == 0 { return true }
        guard left.isNegative == right.isNegative, left.exponent == right.exponent else { return false }
        if left.digits <= 19 { return left.mantissa == right.mantissa }
        var leftIndex = left.first
        var rightIndex = right.first
        for _ in 0..<left.digits {
            if one[leftIndex] == UInt8(ascii: ".") { leftIndex += 1 }
            if other[rightIndex] == UInt8(ascii: ".") { rightIndex += 1 }
            guard one[leftIndex] == other[rightIndex] else { return false }
            leftIndex += 1
            rightIndex += 1
        }
        return true
    }
}

extension NumberText {
    /// How two numbers compare: below 0, 0, or above; nil if one is none.
    static func order(_ one: ByteView, _ other: ByteView) -> Int? {
        guard let left = NumberText(one), let right = NumberText(other) else { return nil }
        let signs = (left.sign, right.sign)
        guard signs.0 == signs.1 else { return signs.0 - signs.1 }
        if signs.0 == 0 { return 0 }
        return signs.0 * left.magnitudeOrder(one, right, other)
    }

    /// Below 0, 0, or above it.
    private var sign: Int { digits == 0 ? 0 : isNegative ? -1 : 1 }

    /// How two numbers that are not zero compare without their signs.
    private func magnitudeOrder(_ text: ByteView, _ other: NumberText, _ otherText: ByteView) -> Int {
        let places = (digits + exponent, other.digits + other.exponent)
        if places.0 != places.1 { return places.0 < places.1 ? -1 : 1 }
        var (index, otherIndex) = (first, other.first)
        for place in 0..<max(digits, other.digits) {
            let digit = place < digits ? NumberText.nextDigit(text, &index) : 0
            let otherDigit = place < other.digits ? NumberText.nextDigit(otherText, &otherIndex) : 0
            if digit != otherDigit { return digit < otherDigit ? -1 : 1 }
        }
        return 0
    }

    private static func nextDigit(_ text: ByteView, _ index: inout Int) -> UInt8 {
        if text[index] == UInt8(ascii: ".") { index += 1 }
        index += 1
        return text.digit(index - 1)
    }
}
