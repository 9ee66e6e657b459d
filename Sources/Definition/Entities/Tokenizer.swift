import SluiceRecords

/// What makes words of texts, in the words of FTS5 (<https://sqlite.org/fts5.html#tokenizers>): what SQLite would
/// refuse only when a run makes the table is said before.
enum Tokenizer {
    /// An option, with the values that it takes; nil: any text.
    private struct Option {
        var name: String
        var values: [String]?
    }

    private static func options(of tokenizer: String) -> [Option]? {
        let texts = ["tokenchars", "separators"].map { Option(name: $0) }
        switch tokenizer {
        case "unicode61":
            return [Option(name: "remove_diacritics", values: ["0", "1", "2"]), Option(name: "categories")] + texts
        case "ascii": return texts
        case "trigram": return [Option(name: "case_sensitive", values: ["0", "1"])]
        default: return nil
        }
    }

    /// What is wrong with it; nil: nothing.
    static func problem(_ text: String) -> String? {
        guard !text.utf8.contains(0), var words = words(text) else { return "a quotation mark does not end" }
        // It takes the ends of words away that another one has found.
        if words == ["porter"] { return nil }
        if words.first == "porter" { words.removeFirst() }
        guard let name = words.first, let known = options(of: name) else {
            return "there are unicode61, ascii and trigram, and porter before another one"
        }
        guard words.count % 2 == 1 else { return "each option of \(name) has a value" }
        for index in stride(from: 1, to: words.count, by: 2) {
            if let problem = problem(words[index], words[index + 1], of: name, known) { return problem }
        }
        return nil
    }

    private static func problem(
        _ option: String, _ value: String, of name: String, _ known: [Option]
    ) -> String? {
        guard let found = known.first(where: { $0.name.isIdentical(to: option) }) else {
            return "\(name) has the options \(known.map(\.name).sorted().joined(separator: ", "))"
        }
        if let values = found.values, !values.containsExactly(value) {
            return "\(option) is \(values.joined(separator: " or "))"
        }
        if option == "categories", !areCategories(value) {
            return "categories are those of Unicode, such as 'L* N* Co'"
        }
        return nil
    }

    /// Each a letter, and another one or `*`.
    private static func areCategories(_ text: String) -> Bool {
        let known: KeyValuePairs = [
            "C": "cfnos*", "L": "lmotu*C", "M": "cen*", "N": "dlo*", "P": "cdefios*", "S": "ckmo*", "Z": "lps*",
        ]
        let parts = text.split(whereSeparator: { $0 == " " || $0 == "\t" })
        return !parts.isEmpty
            && parts.allSatisfy { part in
                part.count == 2 && known.contains { part.hasPrefix($0.key) && $0.value.contains(part.suffix(1)) }
            }
    }

    /// What white space separates, or is between quotation marks, in which one is doubled; nil: one does not end.
    private static func words(_ text: String) -> [String]? {
        var words: [String] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.first {
            if byte == 0x20 || (0x9...0xd).contains(byte) {
                rest = rest.dropFirst()
            } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
                guard let word = quotedWord(&rest, byte) else { return nil }
                words.append(word)
            } else {
                let word = rest.prefix { $0 > 0x20 && $0 != UInt8(ascii: "'") && $0 != UInt8(ascii: "\"") }
                words.append(String(decoding: word, as: UTF8.self))
                rest = rest.dropFirst(word.count)
            }
        }
        return words
    }

    private static func quotedWord(_ rest: inout ArraySlice<UInt8>, _ mark: UInt8) -> String? {
        var word: [UInt8] = []
        rest = rest.dropFirst()
        while let byte = rest.popFirst() {
            if byte != mark {
                word.append(byte)
            } else if rest.first == mark {
                rest = rest.dropFirst()
                word.append(mark)
            } else {
                return String(decoding: word, as: UTF8.self)
            }
        }
        return nil
    }
}
