/// The bytes of a record.
public enum RecordText: Sendable, Hashable {
    /// Verbatim, without white space between its tokens.
    case whole(String)
    /// It has more than `limit` bytes, without white space between its tokens: so many.
    case tooLong(UInt64)
    /// It is none: the bytes of its line, as they are in the feed.
    case bytes([UInt8])

    /// The most bytes of a record that a finding carries.
    public static let limit = 64 << 10

    /// Whether a string in it has an escaped surrogate without a partner. It is JSON by its grammar, but many parsers
    /// refuse it, and all that is around it.
    package var hasLoneSurrogate: Bool {
        guard case .whole(let text) = self else { return false }
        let bytes = Array(text.utf8)
        var at = 0
        while at + 1 < bytes.count {
            guard bytes[at] == UInt8(ascii: "\\") else {
                at += 1
                continue
            }
            let unit = RecordText.escapedUnit(bytes, at)
            at += unit == nil ? 2 : 6
            guard let unit, UTF16.isSurrogate(unit) else { continue }
            let next = RecordText.escapedUnit(bytes, at)
            guard UTF16.isLeadSurrogate(unit), let next, UTF16.isTrailSurrogate(next) else { return true }
            at += 6
        }
        return false
    }

    /// The code unit of the escape `\u` at an index, if there is one.
    private static func escapedUnit(_ bytes: [UInt8], _ at: Int) -> UInt16? {
        guard at + 6 <= bytes.count, bytes[at] == UInt8(ascii: "\\"), bytes[at + 1] == UInt8(ascii: "u") else {
            return nil
        }
        return UInt16(String(decoding: bytes[at + 2..<at + 6], as: UTF8.self), radix: 16)
    }
}
