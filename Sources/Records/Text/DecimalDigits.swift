/// The decimal digits of whole numbers, for texts that are made where they stay.
package enum DecimalDigits {
    /// How many digits a number has, 1 to 20.
    @inlinable
    package static func count(_ number: UInt64) -> Int {
        var (rest, count) = (number, 1)
        while rest > 9 {
            rest /= 10
            count += 1
        }
        return count
    }

    /// Puts the `count` digits of a number to their places, which are counted from 0.
    @inlinable
    @inline(__always)
    package static func write(_ number: UInt64, count: Int, put: (_ place: Int, _ digit: UInt8) -> Void) {
        var rest = number
        for place in stride(from: count - 1, through: 0, by: -1) {
            put(place, UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        }
    }
}

extension UInt8 {
    /// Whether it is a decimal digit of ASCII.
    @inlinable package var isDigit: Bool { UInt8(ascii: "0") <= self && self <= UInt8(ascii: "9") }
}
