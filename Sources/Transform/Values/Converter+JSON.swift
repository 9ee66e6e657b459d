import SluiceRecords

extension Converter {
    /// The JSON text of any value, minified: what is `json` already is taken as it is.
    mutating func json(_ raw: Cell) throws(Complaint) -> Cell {
        switch raw.kind {
        case .number: Cell(kind: .text, payload: raw.payload, length: raw.length)
        case .yes: append("true")
        case .no: append("false")
        case .string: try quoted(raw)
        default: throw .unexpected(.json, raw)
        }
    }

    private mutating func quoted(_ raw: Cell) throws(Complaint) -> Cell {
        var length = 2
        for index in 0..<raw.count { length += escapedLength(view(raw)[index]) }
        guard length <= Int(UInt32.max) else { throw .tooLong }
        let target = arena.reserve(length)
        let text = view(raw)
        var end = target
        put(UInt8(ascii: "\""), &end)
        for index in 0..<raw.count { putEscaped(text[index], &end) }
        put(UInt8(ascii: "\""), &end)
        return Cell(kind: .text, payload: UInt64(target), length: UInt32(length))
    }

    private func escapedLength(_ byte: UInt8) -> Int {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): 2
        case 0..<0x20: 6
        default: 1
        }
    }

    private func putEscaped(_ byte: UInt8, _ end: inout Int) {
        if escapedLength(byte) == 1 { return put(byte, &end) }
        put(UInt8(ascii: "\\"), &end)
        if byte >= 0x20 { return put(byte, &end) }
        put(UInt8(ascii: "u"), &end)
        put(UInt8(ascii: "0"), &end)
        put(UInt8(ascii: "0"), &end)
        put(UInt8(ascii: "0") + byte >> 4, &end)
        put(byte & 15 < 10 ? UInt8(ascii: "0") + byte & 15 : UInt8(ascii: "a") + byte & 15 - 10, &end)
    }

    func put(_ byte: UInt8, _ end: inout Int) {
        unsafe arena.base[end] = byte
        end += 1
    }

    /// The value that a JSON text writes, as the reader gives it where no text is wanted; other values as they are.
    mutating func unwrapped(_ raw: Cell) throws(Complaint) -> Cell {
        guard raw.kind == .json, raw.count > 0 else { return raw }
        let text = view(raw)
        switch text[0] {
        case UInt8(ascii: "{"): return Cell(kind: .object)
        case UInt8(ascii: "["): return Cell(kind: .array)
        case UInt8(ascii: "t"): return Cell(kind: .yes)
        case UInt8(ascii: "f"): return Cell(kind: .no)
        case UInt8(ascii: "n"): return .null
        case UInt8(ascii: "\""): return try unquoted(raw)
        default: return Cell(kind: .number, payload: raw.payload, length: raw.length)
        }
    }

    private mutating func unquoted(_ raw: Cell) throws(Complaint) -> Cell {
        // No escape is shorter than what it stands for.
        let target = arena.reserve(raw.count)
        let text = view(raw)
        var end = target
        var index = 1
        while index < text.count - 1 {
            if text[index] != UInt8(ascii: "\\") {
                put(text[index], &end)
                index += 1
            } else if text[index + 1] != UInt8(ascii: "u") {
                put(JSONEscape.control(text[index + 1]), &end)
                index += 2
            } else {
                guard putCodePoint(text, &index, &end) else { throw .unexpected(.text, Cell(kind: .brokenString)) }
            }
        }
        unsafe arena.base[end] = 0
        return Cell(kind: .string, payload: UInt64(target), length: UInt32(end - target))
    }

    /// Writes the character of `\uXXXX`, or of two of them that are a surrogate pair; false if one has no partner.
    private func putCodePoint(_ text: ByteView, _ index: inout Int, _ end: inout Int) -> Bool {
        var code = JSONEscape.hexadecimal(text, index + 2)
        index += 6
        if code & 0xfc00 == 0xd800, index + 6 < text.count, text[index] == UInt8(ascii: "\\"),
            text[index + 1] == UInt8(ascii: "u"), JSONEscape.hexadecimal(text, index + 2) & 0xfc00 == 0xdc00
        {
            code = 0x10000 + (code & 0x3ff) << 10 + JSONEscape.hexadecimal(text, index + 2) & 0x3ff
            index += 6
        }
        guard let scalar = Unicode.Scalar(code) else { return false }
        for byte in UTF8.encode(scalar) ?? .init() { put(byte, &end) }
        return true
    }
}

/// What escapes in JSON texts stand for.
enum JSONEscape {
    /// What the letter after a backslash stands for.
    static func control(_ letter: UInt8) -> UInt8 {
        switch letter {
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0c
        case UInt8(ascii: "n"): 0x0a
        case UInt8(ascii: "r"): 0x0d
        case UInt8(ascii: "t"): 0x09
        default: letter
        }
    }

    /// The number of four hexadecimal digits.
    static func hexadecimal(_ text: ByteView, _ index: Int) -> UInt32 {
        var value: UInt32 = 0
        for place in index..<min(index + 4, text.count) {
            let byte = text[place]
            value = value << 4 | UInt32(byte <= UInt8(ascii: "9") ? byte & 15 : byte & 15 + 9)
        }
        return value
    }
}
