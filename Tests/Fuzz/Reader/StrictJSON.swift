/// A reading of RFC 8259 to the letter, which says nothing but whether bytes are JSON.
struct StrictJSON {
    private let bytes: [UInt8]
    private let isLines: Bool
    private var at = 0
    private var depth = 0
    /// How many containers were open at once, at the most.
    private(set) var mostDepth = 0
    /// The bytes of the longest string or number.
    private(set) var mostText = 0

    init(_ bytes: [UInt8], isLines: Bool) {
        self.bytes = bytes
        self.isLines = isLines
        if bytes.starts(with: [0xef, 0xbb, 0xbf]) { at = 3 }
    }

    /// Whether the bytes are one value; or, as lines, values one after the other.
    mutating func isValid() -> Bool {
        var count = 0
        skipSpace()
        while at < bytes.count {
            guard isLines || count == 0, value() else { return false }
            count += 1
            let end = at
            skipSpace()
            // Only brackets show where they begin.
            if at == end, let byte, byte != UInt8(ascii: "["), byte != UInt8(ascii: "{") { return false }
        }
        return isLines || count == 1
    }

    private var byte: UInt8? { at < bytes.count ? bytes[at] : nil }

    private mutating func take(_ wanted: Unicode.Scalar) -> Bool {
        guard byte == UInt8(ascii: wanted) else { return false }
        at += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte, [0x20, 0x0a, 0x0d, 0x09].contains(byte) || isLines && byte == 0x1e { at += 1 }
    }

    private mutating func value() -> Bool {
        switch byte.map(Unicode.Scalar.init) {
        case "{": container("}") { parser in parser.member() }
        case "[": container("]") { parser in parser.value() }
        case "\"": string()
        case "t": word("true")
        case "f": word("false")
        case "n": word("null")
        default: number()
        }
    }

    private mutating func word(_ word: String) -> Bool {
        guard bytes[at...].starts(with: word.utf8) else { return false }
        at += word.utf8.count
        return true
    }

    private mutating func container(_ end: Unicode.Scalar, _ element: (inout StrictJSON) -> Bool) -> Bool {
        at += 1
        depth += 1
        mostDepth = max(mostDepth, depth)
        defer { depth -= 1 }
        skipSpace()
        if take(end) { return true }
        while true {
            guard element(&self) else { return false }
            skipSpace()
            if take(end) { return true }
            guard take(",") else { return false }
            skipSpace()
        }
    }

    private mutating func member() -> Bool {
        guard byte == UInt8(ascii: "\""), string() else { return false }
        skipSpace()
        guard take(":") else { return false }
        skipSpace()
        return value()
    }

    private mutating func digits() -> Bool {
        let start = at
        while let byte, (0x30...0x39).contains(byte) { at += 1 }
        return at > start
    }

    private mutating func number() -> Bool {
        let start = at
        defer { mostText = max(mostText, at - start) }
        _ = take("-")
        if !take("0") {
            guard digits() else { return false }
        }
        if take("."), !digits() { return false }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            return digits()
        }
        return true
    }

    private mutating func string() -> Bool {
        at += 1
        let start = at
        defer { mostText = max(mostText, at - start - 1) }
        while let byte {
            switch byte {
            case 0x22:
                at += 1
                return true
            case 0x5c: if !escape() { return false }
            case ..<0x20: return false
            case 0x80...: if !character() { return false }
            default: at += 1
            }
        }
        return false
    }

    private mutating func escape() -> Bool {
        at += 1
        guard let byte else { return false }
        at += 1
        guard byte == UInt8(ascii: "u") else { return #""\/bfnrt"#.utf8.contains(byte) }
        for _ in 0..<4 {
            guard let digit = self.byte, Character(Unicode.Scalar(digit)).isHexDigit else { return false }
            at += 1
        }
        return true
    }

    /// A character of UTF-8 beyond ASCII, by the table of RFC 3629.
    private mutating func character() -> Bool {
        let tail: ClosedRange<UInt8> = 0x80...0xbf
        let ranges: [ClosedRange<UInt8>] =
            switch bytes[at] {
            case 0xc2...0xdf: [tail]
            case 0xe0: [0xa0...0xbf, tail]
            case 0xed: [0x80...0x9f, tail]
            case 0xe1...0xef: [tail, tail]
            case 0xf0: [0x90...0xbf, tail, tail]
            case 0xf4: [0x80...0x8f, tail, tail]
            case 0xf1...0xf3: [tail, tail, tail]
            default: []
            }
        guard !ranges.isEmpty, at + ranges.count < bytes.count else { return false }
        for (index, range) in ranges.enumerated() where !range.contains(bytes[at + 1 + index]) { return false }
        at += 1 + ranges.count
        return true
    }
}
