import SluiceRecords
import SluiceSchema

/// The statement that made a table, as the store has it; only the types of its columns are parsed.
struct TableSQL {
    private var text: [UInt8]

    init(_ sql: String) { text = Array(sql.utf8) }

    var sql: String { String(decoding: text, as: UTF8.self) }

    /// Gives columns other types. All else stays as it is written: what users have added, too.
    mutating func set(_ types: [FoldedName: ColumnType]) {
        for (name, range) in columns().reversed() {
            if let type = types[FoldedName(name)] { text.replaceSubrange(range, with: type.rawValue.utf8) }
        }
    }

    /// The columns, with the places of their types.
    private func columns() -> [(name: String, type: Range<Int>)] {
        var columns: [(name: String, type: Range<Int>)] = []
        var index = 0
        var depth = 0
        var isStart = false
        while index < text.count {
            let end = tokenEnd(index)
            if isStart, !isSpace(index) {
                let type = nextToken(end)
                columns.append((name(index..<end), type))
                isStart = false
                index = type.upperBound
                continue
            }
            switch text[index] {
            case UInt8(ascii: "("):
                depth += 1
                if depth == 1 { isStart = true }
            case UInt8(ascii: ")"): depth -= 1
            case UInt8(ascii: ",") where depth == 1: isStart = true
            default: break
            }
            index = end
        }
        return columns
    }

    private func nextToken(_ start: Int) -> Range<Int> {
        var index = start
        while index < text.count, isSpace(index) { index = tokenEnd(index) }
        return index..<(index < text.count ? tokenEnd(index) : index)
    }

    /// White space, or a comment.
    private func isSpace(_ index: Int) -> Bool {
        switch text[index] {
        case 0x20, 0x09, 0x0a, 0x0c, 0x0d: true
        default: starts(with: "--", index) || starts(with: "/*", index)
        }
    }

    private func starts(with word: StaticString, _ index: Int) -> Bool {
        text[index...].starts(with: word.description.utf8)
    }

    private func tokenEnd(_ index: Int) -> Int {
        switch text[index] {
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"): return quoteEnd(index, text[index])
        case UInt8(ascii: "["): return quoteEnd(index, UInt8(ascii: "]"))
        default: break
        }
        if starts(with: "--", index) { return text[index...].firstIndex(of: 0x0a) ?? text.count }
        if starts(with: "/*", index) {
            var end = index + 2
            while end < text.count, !starts(with: "*/", end) { end += 1 }
            return min(end + 2, text.count)
        }
        var end = index
        while end < text.count, isWord(text[end]) { end += 1 }
        return max(end, index + 1)
    }

    /// Behind the quote that ends what one began; a doubled one is part of it.
    private func quoteEnd(_ start: Int, _ quote: UInt8) -> Int {
        var index = start + 1
        while index < text.count {
            if text[index] == quote {
                guard index + 1 < text.count, text[index + 1] == quote else { return index + 1 }
                index += 1
            }
            index += 1
        }
        return index
    }

    private func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x5f, 0x24, 0x80...: true
        default: false
        }
    }

    /// The name that a token stands for.
    private func name(_ range: Range<Int>) -> String {
        let bytes = text[range]
        guard let first = bytes.first, [0x22, 0x27, 0x60, 0x5b].contains(first), bytes.count >= 2 else {
            return String(decoding: bytes, as: UTF8.self)
        }
        let quote = first == 0x5b ? 0x5d : first
        var name: [UInt8] = []
        var isDoubled = false
        for byte in bytes.dropFirst().dropLast() {
            if byte == quote, !isDoubled {
                isDoubled = true
                continue
            }
            isDoubled = false
            name.append(byte)
        }
        return String(decoding: name, as: UTF8.self)
    }
}
