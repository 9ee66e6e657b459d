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
    /// Texts with white space at an end, as long as they could be something else than texts.
    var padded = 0
    var longest = 0
    var bytes = 0
    /// Digits of the fractions of seconds, at the most.
    var fraction = 0
    var reals = RealFacts()
    /// Those in texts included.
    var integers = IntegerFacts()
    var sketch = Sketch()
    /// Of the texts.
    var sample = TextSample()
    var numerals = NumeralTexts()

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
            integers.add(integer)
            numerals.addWhole()
            hash = ValueFingerprint.of(integer)
        } else {
            hash = unsafe ValueFingerprint.of(text, length)
            unsafe numerals.add(text, length, hash, beside: numbers)
        }
        if !forms.isEmpty || !formsOfOthers.isEmpty { unsafe noteForms(text, length) }
        if sketch.insert(hash) { unsafe sample.insert(hash, text, length) }
        return hash
    }

    private mutating func noteForms(_ text: UnsafePointer<UInt8>, _ length: Int) {
        // What is a number or a date without its white space is one: `trim` takes that away.
        let kept = unsafe WhiteSpace.trimmed(text, length)
        let start = unsafe text + kept.lowerBound
        if kept.count < length {
            padded &+= 1
            if let integer = unsafe wholeNumber(start, kept.count) { integers.add(integer) }
        }
        if unsafe missing.take(start, kept.count) {
            forms = []
            return
        }
        let own = unsafe TextForms.of(start, kept.count, fraction: &fraction)
        forms.formIntersection(own)
        formsOfOthers.formIntersection(own)
    }

    /// Adds a number as it is written, and returns its hash.
    mutating func add(number: UnsafePointer<UInt8>, _ length: Int) -> UInt64 {
        numbers &+= 1
        if length > longest { longest = length }
        let hash: UInt64
        if let integer = unsafe wholeNumber(number, length) {
            integers.add(integer)
            hash = ValueFingerprint.of(integer)
        } else {
            unsafe reals.add(number, length)
            hash = unsafe ValueFingerprint.of(number, length)
        }
        sketch.insert(hash)
        return hash
    }

    mutating func merge(_ other: ValueFacts) {
        forms.formIntersection(other.forms)
        formsOfOthers.formIntersection(other.formsOfOthers)
        missing.merge(other.missing)
        texts += other.texts
        numbers += other.numbers
        empties += other.empties
        padded += other.padded
        longest = max(longest, other.longest)
        bytes += other.bytes
        fraction = max(fraction, other.fraction)
        reals.merge(other.reals)
        integers.merge(other.integers)
        sketch.merge(other.sketch)
        sample.merge(other.sample)
        numerals.merge(other.numerals)
    }

    mutating func deallocate() {
        sketch.deallocate()
        sample.deallocate()
        numerals.deallocate()
    }
}
