import Glibc

/// Text in UTF-8 that was read in an encoding of one byte a character: all that is beyond ASCII are sequences of UTF-8.
package struct Misreading: Sendable, Hashable {
    /// How many sequences there are.
    package var count: UInt64 = 0
    /// Bytes before the first one.
    package var offset: UInt64 = 0
    /// Its line, from 1.
    package var line: UInt64 = 1
    /// Its column, in bytes, from 1.
    package var column: UInt64 = 1

    package init() {}
}

/// Looks whether bytes in an encoding of one byte a character are UTF-8, while they come.
@safe
struct MisreadingScan {
    private var found = Misreading()
    /// Whether a byte beyond ASCII is none of UTF-8: then nothing else is looked at.
    private var isRefuted = false
    /// Whether one of them is of a Western letter or sign, or of more than two bytes. Others may be a text of the
    /// encoding: "Spaß…" is one in windows-1252. Two of them are hardly all that a feed has.
    private var isTelling = false
    /// How many bytes of the sequence are still to come, and between which the next one is.
    private var rest = 0
    private var (low, high): (UInt8, UInt8) = (0x80, 0xbf)

    /// Nil: the encoding has characters of several bytes, or is not one of ASCII and more.
    init?(_ encoding: String) {
        guard TextEncoding.isSingleByte(encoding) else { return nil }
    }

    /// Looks at the next bytes.
    mutating func scan(_ bytes: UnsafeRawBufferPointer) {
        guard !isRefuted, let base = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        var at = 0
        while at < bytes.count, !isRefuted {
            if rest == 0 {
                let start = at
                at = unsafe TextScan.asciiEnd(base, at, bytes.count)
                if found.count == 0 { unsafe countLines(UnsafeRawBufferPointer(rebasing: bytes[start..<at])) }
                guard at < bytes.count else { return }
            }
            let byte = unsafe base[at]
            if rest == 0 { begin(byte) } else { goOn(byte) }
            at += 1
        }
    }

    /// What was found, where all bytes have come; nil: the text is what it is said to be, or nobody knows.
    var result: Misreading? { !isRefuted && rest == 0 && (isTelling || found.count > 1) ? found : nil }

    /// The first byte of a sequence.
    private mutating func begin(_ lead: UInt8) {
        (low, high) = (0x80, 0xbf)
        if lead <= 0xc5 || lead >= 0xe0 { isTelling = true }
        switch lead {
        case 0xc2...0xdf: rest = 1
        case 0xe0...0xef: rest = 2
        case 0xf0...0xf4: rest = 3
        default: isRefuted = true
        }
        // Overlong forms, surrogates, and what is beyond Unicode.
        switch lead {
        case 0xe0: low = 0xa0
        case 0xed: high = 0x9f
        case 0xf0: low = 0x90
        case 0xf4: high = 0x8f
        default: break
        }
    }

    private mutating func goOn(_ byte: UInt8) {
        isRefuted = byte < low || byte > high
        (low, high) = (0x80, 0xbf)
        rest -= 1
        if rest == 0 { found.count += 1 }
    }

    /// Moves the place of the first sequence behind bytes of ASCII.
    private mutating func countLines(_ bytes: UnsafeRawBufferPointer) {
        found.offset += UInt64(bytes.count)
        let lines = unsafe UInt64(bytes.count { $0 == UInt8(ascii: "\n") })
        if lines > 0, let last = unsafe bytes.lastIndex(of: UInt8(ascii: "\n")) {
            found.line += lines
            found.column = UInt64(bytes.count - last)
        } else {
            found.column += UInt64(bytes.count)
        }
    }
}

extension TextEncoding {
    /// Whether each byte is a character of its own, or none, and those of ASCII are theirs.
    static func isSingleByte(_ name: String) -> Bool {
        guard let handle = unsafe open(name) else { return false }
        defer { unsafe _ = iconv_close(handle) }
        return (UInt8.min...UInt8.max).allSatisfy { byte in
            let (text, code) = unsafe convert([byte], handle)
            return byte < 0x80 ? text == [byte] : text != nil || code == EILSEQ
        }
    }

    /// What bytes are in an encoding, as UTF-8; nil: they are no text of it.
    static func misread(_ bytes: [UInt8], as name: String) -> [UInt8]? {
        guard let handle = unsafe open(name) else { return nil }
        defer { unsafe _ = iconv_close(handle) }
        return unsafe convert(bytes, handle).text
    }

    /// What bytes are as UTF-8; nil: they are no whole text, with the reason.
    private static func convert(_ bytes: [UInt8], _ handle: iconv_t) -> (text: [UInt8]?, code: Int32) {
        var input = bytes.map { CChar(bitPattern: $0) }
        var output = [CChar](repeating: 0, count: bytes.count * 4 + 16)
        var (inputLeft, outputLeft) = (input.count, output.count)
        let size = output.count
        let code = unsafe input.withUnsafeMutableBufferPointer { source in
            unsafe output.withUnsafeMutableBufferPointer { target in
                var (from, to) = (source.baseAddress, target.baseAddress)
                _ = unsafe iconv(handle, nil, nil, nil, nil)
                // Whatever comes between may set the number.
                return unsafe iconv(handle, &from, &inputLeft, &to, &outputLeft) == -1 ? errno : 0
            }
        }
        return (code == 0 ? output[..<(size - outputLeft)].map { UInt8(bitPattern: $0) } : nil, code)
    }
}
