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
        guard length <= 4 else { return false }
        let view = unsafe TextView(base: text, count: length)
        guard let index = MissingTexts.known.firstIndex(where: view.equals) else { return false }
        found |= 1 << UInt16(index)
        count += 1
        return true
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
