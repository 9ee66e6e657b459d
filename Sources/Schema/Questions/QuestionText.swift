import SluiceRecords

/// The text of a question: what it is told by before a store reads it.
package struct QuestionText {
    private let bytes: [UInt8]
    /// The names of tables as they were before the run.
    package private(set) var previous: [PreviousName] = []
    /// The first word, in lower case; of a text that begins otherwise, empty.
    package private(set) var verb = ""

    /// A table as it was before the run, as a query names it.
    package struct PreviousName: Hashable {
        /// Bytes of the text: the schema, the point and the name.
        package var range: Range<Int>
        /// As it is written, without quotes.
        package var name: String
        package var isQuoted: Bool
    }

    private struct Word {
        var range: Range<Int>
        var text: String
        var isQuoted: Bool
    }

    /// - Parameter sql: what a definition says.
    package init(_ sql: String) {
        bytes = Array(sql.utf8)
        var scanner = Scanner(bytes)
        // The last two tokens: a word, and the point behind it.
        var schema: Word?
        var isBehindPoint = false
        var isFirst = true
        while let token = scanner.next() {
            defer { isFirst = false }
            if case .end = token {} else { isEmpty = false }
            switch token {
            case .word(let word):
                if isFirst, !word.isQuoted { verb = word.text.lowercased() }
                if isBehindPoint, let schema {
                    let range = schema.range.lowerBound..<word.range.upperBound
                    previous.append(PreviousName(range: range, name: word.text, isQuoted: word.isQuoted))
                }
                let isName =
                    word.isQuoted ? word.text == Question.previous : word.text.lowercased() == Question.previous
                schema = isName && !isBehindPoint ? word : nil
                isBehindPoint = false
            case .point:
                isBehindPoint = schema != nil
            case .end: continue
            case .other:
                (schema, isBehindPoint) = (nil, false)
            }
        }
    }

    /// Whether it begins as a query does.
    package var isQuery: Bool { ["select", "with", "values"].contains(verb) }
    /// Whether there is nothing in it, but for comments and semicolons.
    package private(set) var isEmpty = true

    /// The text with other names in place of some.
    package func replacing(_ names: (PreviousName) -> String?) -> String {
        var text: [UInt8] = []
        var end = 0
        for name in previous {
            guard let other = names(name) else { continue }
            text += bytes[end..<name.range.lowerBound]
            text += Array(other.utf8)
            end = name.range.upperBound
        }
        return String(decoding: text + bytes[end...], as: UTF8.self)
    }

    /// Cuts SQL into words, points and the rest; comments and white space are nothing. As SQLite and PostgreSQL have it.
    private struct Scanner {
        enum Token {
            case word(Word)
            case point
            /// A semicolon.
            case end
            case other
        }

        private let bytes: [UInt8]
        private var place = 0

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        private func byte(_ offset: Int = 0) -> UInt8? { place + offset < bytes.count ? bytes[place + offset] : nil }

        mutating func next() -> Token? {
            skipNothing()
            guard let first = byte() else { return nil }
            switch first {
            case UInt8(ascii: "\""), UInt8(ascii: "`"): return .word(quoted(until: first))
            case UInt8(ascii: "["): return .word(quoted(until: UInt8(ascii: "]")))
            case UInt8(ascii: "'"): _ = quoted(until: first)
            case UInt8(ascii: "."):
                place += 1
                return .point
            case UInt8(ascii: ";"):
                place += 1
                return .end
            case UInt8(ascii: "$") where skipDollars(): break
            case _ where Scanner.isOfWord(first): return .word(word())
            default: place += 1
            }
            return .other
        }

        private static func isOfWord(_ byte: UInt8) -> Bool {
            byte >= 0x80 || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$") || byte.isDigit
                || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        }

        private mutating func word() -> Word {
            let start = place
            while let byte = byte(), Scanner.isOfWord(byte) { place += 1 }
            return Word(
                range: start..<place, text: String(decoding: bytes[start..<place], as: UTF8.self), isQuoted: false)
        }

        /// Up to a quote; two of them are one.
        private mutating func quoted(until quote: UInt8) -> Word {
            let start = place
            var text: [UInt8] = []
            place += 1
            while let byte = byte() {
                place += 1
                if byte == quote {
                    guard self.byte() == quote else { break }
                    place += 1
                }
                text.append(byte)
            }
            return Word(range: start..<place, text: String(decoding: text, as: UTF8.self), isQuoted: true)
        }

        /// A text of PostgreSQL between `$$` or `$name$`; false: there is none.
        private mutating func skipDollars() -> Bool {
            var end = place + 1
            while end < bytes.count, Scanner.isOfWord(bytes[end]), bytes[end] != UInt8(ascii: "$") { end += 1 }
            guard end < bytes.count, bytes[end] == UInt8(ascii: "$") else { return false }
            let mark = bytes[place...end]
            place = end + 1
            while place < bytes.count, !bytes[place...].starts(with: mark) { place += 1 }
            place = min(place + mark.count, bytes.count)
            return true
        }

        /// White space and comments.
        private mutating func skipNothing() {
            while let first = byte() {
                if first <= 0x20 {
                    place += 1
                } else if first == UInt8(ascii: "-"), byte(1) == first {
                    while let byte = byte(), byte != 0x0a { place += 1 }
                } else if first == UInt8(ascii: "/"), byte(1) == UInt8(ascii: "*") {
                    place += 2
                    while byte() != nil, !(byte() == UInt8(ascii: "*") && byte(1) == UInt8(ascii: "/")) { place += 1 }
                    place = min(place + 2, bytes.count)
                } else {
                    return
                }
            }
        }
    }
}
