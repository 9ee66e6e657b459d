/// The words of a path.
struct PathScanner {
    private let bytes: [UInt8]
    private var offset = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    var isAtEnd: Bool { offset == bytes.count }

    /// Whether a step follows as a bare path would start with it, without a dot: a name, or `*`.
    var isAtBareStep: Bool { isNext("*") || bytes[offset...].first.map { PathScanner.isNameByte($0) } ?? false }

    func error(_ message: String) -> PathError { PathError(offset: offset, message: message) }

    func isNext(_ text: StaticString) -> Bool { isNext(text.description) }

    private func isNext(_ text: String) -> Bool { bytes[offset...].starts(with: text.utf8) }

    /// Moves over a text if it is next.
    mutating func skip(_ text: String) -> Bool {
        guard isNext(text) else { return false }
        offset += text.utf8.count
        return true
    }

    mutating func skipSpace() {
        while offset < bytes.count, [0x20, 0x09, 0x0a, 0x0d].contains(bytes[offset]) { offset += 1 }
    }

    /// A name that is a plain word.
    mutating func name() -> String? {
        guard offset < bytes.count, PathScanner.isNameByte(bytes[offset]) else { return nil }
        let start = offset
        while offset < bytes.count, PathScanner.isNameByte(bytes[offset]) || bytes[offset].isDigit {
            offset += 1
        }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    /// An index: digits, without leading zeros.
    mutating func index() throws(PathError) -> Int? {
        let digits = bytes[offset...].prefix(while: \.isDigit)
        guard !digits.isEmpty else { return nil }
        if digits.count > 1 && digits.first == UInt8(ascii: "0") { throw error("an index has no leading zeros") }
        guard let index = Int(String(decoding: digits, as: UTF8.self)), index < 1 << 53 else {
            throw error("the index is too large")
        }
        offset += digits.count
        return index
    }

    /// A number as JSON writes it.
    mutating func number() -> String? {
        let text = String(decoding: bytes[offset...], as: UTF8.self)
        guard let match = text.prefixMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/) else { return nil }
        offset += match.output.0.utf8.count
        return String(match.output.0)
    }

    /// Whether a word is complete, and not the beginning of a path.
    var isAtEndOfWord: Bool {
        guard let next = bytes[offset...].first else { return true }
        return !PathScanner.isNameByte(next) && !next.isDigit && ![0x2e, 0x5b, 0x7e].contains(next)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"), 0x80...:
            true
        default: false
        }
    }
}

extension PathScanner {
    /// A name in single or double quotes, with the escapes of RFC 9535.
    mutating func quotedName() throws(PathError) -> String {
        let quote = bytes[offset]
        offset += 1
        var name: [UInt8] = []
        while offset < bytes.count, bytes[offset] != quote {
            let byte = bytes[offset]
            if byte == UInt8(ascii: "\\") {
                name += try escaped(quote).utf8
            } else if byte < 0x20 {
                throw error("a control character in a name must be escaped")
            } else {
                name.append(byte)
                offset += 1
            }
        }
        guard offset < bytes.count else { throw error("expected the name's closing quote") }
        offset += 1
        return String(decoding: name, as: UTF8.self)
    }

    /// The character that an escape stands for.
    private mutating func escaped(_ quote: UInt8) throws(PathError) -> String {
        guard offset + 1 < bytes.count else { throw error("expected a character after the backslash") }
        let letter = bytes[offset + 1]
        switch letter {
        case quote, UInt8(ascii: "\\"), UInt8(ascii: "/"):
            offset += 2
            return String(decoding: [letter], as: UTF8.self)
        case UInt8(ascii: "u"): return try unicodeEscape()
        default:
            guard let control = PathScanner.controls[letter] else {
                throw error("a backslash may stand before the quote or one of \\/bfnrtu only")
            }
            offset += 2
            return control
        }
    }

    private static let controls: [UInt8: String] = [
        UInt8(ascii: "b"): "\u{8}", UInt8(ascii: "f"): "\u{c}", UInt8(ascii: "n"): "\n", UInt8(ascii: "r"): "\r",
        UInt8(ascii: "t"): "\t",
    ]

    private mutating func unicodeEscape() throws(PathError) -> String {
        let start = self
        var units = [try codeUnit()]
        if UTF16.isLeadSurrogate(units[0]), skipsEscape { units.append(try codeUnit()) }
        var decoder = UTF16()
        var iterator = units.makeIterator()
        guard case .scalarValue(let scalar) = decoder.decode(&iterator), iterator.next() == nil else {
            throw start.error("this escape is half of a surrogate pair, and no character")
        }
        return String(scalar)
    }

    private var skipsEscape: Bool { isNext("\\u") }

    /// The code unit of the `\u` escape that is next.
    private mutating func codeUnit() throws(PathError) -> UInt16 {
        let digits = bytes[offset...].dropFirst(2).prefix(4)
        let isHex = digits.allSatisfy { UInt8(ascii: "0") <= $0 && Character(UnicodeScalar($0)).isHexDigit }
        guard digits.count == 4, isHex, let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16) else {
            throw error("four hexadecimal digits must follow \\u")
        }
        offset += 6
        return unit
    }
}
