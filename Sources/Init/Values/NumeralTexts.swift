import SluiceRecords

/// Which texts at a place are numbers, and a few of those that are none where nearly all are.
@safe
struct NumeralTexts: BitwiseCopyable {
    /// Whole numbers, and those with a fraction or an exponent.
    private(set) var wholes = 0
    private(set) var fractions = 0
    /// Other texts, but for words that say that there is no value, and those of these that are numbers with marks:
    /// `1,5`, `1.234,5`.
    private(set) var others = 0
    private(set) var marked = 0
    private var sample = TextSample()

    /// Where more texts are no numbers than one of these, nobody wants to see some.
    private static let leastNumbersForOne = 8

    @inline(__always)
    mutating func addWhole() { wholes &+= 1 }

    /// Adds a text that is no whole number as it is written.
    ///
    /// - Parameter numbers: how many numbers there are that are no texts.
    mutating func add(_ text: UnsafePointer<UInt8>, _ length: Int, _ hash: UInt64, beside numbers: Int) {
        if unsafe isNumber(text, length) { return }
        let known = wholes &+ fractions &+ numbers
        // Where few others are known, a word that says that there is no value is none of them.
        if others &* NumeralTexts.leastNumbersForOne <= known, unsafe MissingTexts.isOne(text, length) { return }
        others &+= 1
        guard others &* NumeralTexts.leastNumbersForOne < known, !sample.contains(hash) else { return }
        unsafe sample.insert(hash, text, length)
    }

    private mutating func isNumber(_ text: UnsafePointer<UInt8>, _ length: Int) -> Bool {
        // Nearly all texts that are none begin with a letter.
        guard unsafe text[0] < UInt8(ascii: ":") else { return false }
        let kept = unsafe WhiteSpace.trimmed(text, length)
        if kept.isEmpty { return false }
        let view = unsafe TextView(base: text + kept.lowerBound, count: kept.count)
        if AnyNumber.isOne(view) {
            let isWhole = (0..<view.count).allSatisfy { view[$0] < UInt8(ascii: ":") && view[$0] != UInt8(ascii: ".") }
            if isWhole { wholes &+= 1 } else { fractions &+= 1 }
            return true
        }
        let first = view[0]
        if first.isDigit || first == UInt8(ascii: "-") {
            let forms = MarkedText(view: view).forms
            if !forms.isDisjoint(with: [.commaNumber, .commaGroups, .pointGroups]) { marked &+= 1 }
        }
        return false
    }

    /// A few of the other texts.
    var examples: [String] { sample.texts.map { String(decoding: $0, as: UTF8.self) }.sorted() }

    mutating func merge(_ other: NumeralTexts) {
        wholes += other.wholes
        fractions += other.fractions
        others += other.others
        marked += other.marked
        sample.merge(other.sample)
    }

    mutating func deallocate() { sample.deallocate() }
}
