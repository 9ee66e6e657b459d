import SluiceDefinition
import SluiceRecords

/// What the scalars at a place of the feed have in common.
@safe
struct ValueFacts: BitwiseCopyable {
    /// What all texts could be; those that are empty aside.
    var forms = TextForms.all
    /// The same without those texts that may say that there is no value.
    var formsOfOthers = TextForms.all
    var missing = MissingTexts()
    var texts = 0
    var numbers = 0
    var empties = 0
    var longest = 0
    var bytes = 0
    /// Digits of the fractions of seconds, at the most.
    var fraction = 0
    /// Numbers with a fraction or an exponent, or beyond 64 bits.
    var reals = 0
    /// Significant digits of such numbers, at the most.
    var digits = 0
    /// Those of them that may be seconds since 1970, as times of this century are written.
    var seconds = 0
    /// Whether one of them has such an exponent, or so many digits, that it may be too large for a double.
    var isWide = false
    /// Of all integers, those in texts included.
    var least = Int64.max
    var greatest = Int64.min
    var integers = 0
    var sketch = Sketch()
    /// Of the texts.
    var sample = TextSample()

    /// Adds a text, and returns its hash.
    mutating func add(text: UnsafePointer<UInt8>, _ length: Int) -> UInt64 {
        texts &+= 1
        bytes &+= length
        if length > longest { longest = length }
        guard length > 0 else {
            empties &+= 1
            // No reference, and no identifier.
            return ValueFingerprint.none
        }
        let hash: UInt64
        if let integer = unsafe wholeNumber(text, length) {
            note(integer)
            hash = ValueFingerprint.of(integer)
        } else {
            hash = unsafe ValueFingerprint.of(text, length)
        }
        if !forms.isEmpty || !formsOfOthers.isEmpty { unsafe noteForms(text, length) }
        if sketch.insert(hash) { unsafe sample.insert(hash, text, length) }
        return hash
    }

    private mutating func noteForms(_ text: UnsafePointer<UInt8>, _ length: Int) {
        if unsafe missing.take(text, length) {
            forms = []
            return
        }
        let own = unsafe TextForms.of(text, length, fraction: &fraction)
        forms.formIntersection(own)
        formsOfOthers.formIntersection(own)
    }

    /// Adds a number as it is written, and returns its hash.
    mutating func add(number: UnsafePointer<UInt8>, _ length: Int) -> UInt64 {
        numbers &+= 1
        if length > longest { longest = length }
        let hash: UInt64
        if let integer = unsafe wholeNumber(number, length) {
            note(integer)
            hash = ValueFingerprint.of(integer)
        } else {
            unsafe noteReal(number, length)
            hash = unsafe ValueFingerprint.of(number, length)
        }
        sketch.insert(hash)
        return hash
    }

    private mutating func note(_ integer: Int64) {
        integers &+= 1
        if integer < least { least = integer }
        if integer > greatest { greatest = integer }
    }

    private mutating func noteReal(_ number: UnsafePointer<UInt8>, _ length: Int) {
        reals += 1
        if unsafe ValueFacts.areSeconds(number, length) { seconds += 1 }
        var count = 0
        for index in 0..<length {
            let byte = unsafe number[index]
            if byte | 0x20 == UInt8(ascii: "e") {
                if unsafe ValueFacts.isWide(number + index + 1, length - index - 1) { isWide = true }
                break
            }
            if byte.isDigit, count > 0 || byte != UInt8(ascii: "0") { count += 1 }
        }
        digits = max(digits, count)
        if count > 200 { isWide = true }
    }

    /// Whether a number has ten digits before its fraction, as seconds since 1970 have from 2001 on, and no exponent.
    private static func areSeconds(_ number: UnsafePointer<UInt8>, _ length: Int) -> Bool {
        guard length > 11, unsafe number[10] == UInt8(ascii: "."), unsafe number[0] >= UInt8(ascii: "1"),
            unsafe number[0] <= UInt8(ascii: "3")
        else { return false }
        for index in 0..<length where index != 10 && !(unsafe number[index].isDigit) { return false }
        return true
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

    mutating func merge(_ other: ValueFacts) {
        forms.formIntersection(other.forms)
        formsOfOthers.formIntersection(other.formsOfOthers)
        missing.merge(other.missing)
        texts += other.texts
        numbers += other.numbers
        empties += other.empties
        longest = max(longest, other.longest)
        bytes += other.bytes
        fraction = max(fraction, other.fraction)
        reals += other.reals
        seconds += other.seconds
        digits = max(digits, other.digits)
        isWide = isWide || other.isWide
        least = min(least, other.least)
        greatest = max(greatest, other.greatest)
        integers += other.integers
        sketch.merge(other.sketch)
        sample.merge(other.sample)
    }

    mutating func deallocate() {
        sketch.deallocate()
        sample.deallocate()
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
