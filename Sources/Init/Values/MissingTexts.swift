import SluiceRecords

/// Texts by which programs and people say that a value lacks, among others: `NA` in numbers, `-` in dates.
struct MissingTexts: BitwiseCopyable {
    private static let known: [StaticString] = [
        "NA", "N/A", "n/a", "#N/A", "NaN", "nan", "NULL", "null", "-", "--", ".", "?",
        // Nothing but white space.
        "",
    ]

    /// Which of them were there.
    private var found: UInt16 = 0
    private(set) var count = 0

    /// Whether a text is one of them, which is noted then.
    mutating func take(_ text: UnsafePointer<UInt8>, _ length: Int) -> Bool {
        guard let index = unsafe MissingTexts.index(text, length) else { return false }
        found |= 1 << UInt16(index)
        count += 1
        return true
    }

    /// Whether a text is one of them, white space around it aside.
    static func isOne(_ text: UnsafePointer<UInt8>, _ length: Int) -> Bool {
        let kept = unsafe WhiteSpace.trimmed(text, length)
        return unsafe index(text + kept.lowerBound, kept.count) != nil
    }

    private static func index(_ text: UnsafePointer<UInt8>, _ length: Int) -> Int? {
        guard length <= 4 else { return nil }
        let view = unsafe TextView(base: text, count: length)
        return known.firstIndex(where: view.equals)
    }

    mutating func merge(_ other: MissingTexts) {
        found |= other.found
        count += other.count
    }

    /// Those that were there.
    var texts: [String] {
        MissingTexts.known.indices.filter { found & 1 << UInt16($0) != 0 }.map { "\(MissingTexts.known[$0])" }
    }
}
