/// What makes words of texts, as a server can do it that has no FTS5: in the words of the definition, those of FTS5.
enum ServerTokenizer: Equatable {
    /// Letters and digits; accents count where they are kept.
    case words(keepsAccents: Bool)
    /// Any letters that follow each other.
    case trigrams(isCaseSensitive: Bool)

    /// What there is, for messages.
    static let known = #"unicode61 with "remove_diacritics", and trigram with "case_sensitive""#

    /// Nil: a server has none that does the same.
    init?(_ text: String) {
        let quotationMarks: Set<Character> = ["'", "\""]
        let words = text.split(whereSeparator: \.isWhitespace).map { word in
            word.filter { !quotationMarks.contains($0) }
        }
        guard let name = words.first, words.count % 2 == 1 else { return nil }
        // The last one counts, as in FTS5.
        var option: String?
        let known = ["unicode61": "remove_diacritics", "trigram": "case_sensitive"][name]
        for index in stride(from: 1, to: words.count, by: 2) {
            guard words[index] == known else { return nil }
            option = words[index + 1]
        }
        switch name {
        case "unicode61": self = .words(keepsAccents: option == "0")
        case "trigram": self = .trigrams(isCaseSensitive: option == "1")
        default: return nil
        }
    }
}
