/// Commas behind the last element of an array or the last member of an object: JSON has none, but those who write files
/// with comments leave them, as their editors allow.
enum TrailingCommas {
    /// The same text, with each such comma replaced by a space: everything else keeps its place.
    static func blanked(_ bytes: [UInt8]) -> [UInt8] {
        var result = bytes
        var comma: Int?
        var hasValue = false
        var cursor = TextCursor(bytes)
        while !cursor.isAtEnd {
            let byte = bytes[cursor.offset]
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"): break
            case UInt8(ascii: ","):
                // Of two commas in a row, or one without a value before it, both are mistakes.
                comma = hasValue ? cursor.offset : nil
                hasValue = false
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                if let comma { result[comma] = UInt8(ascii: " ") }
                (comma, hasValue) = (nil, true)
            default:
                if let end = cursor.commentEnd {
                    cursor.move(to: end)
                    continue
                }
                let isStart = [UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: ":")].contains(byte)
                (comma, hasValue) = (nil, !isStart)
                if byte == UInt8(ascii: "\""), let end = stringEnd(bytes, cursor.offset) {
                    cursor.move(to: end)
                    continue
                }
            }
            cursor.move(to: cursor.offset + 1)
        }
        return result
    }

    /// The offset behind the string that starts at another; nil: it has no end.
    private static func stringEnd(_ bytes: [UInt8], _ start: Int) -> Int? {
        var index = start + 1
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""): return index + 1
            case UInt8(ascii: "\\"): index += 2
            default: index += 1
            }
        }
        return nil
    }
}
