/// What whole numbers have in common.
struct IntegerFacts: BitwiseCopyable {
    var count = 0
    var least = Int64.max
    var greatest = Int64.min
    private(set) var zeros = 0
    private var leastOther = Int64.max
    /// Those that may be days or times written as one number, by how exact these are.
    private var packed = SIMD4<Int>()

    /// Whether all of them, if there are any, are 0 or 1.
    var areBits: Bool { least >= 0 && greatest <= 1 }

    mutating func add(_ integer: Int64) {
        count &+= 1
        if integer == 0 { zeros &+= 1 } else if integer < leastOther { leastOther = integer }
        if integer < least { least = integer }
        if integer > greatest { greatest = integer }
        if integer >= 19_000_101, let kind = PackedMoment.of(integer) { packed[kind.rawValue] &+= 1 }
    }

    /// The least of those that are not zero; nil: all are.
    var leastBesideZero: Int64? { zeros < count ? leastOther : nil }

    /// What all of them may be; nil: no days or times, or of several kinds.
    var packedMoment: PackedMoment? {
        count == 0 ? nil : PackedMoment.allCases.first { packed[$0.rawValue] == count }
    }

    mutating func merge(_ other: IntegerFacts) {
        count += other.count
        least = min(least, other.least)
        zeros += other.zeros
        leastOther = min(leastOther, other.leastOther)
        greatest = max(greatest, other.greatest)
        packed &+= other.packed
    }
}

/// The number that a text is, if it is whole, has up to 18 digits, and is written as numbers are.
@inline(__always)
func wholeNumber(_ text: UnsafePointer<UInt8>, _ length: Int) -> Int64? {
    guard length > 0, length <= 19 else { return nil }
    var index = 0
    let isNegative = unsafe text[0] == UInt8(ascii: "-")
    if isNegative { index = 1 }
    guard index < length, length &- index <= 18 else { return nil }
    if unsafe text[index] == UInt8(ascii: "0") { return !isNegative && length == 1 ? 0 : nil }
    var number: Int64 = 0
    while index < length {
        let digit = unsafe text[index] &- UInt8(ascii: "0")
        guard digit <= 9 else { return nil }
        number = number &* 10 &+ Int64(digit)
        index &+= 1
    }
    return isNegative ? -number : number
}
