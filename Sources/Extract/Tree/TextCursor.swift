import SluiceRecords

/// Walks through a JSON text from token to token, and counts its lines.
struct TextCursor {
    private let bytes: [UInt8]
    private(set) var offset: Int
    private var line: UInt64 = 1
    private var lineStart = 0

    /// Starts at the first byte, or behind the byte-order mark.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        offset = ByteOrderMark.count(at: bytes)
    }

    var isAtEnd: Bool { offset == bytes.count }

    var position: JSONPosition {
        JSONPosition(line: line, column: UInt64(offset - lineStart + 1), offset: UInt64(offset))
    }

    mutating func move(to end: Int) {
        while offset < min(end, bytes.count) {
            if bytes[offset] == UInt8(ascii: "\n") {
                line += 1
                lineStart = offset + 1
            }
            offset += 1
        }
    }

    /// Moves to the next token that is a value or a bracket: over white space, comments, commas and colons. It stops at
    /// a control character that is no JSON white space, and says so by returning false.
    mutating func moveToToken() -> Bool {
        while offset < bytes.count {
            switch bytes[offset] {
            case UInt8(ascii: "/"):
                guard let end = commentEnd else { return true }
                move(to: end)
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: ","),
                UInt8(ascii: ":"):
                move(to: offset + 1)
            case 0x0b, 0x0c: return false
            default: return true
            }
        }
        return true
    }

    /// The first comma between here and `end`, but for those in comments.
    func comma(before end: Int) -> Int? {
        var cursor = self
        while cursor.offset < end {
            if bytes[cursor.offset] == UInt8(ascii: ",") { return cursor.offset }
            cursor.move(to: cursor.commentEnd ?? cursor.offset + 1)
        }
        return nil
    }

    /// Where the comment that starts here ends; nil: none does.
    var commentEnd: Int? {
        let rest = bytes[offset...]
        if rest.starts(with: Array("//".utf8)) {
            return rest.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        }
        guard rest.starts(with: Array("/*".utf8)) else { return nil }
        var index = offset + 2
        while index + 1 < bytes.count {
            if bytes[index] == UInt8(ascii: "*") && bytes[index + 1] == UInt8(ascii: "/") { return index + 2 }
            index += 1
        }
        return bytes.count
    }

    /// The offset of the first escaped surrogate without a partner between here and `end`. yajl would make another
    /// character of it.
    func loneSurrogate(before end: Int) -> Int? {
        var index = offset
        while index < end {
            guard bytes[index] == UInt8(ascii: "\\") else {
                index += 1
                continue
            }
            guard let unit = codeUnit(at: index, before: end) else {
                index += 2
                continue
            }
            if UTF16.isTrailSurrogate(unit) { return index }
            index += 6
            if UTF16.isLeadSurrogate(unit) {
                guard let next = codeUnit(at: index, before: end), UTF16.isTrailSurrogate(next) else {
                    return index - 6
                }
                index += 6
            }
        }
        return nil
    }

    /// The code unit of a `\u` escape.
    private func codeUnit(at index: Int, before end: Int) -> UInt16? {
        guard index + 6 <= end, bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u") else {
            return nil
        }
        return UInt16(String(decoding: bytes[index + 2..<index + 6], as: UTF8.self), radix: 16)
    }
}
