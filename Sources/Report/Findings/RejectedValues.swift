import SluiceRecords

/// The texts for which records were rejected for one reason, as long as there are few: what would mend it must be known
/// for each of them.
struct RejectedValues {
    /// Beyond so many, values are data, and not words for something.
    private static let most = 5

    private var firsts: [ExactText: RecordPositionKey] = [:]

    /// - Parameter reason: of a fault; of one that shows no text, nothing is kept.
    mutating func count(_ reason: String, at position: RecordPositionKey) {
        guard firsts.count <= RejectedValues.most, let text = RejectedValues.text(shownBy: reason) else { return }
        let key = ExactText(text)
        if let first = firsts[key], first < position { return }
        firsts[key] = position
    }

    /// All but the one that a reason shows, quoted, in the order of the feed; empty: none, or more than a few.
    func others(than reason: String) -> [String] {
        guard firsts.count <= RejectedValues.most, let shown = RejectedValues.text(shownBy: reason) else { return [] }
        return firsts.filter { !$0.key.string.isIdentical(to: shown) }.sorted { $0.value < $1.value }.map(\.key.string)
    }

    /// The text in quotation marks that a reason says was found.
    static func text(shownBy reason: String) -> String? {
        let bytes = Array(reason.utf8)
        let starts = ["the string \"", "the value \""].compactMap { words in
            bytes.indices.first { bytes[$0...].starts(with: words.utf8) }.map { $0 + words.utf8.count }
        }
        guard let start = starts.min() else { return nil }
        var isEscaped = false
        for index in start..<bytes.count {
            if bytes[index] == UInt8(ascii: "\""), !isEscaped {
                return String(decoding: bytes[start - 1...index], as: UTF8.self)
            }
            isEscaped = bytes[index] == UInt8(ascii: "\\") && !isEscaped
        }
        return nil
    }
}
