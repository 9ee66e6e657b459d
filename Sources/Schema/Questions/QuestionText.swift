import SluiceRecords

/// The text of a question: its names and its first word, which are read before a store parses it.
package struct QuestionText {
    private let bytes: [UInt8]
    /// What is named with a schema, or called as a function.
    package private(set) var names: [Name] = []
    /// The first word, in lower case; of a text that begins otherwise, empty.
    package private(set) var verb = ""

    /// A name as a query writes it.
    package struct Name {
        /// Bytes of the text: the schema, the point and the name.
        package var range: Range<Int>
        package var schema: Word?
        package var word: Word
        /// Whether a parenthesis follows.
        package var isCall: Bool

        /// Whether it is a table as it was before the run.
        package var isPrevious: Bool { schema?.folded == Question.previous }
    }

    package struct Word {
        var range: Range<Int>
        /// As it is written, without quotes.
        package var text: String
        package var isQuoted: Bool

        /// As PostgreSQL has it.
        package var folded: String { isQuoted ? text : text.lowercased() }
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
                note(word, isBehindPoint ? schema : nil, isCall: scanner.isAtParenthesis)
                schema = isBehindPoint ? nil : word
                isBehindPoint = false
            case .point:
                isBehindPoint = schema != nil
            case .end: continue
            case .other:
                (schema, isBehindPoint) = (nil, false)
            }
        }
    }

    private mutating func note(_ word: Word, _ schema: Word?, isCall: Bool) {
        if schema == nil, !isCall { return }
        let start = (schema ?? word).range.lowerBound
        names.append(Name(range: start..<word.range.upperBound, schema: schema, word: word, isCall: isCall))
    }

    /// The names of tables as they were before the run.
    package var previous: [Name] { names.filter(\.isPrevious) }

    /// Whether it begins as a query does.
    package var isQuery: Bool { ["select", "with", "values"].contains(verb) }
    /// Whether there is nothing in it, but for comments and semicolons.
    package private(set) var isEmpty = true

    /// The text with other names in place of some.
    package func replacing(_ others: (Name) -> String?) -> String {
        var text: [UInt8] = []
        var end = 0
        for name in names {
            guard let other = others(name) else { continue }
            text += bytes[end..<name.range.lowerBound]
            text += Array(other.utf8)
            end = name.range.upperBound
        }
        return String(decoding: text + bytes[end...], as: UTF8.self)
    }

    /// Cuts SQL into words, points and the rest; comments and white space are nothing. As SQLite and PostgreSQL have
    /// it.
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

        /// Whether the next token is a parenthesis that opens.
        var isAtParenthesis: Bool {
            var rest = self
            rest.skipNothing()
            return rest.byte() == UInt8(ascii: "(")
        }

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
