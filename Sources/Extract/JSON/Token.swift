/// A token of JSON, found by looking at the bytes themselves: for the places in the feed of which yajl says nothing.
enum Token {
    /// A bracket, a comma or a colon.
    case punctuation(UInt8)
    case string, number, literal

    /// What lies between an index and the end of the next token.
    enum Outcome {
        case token(Token, start: Int, end: Int)
        /// The bytes end, or end within a token that starts here.
        case unfinished(start: Int)
        /// The byte at this index cannot stand there.
        case malformed(at: Int, LexicalError)
    }

    /// What is wrong with a byte.
    enum LexicalError {
        case noToken, controlCharacter, escape, hexadecimal, literal, digit
    }

    /// Finds the first token at or after an index. A number is finished by what follows it, or by the end of the feed.
    static func next(
        _ bytes: UnsafeMutablePointer<UInt8>, from index: Int, to end: Int, isLast: Bool = false
    ) -> Outcome {
        var at = index
        while at < end && isSpace(unsafe bytes[at]) { at += 1 }
        guard at < end else { return .unfinished(start: end) }
        switch unsafe bytes[at] {
        case let byte where "[]{},:".utf8.contains(byte): return .token(.punctuation(byte), start: at, end: at + 1)
        case UInt8(ascii: "\""): return unsafe string(bytes, at, end)
        case UInt8(ascii: "t"): return unsafe literal("true", bytes, at, end)
        case UInt8(ascii: "f"): return unsafe literal("false", bytes, at, end)
        case UInt8(ascii: "n"): return unsafe literal("null", bytes, at, end)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return unsafe number(bytes, at, end, isLast)
        default: return .malformed(at: at, .noToken)
        }
    }

    /// Whether a value may begin with it.
    var beginsValue: Bool {
        guard case .punctuation(let byte) = self else { return true }
        return byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{")
    }

    /// Whether a value may end with it.
    var endsValue: Bool {
        guard case .punctuation(let byte) = self else { return true }
        return byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}")
    }

    /// The start of the token that the bytes end in; their end if they end between two tokens.
    ///
    /// - Parameter isAfterValue: whether the token before ends a value; at first, of the token before `index`.
    static func unfinishedStart(
        _ bytes: UnsafeMutablePointer<UInt8>, from index: Int, to end: Int, isAfterValue: inout Bool
    ) -> Int {
        var at = index
        while case .token(let token, _, let next) = unsafe next(bytes, from: at, to: end) {
            at = next
            isAfterValue = token.endsValue
        }
        while at < end && isSpace(unsafe bytes[at]) { at += 1 }
        return at
    }

    /// The opening quote of a string whose closing quote is at an index.
    static func stringStart(_ bytes: UnsafeMutablePointer<UInt8>, closing index: Int) -> Int {
        var at = index - 1
        while true {
            while (unsafe bytes[at]) != UInt8(ascii: "\"") { at -= 1 }
            // Within a string each quote has an odd number of backslashes before it; before a string there is none.
            var backslashes = 0
            while at > backslashes && (unsafe bytes[at - backslashes - 1]) == UInt8(ascii: "\\") { backslashes += 1 }
            if backslashes % 2 == 0 { return at }
            at -= 1
        }
    }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 }

    private static func literal(
        _ text: StaticString, _ bytes: UnsafeMutablePointer<UInt8>, _ start: Int, _ end: Int
    ) -> Outcome {
        for index in 0..<text.utf8CodeUnitCount {
            guard start + index < end else { return .unfinished(start: start) }
            guard unsafe bytes[start + index] == text.utf8Start[index] else {
                return .malformed(at: start + index, .literal)
            }
        }
        return .token(.literal, start: start, end: start + text.utf8CodeUnitCount)
    }

    private static func string(_ bytes: UnsafeMutablePointer<UInt8>, _ start: Int, _ end: Int) -> Outcome {
        var at = start + 1
        while at < end {
            switch unsafe bytes[at] {
            case UInt8(ascii: "\""): return .token(.string, start: start, end: at + 1)
            case UInt8(ascii: "\\"):
                guard at + 1 < end else { return .unfinished(start: start) }
                at += 1
                if unsafe bytes[at] == UInt8(ascii: "u") {
                    for digit in at + 1...at + 4 {
                        guard digit < end else { return .unfinished(start: start) }
                        guard isHexadecimal(unsafe bytes[digit]) else { return .malformed(at: digit, .hexadecimal) }
                    }
                    at += 4
                } else if !"\"\\/bfnrt".utf8.contains(unsafe bytes[at]) {
                    return .malformed(at: at, .escape)
                }
            case 0..<0x20: return .malformed(at: at, .controlCharacter)
            default: break
            }
            at += 1
        }
        return .unfinished(start: start)
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool { "0123456789abcdefABCDEF".utf8.contains(byte) }

    private static func number(
        _ bytes: UnsafeMutablePointer<UInt8>, _ start: Int, _ end: Int, _ isLast: Bool
    ) -> Outcome {
        var at = start
        func isAt(_ set: StaticString) -> Bool {
            guard at < end else { return false }
            let byte = unsafe bytes[at]
            return (0..<set.utf8CodeUnitCount).contains { unsafe set.utf8Start[$0] == byte }
        }
        func digits() -> Bool {
            let first = at
            while at < end, case UInt8(ascii: "0")...UInt8(ascii: "9") = unsafe bytes[at] { at += 1 }
            return at > first
        }
        if isAt("-") { at += 1 }
        if isAt("0") {
            at += 1
        } else if !digits() {
            return at < end ? .malformed(at: at, .digit) : .unfinished(start: start)
        }
        if isAt(".") {
            at += 1
            guard digits() else { return at < end ? .malformed(at: at, .digit) : .unfinished(start: start) }
        }
        if isAt("eE") {
            at += 1
            if isAt("+-") { at += 1 }
            guard digits() else { return at < end ? .malformed(at: at, .digit) : .unfinished(start: start) }
        }
        return at < end || isLast ? .token(.number, start: start, end: at) : .unfinished(start: start)
    }
}
