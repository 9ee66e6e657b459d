/// UUIDs as services write them, in lower case with hyphens, in less than half of their bytes: with the table, the
/// objectID cache holds a third more of them, and each that is looked for waits for less memory.
///
/// Eight digits are checked and converted at a time, within a word: a digit's nibble is made a digit again, which must
/// be the one that stands there.
@safe
enum PackedUUID {
    static let textBytes = 36
    /// Its mark, and two digits a byte.
    static let bytes = 17
    /// No text begins with it, as it is UTF-8: what is packed is equal to no text that is not.
    private static let mark: UInt8 = 0xff

    /// Packs a text of ``textBytes`` bytes, if it is a UUID in lower case: the same bytes for the same text, and only
    /// for this one.
    ///
    /// - Parameter target: Room for ``bytes`` bytes.
    /// - Returns: whether it is one.
    @inline(__always)
    static func pack(_ text: UnsafePointer<UInt8>, into target: UnsafeMutablePointer<UInt8>) -> Bool {
        let source = unsafe UnsafeRawPointer(text)
        // Of 8-4-4-4-12 digits: the first eight, the fours in the middle, the next with the last four, those between.
        let words = unsafe (
            source.loadUnaligned(as: UInt64.self), four(source, 9) | four(source, 14) << 32,
            four(source, 19) | four(source, 32) << 32, source.loadUnaligned(fromByteOffset: 24, as: UInt64.self)
        )
        let nibbles = (nibbles(words.0), nibbles(words.1), nibbles(words.2), nibbles(words.3))
        let areDigits =
            digits(nibbles.0) == words.0 && digits(nibbles.1) == words.1
            && digits(nibbles.2) == words.2 && digits(nibbles.3) == words.3
        let areNibbles = (nibbles.0 | nibbles.1 | nibbles.2 | nibbles.3) & (ones * 0xf0) == 0
        guard areDigits, areNibbles, unsafe hasHyphens(text) else { return false }
        unsafe target.pointee = mark
        let packed = unsafe UnsafeMutableRawPointer(target + 1)
        unsafe packed.storeBytes(of: nibbles.0 | nibbles.1 << 4, as: UInt64.self)
        unsafe packed.storeBytes(of: nibbles.2 | nibbles.3 << 4, toByteOffset: 8, as: UInt64.self)
        return true
    }

    /// One in each byte.
    private static let ones: UInt64 = 0x0101_0101_0101_0101

    @inline(__always)
    private static func four(_ source: UnsafeRawPointer, _ offset: Int) -> UInt64 {
        UInt64(unsafe source.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }

    @inline(__always)
    private static func hasHyphens(_ text: UnsafePointer<UInt8>) -> Bool {
        let hyphen = UInt8(ascii: "-")
        return unsafe text[8] == hyphen && text[13] == hyphen && text[18] == hyphen && text[23] == hyphen
    }

    /// The value of each digit; of other bytes something below 32.
    @inline(__always)
    private static func nibbles(_ digits: UInt64) -> UInt64 {
        (digits & (ones * 0x0f)) &+ (digits >> 6 & ones) &* 9
    }

    /// The digit of each value below 16.
    @inline(__always)
    private static func digits(_ nibbles: UInt64) -> UInt64 {
        let areLetters = (nibbles &+ ones * 6) >> 4 & ones
        return nibbles &+ ones * UInt64(UInt8(ascii: "0")) &+ areLetters &* 39
    }
}
