/// The UTF-16 of what a key of a JSON text says, escapes read: for keys that have some.
struct KeyUnits {
    private let text: ByteView
    private var index: Int
    /// The second half of a surrogate pair.
    private var pending: UInt16?

    /// - Parameter quote: where the opening quote of the key stands; the text is JSON.
    init(_ text: ByteView, _ quote: Int) {
        self.text = text
        index = quote + 1
    }

    /// How two keys compare: below 0, 0, or above.
    static func order(_ one: KeyUnits, _ other: KeyUnits) -> Int {
        var (one, other) = (one, other)
        while true {
            let (left, right) = (one.next(), other.next())
            if left == right {
                if left == nil { return 0 }
            } else {
                // What ends comes first.
                guard let left else { return -1 }
                guard let right else { return 1 }
                return left < right ? -1 : 1
            }
        }
    }

    private mutating func next() -> UInt16? {
        if let unit = pending {
            pending = nil
            return unit
        }
        let byte = text[index]
        switch byte {
        case UInt8(ascii: "\""): return nil
        case UInt8(ascii: "\\"): return escaped()
        case ..<0x80:
            index += 1
            return UInt16(byte)
        default: return decoded(byte)
        }
    }

    private mutating func escaped() -> UInt16 {
        let letter = text[index + 1]
        guard letter == UInt8(ascii: "u") else {
            index += 2
            return UInt16(JSONEscape.control(letter))
        }
        index += 6
        return UInt16(truncatingIfNeeded: JSONEscape.hexadecimal(text, index - 4))
    }

    /// Of a character of several bytes.
    private mutating func decoded(_ first: UInt8) -> UInt16 {
        let count = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
        var code = UInt32(first & (0xff >> (UInt8(count) + 1)))
        for place in 1..<count { code = code << 6 | UInt32(text[index + place] & 0x3f) }
        index += count
        guard code > 0xffff else { return UInt16(code) }
        pending = UInt16(0xdc00 | (code - 0x10000) & 0x3ff)
        return UInt16(0xd800 | (code - 0x10000) >> 10)
    }
}
