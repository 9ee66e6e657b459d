import SluiceRecords

extension Converter {
    /// Base64 in the standard alphabet (RFC 4648, section 4), with its padding or without; no white space. Bits that
    /// encode nothing must be zero, so that different texts are different bytes.
    mutating func base64(_ raw: Cell) throws(Complaint) -> Cell {
        guard raw.kind == .string else { throw .unexpected(.bytes, raw) }
        var digits = raw.count
        let text = view(raw)
        if digits > 0, digits % 4 == 0 {
            if text[digits - 1] == UInt8(ascii: "=") { digits -= 1 }
            if text[digits - 1] == UInt8(ascii: "=") { digits -= 1 }
        }
        guard digits % 4 != 1 else { throw .unfit(.bytes, raw, "is not Base64") }
        let length = digits / 4 * 3 + max(digits % 4 - 1, 0)
        let target = arena.reserve(length)
        guard decode(view(raw), digits: digits, to: target) else { throw .unfit(.bytes, raw, "is not Base64") }
        return Cell(kind: .blob, payload: UInt64(target), length: UInt32(length))
    }

    private func decode(_ text: ByteView, digits: Int, to target: Int) -> Bool {
        var output = unsafe arena.base + target
        var bits: UInt32 = 0
        var count = 0
        for index in 0..<digits {
            guard let value = sextet(text[index]) else { return false }
            bits = bits << 6 | value
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            unsafe output.pointee = UInt8(truncatingIfNeeded: bits >> count)
            unsafe output += 1
            bits &= 1 << count - 1
        }
        return bits == 0
    }
}

/// What a character of the alphabet stands for.
private func sextet(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte) - 65
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte) - 97 + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte) - 48 + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
}
