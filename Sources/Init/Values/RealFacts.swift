import Glibc
import SluiceRecords

/// What numbers with a fraction or an exponent, or beyond 64 bits, have in common.
@safe
struct RealFacts: BitwiseCopyable {
    var count = 0
    /// Significant digits, at the most.
    var digits = 0
    /// Digits behind the point, at the most; of numbers with an exponent, nobody counts these.
    var fraction = 0
    var hasExponent = false
    /// Those that may be seconds since 1970, as times of this century are written.
    var seconds = 0
    /// Those that are whole and have 19 digits, of 64 bits all the same; and those of these that may be nanoseconds
    /// since 1970, of this century.
    private var integers = 0
    private var nanoseconds = 0
    /// Whether a double does not hold all digits of one of them.
    private(set) var areRounded = false
    /// Any number of so many digits is what a double is shown as, and no double has more than so many.
    private static let exactDigits = 15
    private static let mostDigits = 17
    /// Whether one of them has such an exponent, or so many digits, that it may be too large for a double.
    var isWide = false

    /// Adds a number as it is written.
    mutating func add(_ number: UnsafePointer<UInt8>, _ length: Int) {
        count += 1
        if unsafe RealFacts.areSeconds(number, length) { seconds += 1 }
        if length == 19, let integer = unsafe RealFacts.integer(number, length) {
            integers += 1
            if integer / 1_000_000_000_000_000_000 == 1 { nanoseconds += 1 }
        }
        var own = 0
        for index in 0..<length {
            let byte = unsafe number[index]
            if byte == UInt8(ascii: ".") { fraction = max(fraction, length - index - 1) }
            if byte | 0x20 == UInt8(ascii: "e") {
                hasExponent = true
                if unsafe RealFacts.isWide(number + index + 1, length - index - 1) { isWide = true }
                break
            }
            if byte.isDigit, own > 0 || byte != UInt8(ascii: "0") { own += 1 }
        }
        digits = max(digits, own)
        if own > RealFacts.exactDigits, !areRounded { areRounded = unsafe RealFacts.isRounded(number, length, own) }
        if own > 200 { isWide = true }
    }

    /// Whether a number has ten digits before its fraction, as seconds since 1970 have from 2001 on, and no exponent.
    private static func areSeconds(_ number: UnsafePointer<UInt8>, _ length: Int) -> Bool {
        guard length > 11, unsafe number[10] == UInt8(ascii: "."), unsafe number[0] >= UInt8(ascii: "1"),
            unsafe number[0] <= UInt8(ascii: "3")
        else { return false }
        for index in 0..<length where index != 10 && !(unsafe number[index].isDigit) { return false }
        return true
    }

    /// Whether all of them are whole numbers of 64 bits.
    var areIntegers: Bool { count > 0 && integers == count }
    /// Likewise, nanoseconds since 1970.
    var areNanoseconds: Bool { count > 0 && nanoseconds == count }

    /// The number of 19 digits that some bytes are; nil: they are none, or one beyond 64 bits.
    private static func integer(_ number: UnsafePointer<UInt8>, _ length: Int) -> Int64? {
        var value: Int64 = 0
        for index in 0..<length {
            let digit = unsafe number[index] &- UInt8(ascii: "0")
            guard digit <= 9 else { return nil }
            let (tens, isBeyond) = value.multipliedReportingOverflow(by: 10)
            let (sum, isOver) = tens.addingReportingOverflow(Int64(digit))
            if isBeyond || isOver { return nil }
            value = sum
        }
        return value
    }

    /// Whether the double that is nearest to a number is another one when it is written with as many digits.
    private static func isRounded(_ number: UnsafePointer<UInt8>, _ length: Int, _ digits: Int) -> Bool {
        guard digits <= mostDigits else { return true }
        let text = unsafe String(decoding: UnsafeBufferPointer(start: number, count: length), as: UTF8.self)
        guard let value = Double(text) else { return true }
        var shown = [CChar](repeating: 0, count: 40)
        let count = unsafe withVaList([Int32(digits - 1), value]) { unsafe vsnprintf(&shown, 40, "%.*e", $0) }
        return !significant(shown.prefix(Int(count)).map { UInt8(bitPattern: $0) }).elementsEqual(
            significant(text.utf8))
    }

    /// The digits of a number before its exponent, without zeros before them.
    private static func significant(_ text: some Sequence<UInt8>) -> [UInt8] {
        Array(text.prefix { $0 | 0x20 != UInt8(ascii: "e") }.filter(\.isDigit).drop { $0 == UInt8(ascii: "0") })
    }

    /// Whether an exponent may lead beyond what doubles have, which go up to 1.8e308.
    private static func isWide(_ exponent: UnsafePointer<UInt8>, _ length: Int) -> Bool {
        var value = 0
        for index in 0..<length {
            let byte = unsafe exponent[index]
            if byte.isDigit { value = min(value * 10 + Int(byte - UInt8(ascii: "0")), 100_000) }
        }
        // What stands before it has its digits, too.
        return value > 260
    }

    mutating func merge(_ other: RealFacts) {
        count += other.count
        seconds += other.seconds
        integers += other.integers
        nanoseconds += other.nanoseconds
        digits = max(digits, other.digits)
        fraction = max(fraction, other.fraction)
        hasExponent = hasExponent || other.hasExponent
        areRounded = areRounded || other.areRounded
        isWide = isWide || other.isWide
    }
}
