import SluiceRecords

/// The value that bytes begin with, where that is a number or a literal: of lines that are no records, such as
/// `404: Not Found`, the reader has taken no more.
enum ScalarPrefix {
    /// Bytes of a record up to the next white space. Those of a text, an object or a list end where it ends.
    static func value(of bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard let first = bytes.first else { return bytes }
        let words: [UInt8: StaticString] = [
            UInt8(ascii: "t"): "true", UInt8(ascii: "f"): "false", UInt8(ascii: "n"): "null",
        ]
        if let word = words[first] { return bytes.prefix(word.utf8CodeUnitCount) }
        return first.isDigit || first == UInt8(ascii: "-") ? number(bytes) : bytes
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var end = bytes.startIndex
        if bytes[end] == UInt8(ascii: "-") { end += 1 }
        // After a leading zero, another digit begins another number.
        let isZero = end < bytes.endIndex && bytes[end] == UInt8(ascii: "0")
        end = isZero ? end + 1 : digits(bytes, from: end)
        if end < bytes.endIndex, bytes[end] == UInt8(ascii: ".") {
            let fraction = digits(bytes, from: end + 1)
            if fraction > end + 1 { end = fraction }
        }
        guard end < bytes.endIndex, bytes[end] | 0x20 == UInt8(ascii: "e") else { return bytes[..<end] }
        var power = end + 1
        if power < bytes.endIndex, [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(bytes[power]) { power += 1 }
        let exponent = digits(bytes, from: power)
        return bytes[..<(exponent > power ? exponent : end)]
    }

    /// The end of the digits from an index on.
    private static func digits(_ bytes: ArraySlice<UInt8>, from start: Int) -> Int {
        bytes[start...].firstIndex { !$0.isDigit } ?? bytes.endIndex
    }
}
