/// Bytes as Base64 (RFC 4648, section 4), with padding.
package enum Base64Text {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")

    /// The text of some bytes.
    package static func text(of bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for index in 0..<4 {
                text.append(index <= group.count ? digits[bits >> (18 - 6 * index) & 63] : padding)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes of such a text; nil: it is none.
    package static func bytes(of text: String) -> [UInt8]? {
        guard text.utf8.count % 4 == 0 else { return nil }
        var bytes: [UInt8] = []
        var (bits, count) = (0, 0)
        for digit in text.utf8.reversed().drop(while: { $0 == padding }).reversed() {
            guard let value = digits.firstIndex(of: digit) else { return nil }
            bits = bits << 6 | value
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(bits >> count & 255))
            bits &= 1 << count - 1
        }
        return bytes
    }
}
