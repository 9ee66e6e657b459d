/// How texts are split into words on a server, which has no FTS5. The definition names the tokenizers of FTS5.
enum ServerTokenizer: Equatable {
    /// Runs of letters and digits; accents count where they are kept.
    case words(keepsAccents: Bool)
    /// Any three characters that follow each other.
    case trigrams(isCaseSensitive: Bool)

    /// What there is, for messages.
    static let known = #"unicode61 with "remove_diacritics", and trigram with "case_sensitive""#

    /// Nil: a server has no equivalent.
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
