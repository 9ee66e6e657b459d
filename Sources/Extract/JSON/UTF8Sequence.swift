import SluiceRecords

/// The bytes of one character beyond ASCII, as RFC 3629 has them: no overlong form, no surrogate, none above U+10FFFF.
enum UTF8Sequence {
    case complete(length: Int)
    case malformed
    /// The bytes are right as far as they go.
    case unfinished

    @inline(__always)
    static func check(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int) -> UTF8Sequence {
        let lead = unsafe bytes[0]
        // The first continuation byte is the one that tells overlong forms and the like.
        let length: Int
        var low: UInt8 = 0x80
        var high: UInt8 = 0xbf
        switch lead {
        case 0xc2...0xdf: length = 2
        case 0xe0: (length, low) = (3, 0xa0)
        case 0xed: (length, high) = (3, 0x9f)
        case 0xe1...0xef: length = 3
        case 0xf0: (length, low) = (4, 0x90)
        case 0xf4: (length, high) = (4, 0x8f)
        case 0xf1...0xf3: length = 4
        default: return .malformed
        }
        guard count > 1 else { return .unfinished }
        guard unsafe low <= bytes[1] && bytes[1] <= high else { return .malformed }
        for index in 2..<max(length, 2) {
            guard index < count else { return .unfinished }
            guard unsafe bytes[index] & 0xc0 == 0x80 else { return .malformed }
        }
        return .complete(length: length)
    }

    /// Turns the first character of a feed into spaces if it is a byte-order mark, so that offsets still count it.
    static func blankByteOrderMark(_ bytes: UnsafeMutablePointer<UInt8>, _ length: Int) {
        let count = unsafe ByteOrderMark.count(at: UnsafeBufferPointer(start: bytes, count: length))
        unsafe bytes.update(repeating: 0x20, count: count)
    }
}
