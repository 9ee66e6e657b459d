import SluiceRecords

/// What people write for JSON that comes from another language: YAML, Python, JavaScript, a word processor.
///
///     JSONHint(bytes).hint(at: 17)  // "the key name stands in double quotes: \"name\""
struct JSONHint {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// What to write instead of what stands at an offset where no JSON can; nil: nothing comes to mind.
    func hint(at offset: Int) -> String? {
        if looksLikeYAML {
            return "this looks like YAML; JSON was expected: an object in braces, with its keys in quotes"
        }
        guard offset < bytes.count else { return nil }
        switch bytes[offset] {
        case UInt8(ascii: "#"): return "a comment starts with // or stands between /* and */; # starts none"
        case UInt8(ascii: "'"), UInt8(ascii: "`"): return "texts and keys stand in double quotes"
        case UInt8(ascii: "+"), UInt8(ascii: "."): return "a number starts with a digit, or with a minus sign"
        case 0xe2: return isTypographicQuote(offset) ? "texts and keys stand in straight double quotes: \"" : nil
        default: return wordHint(offset)
        }
    }

    /// What follows a backslash that starts no escape.
    func escapeHint(at offset: Int) -> String {
        let rule = "a backslash may stand before one of \"\\/bfnrtu only"
        guard offset < bytes.count, bytes[offset] > UInt8(ascii: " "), bytes[offset] < 0x7f else { return rule }
        return rule
            + "; a backslash of the text itself is written twice: \\\\\(Character(UnicodeScalar(bytes[offset])))"
    }

    /// Whether the first line that says something has a key without quotes, or begins a list or a document of YAML.
    private var looksLikeYAML: Bool {
        let lines = String(decoding: bytes.prefix(4096), as: UTF8.self).split(whereSeparator: \.isNewline)
        let isComment = { (line: Substring) in line.drop(while: \.isWhitespace).hasPrefix("#") }
        guard let line = lines.first(where: { !$0.allSatisfy(\.isWhitespace) && !isComment($0) }) else { return false }
        if line.hasPrefix("---") || line.hasPrefix("- ") { return true }
        guard let colon = line.firstIndex(of: ":") else { return false }
        let rest = line[line.index(after: colon)...]
        return !line[..<colon].isEmpty && line[..<colon].utf8.allSatisfy(isWordByte) && (rest.first ?? " ") == " "
    }

    private func isTypographicQuote(_ offset: Int) -> Bool {
        // U+2018 to U+201F.
        offset + 2 < bytes.count && bytes[offset + 1] == 0x80 && (0x98...0x9f).contains(bytes[offset + 2])
    }

    /// A word that is none of `true`, `false` and `null`, where the parser may have gone over its beginning.
    private func wordHint(_ offset: Int) -> String? {
        guard isWordByte(bytes[offset]), !isDigit(bytes[offset]) else { return nil }
        let start = (bytes[..<offset].lastIndex { !isWordByte($0) } ?? -1) + 1
        let end = bytes[offset...].firstIndex { !isWordByte($0) } ?? bytes.count
        guard !isDigit(bytes[start]) else { return "a number is decimal, and nothing may follow its digits" }
        let word = String(decoding: bytes[start..<end], as: UTF8.self)
        let next = bytes[end...].first { !" \t\r\n".utf8.contains($0) }
        if next == UInt8(ascii: ":") { return "a key stands in double quotes: \"\(word)\"" }
        switch word.lowercased() {
        case "true", "yes", "on": return "\(word) is no word of JSON: true is, and \"\(word)\" is a text"
        case "false", "no", "off": return "\(word) is no word of JSON: false is, and \"\(word)\" is a text"
        case "null", "none", "nil", "undefined", "nan": return "\(word) is no word of JSON: null is"
        default: return "a text stands in double quotes: \"\(word)\""
        }
    }

    private func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
            UInt8(ascii: "$"), UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    private func isDigit(_ byte: UInt8) -> Bool { byte.isDigit || byte == UInt8(ascii: "-") }
}
