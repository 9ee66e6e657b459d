import SluiceRecords

/// Texts by which programs and people say that a value lacks, among others: `NA` in numbers, `-` in dates.
struct MissingTexts: BitwiseCopyable {
    private static let known: [StaticString] = [
        "NA", "N/A", "n/a", "#N/A", "NaN", "nan", "NULL", "null", "-", "--", ".", "?",
        "na", "n.a.", "N.A.", "n. a.", "n.v.", "nd", "ND", "n.d.", "nc", "NC", "n.c.", "k.A.", "k. A.", "k.a.",
        "none", "None", "NONE", "nil", "x", "X", "*", "/", "---", "–", "—", "...", "…", "unknown", "Unknown",
        "unbekannt", "Unbekannt", "inconnu", "missing", "Missing", "fehlt", "entfällt", "keine Angabe", "keine Angaben",
        "Keine Angabe", "nicht verfügbar", "non disponible", "not available",
        "TBD", "tbd", "TBA",
        // What spreadsheets write in the place of a value that they cannot compute.
        "#NV", "#REF!", "#VALUE!", "#WERT!", "#DIV/0!", "(blank)",
        // What MySQL has for no day.
        "0000-00-00",
        // Nothing but white space.
        "",
    ]

    /// The hashes, as columns have them, of those that are no codes, as `NC` is that of New Caledonia.
    static let hashes = Dictionary(
        known.map { "\($0)" }.filter(isNoCode).map { (ValueFingerprint.of(text: $0), $0) },
        uniquingKeysWith: { first, _ in first })

    private static let longest = known.map(\.utf8CodeUnitCount).max() ?? 0

    /// Which of them were there: the first 64, and the others.
    private var found: (first: UInt64, rest: UInt64) = (0, 0)
    private(set) var count = 0

    /// Whether a text is one of them, which is noted then.
    mutating func take(_ text: UnsafePointer<UInt8>, _ length: Int) -> Bool {
        guard let index = unsafe MissingTexts.index(text, length) else { return false }
        if index < 64 { found.first |= 1 << UInt64(index) } else { found.rest |= 1 << UInt64(index - 64) }
        count += 1
        return true
    }

    /// Whether a text is one of them, white space around it aside.
    static func isOne(_ text: UnsafePointer<UInt8>, _ length: Int) -> Bool {
        let kept = unsafe WhiteSpace.trimmed(text, length)
        return unsafe index(text + kept.lowerBound, kept.count) != nil
    }

    /// Likewise.
    static func isOne(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            unsafe bytes.baseAddress.map { unsafe isOne($0, bytes.count) } ?? true
        }
    }

    private static func index(_ text: UnsafePointer<UInt8>, _ length: Int) -> Int? {
        // Nearly all texts that may be of another type begin with a digit.
        guard length <= longest, unsafe length == 0 || !text[0].isDigit || isZeroDay(text, length) else { return nil }
        let view = unsafe TextView(base: text, count: length)
        return known.firstIndex(where: view.equals)
    }

    /// Whether a text begins as the day that MySQL has for none, and is as long.
    private static func isZeroDay(_ text: UnsafePointer<UInt8>, _ length: Int) -> Bool {
        unsafe length == 10 && text[0] == UInt8(ascii: "0") && text[1] == UInt8(ascii: "0")
    }

    private static func isNoCode(_ word: String) -> Bool {
        let words = ["null", "NULL", "none", "None", "nil", "unknown", "Unknown", "unbekannt", "Unbekannt"]
        return words.contains(word) || word.contains { !$0.isLetter && $0 != "*" }
    }

    mutating func merge(_ other: MissingTexts) {
        found = (found.first | other.found.first, found.rest | other.found.rest)
        count += other.count
    }

    /// Those that were there.
    var texts: [String] {
        MissingTexts.known.indices.filter(isFound).map { "\(MissingTexts.known[$0])" }
    }

    private func isFound(_ index: Int) -> Bool {
        index < 64 ? found.first & 1 << UInt64(index) != 0 : found.rest & 1 << UInt64(index - 64) != 0
    }

    /// Whether one of them was there that may mean something else in many records: `x` for what is so.
    var mayTell: Bool { texts.contains { ["x", "X", "*", "/"].contains($0) } }
}
