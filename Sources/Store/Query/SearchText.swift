import SluiceRecords

/// What somebody types to find objects, as FTS5 takes it.
struct SearchText {
    /// Nil: there are no words to look for.
    let match: String?

    /// Each word, between white space, is the beginning of one; all must be there, in any order. Whatever else the text
    /// holds has no meaning of its own.
    init(_ text: String) {
        let words = text.split { $0.isWhitespace || $0 == "\0" }
        match = words.isEmpty ? nil : words.map { String($0).inQuotes("\"") + "*" }.joined(separator: " ")
    }
}
