import SluiceRecords

/// What somebody types to find objects.
package struct SearchText {
    /// Each is the beginning of a word that must be there, in any order.
    package let words: [Substring]

    /// Words are between white space; a NUL, which no text of a server has, ends one, too. Whatever else the text holds
    /// has no meaning of its own.
    package init(_ text: String) { words = text.split { $0.isWhitespace || $0 == "\0" } }

    /// As FTS5 takes it; nil: there are no words to look for.
    var match: String? {
        words.isEmpty ? nil : words.map { String($0).inQuotes("\"") + "*" }.joined(separator: " ")
    }
}
