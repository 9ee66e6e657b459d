import CSluiceYajl
import SluiceRecords

// What is wrong with a feed, in plain words, and at which byte. yajl knows that something is wrong; where exactly, the
// bytes themselves say.
extension Walker {
    /// Describes a problem that the prescan has found.
    mutating func diagnose(_ problem: Prescan.Problem, at offset: UInt64) -> Failure {
        let byte = unsafe feed.window.base[feed.window.index(of: offset)]
        let message =
            switch problem {
            case .whiteSpace: "a \(byte == 0x0b ? "vertical tab" : "form feed") is no white space in JSON"
            case .malformedUTF8:
                "the byte 0x\(String(byte, radix: 16)) does not begin a character of UTF-8; "
                    + OtherEncoding.hint(byte, isFirst: offset == 0)
            case .truncatedUTF8: "the feed ends within a character"
            }
        return Failure(.data, message, at: place(of: offset))
    }

    /// Describes why yajl has stopped.
    ///
    /// - Parameters:
    ///   - message: yajl's own.
    ///   - boundary: the end of a token before the one that yajl minds, and whether that ends a value.
    mutating func diagnose(
        _ message: String, from boundary: (index: Int, isAfterValue: Bool), isAtEnd: Bool
    ) -> Failure {
        let consumed = isAtEnd ? feed.window.end : feed.window.index(of: tokenEnd)
        var (at, isAfterValue) = boundary
        while true {
            switch unsafe Token.next(feed.window.base, from: at, to: feed.window.end, isLast: isAtEnd) {
            case .malformed(let index, let error):
                return Failure(.data, describe(error, at: index), at: place(of: feed.window.offset(of: index)))
            case .unfinished(let start):
                return endOfFeed(isInToken: start < feed.window.end)
            case .token(let token, let start, let end):
                at = end
                defer { isAfterValue = token.endsValue }
                guard isMinded(token, end, isAfterValue, consumed, message) else { continue }
                let place = place(of: feed.window.offset(of: start))
                return Failure(.data, describe(token, start, after: message) + unended(before: place), at: place)
            }
        }
    }

    /// Whether the token with this end is the one that yajl minds.
    private func isMinded(
        _ token: Token, _ end: Int, _ isAfterValue: Bool, _ consumed: Int, _ message: String
    ) -> Bool {
        switch message {
        // These are about bytes that are no token.
        case let text where text.contains("lexical error") || text.contains("premature EOF"): false
        // Here yajl goes back by the length of the token, without quotation marks, but not before its last bytes.
        case let text where text.contains("after key and value"):
            token.beginsValue ? isAfterValue && end >= consumed : end > consumed
        // Here it goes back before a slash, which may follow the value at once.
        case let text where text.contains("trailing garbage"):
            end >= consumed && feed.window.offset(of: end) != feed.valueEnd
        default: end >= consumed
        }
    }

    private mutating func endOfFeed(isInToken: Bool) -> Failure {
        let message = isInToken ? "the feed ends within a value" : "the feed ends before its JSON value is complete"
        let inside = openRecords.last.map { ", inside the record that begins at line \($0.line), column \($0.column)" }
        return Failure(.data, message + (inside ?? ""), at: place(of: feed.window.offset(of: feed.window.end)))
    }

    /// Of a sequence of values: that an earlier line has a value without an end. The token that shows it is right where
    /// it stands, in a line that is whole.
    private func unended(before place: Failure.Place) -> String {
        guard feed.options.format == .lines, let record = openRecords.first, record.line < place.line else { return "" }
        return "; the value that begins at line \(record.line), column \(record.column) has no end"
    }

    /// Where the records begin that have not ended, from the outermost.
    private var openRecords: [RecordPosition] {
        (0..<open.rowCount).compactMap { index in
            let row = open.rows[index]
            return row.entity < 0 ? nil : output.sections[row.entity].positions[row.row]
        }
    }

    private func describe(_ token: Token, _ start: Int, after message: String) -> String {
        let found = describe(token, at: start)
        switch message {
        case let text where text.contains("trailing garbage"):
            guard token.beginsValue else { return "nothing but white space may follow the JSON value, found \(found)" }
            return "a second value begins here; a feed that is a sequence of values needs \"format\": \"lines\""
        case let text where text.contains("invalid object key"):
            return "a key in quotation marks was expected, found \(found)"
        case let text where text.contains("separated by a colon"):
            return "a colon was expected after the key, found \(found)"
        case let text where text.contains("after key and value"):
            return "a comma or `}` was expected after the member, found \(found)"
        case let text where text.contains("after array element"):
            return "a comma or `]` was expected after the element, found \(found)"
        default:
            return "a value was expected, found \(found)"
        }
    }

    private func describe(_ token: Token, at index: Int) -> String {
        switch token {
        case .punctuation(let byte): "`\(Character(UnicodeScalar(byte)))`"
        case .string: "a string"
        case .number: "a number"
        case .literal: unsafe feed.window.base[index] == UInt8(ascii: "n") ? "null" : "a boolean"
        }
    }

    private func describe(_ error: Token.LexicalError, at index: Int) -> String {
        let found = character(at: index)
        switch error {
        case .noToken: return "\(found) is not JSON: a value or punctuation was expected\(hint(at: index))"
        case .controlCharacter:
            let isLineBreak = unsafe [0x0a, 0x0d].contains(feed.window.base[index])
            let isCut = isLineBreak && feed.options.format == .lines
            return "\(found) must be escaped in a string\(isCut ? ", unless the line has been cut off here" : "")"
        case .escape: return "a backslash and \(found) are no escape that JSON knows"
        case .hexadecimal: return "a hexadecimal digit was expected in the escape, found \(found)"
        case .literal: return "true, false or null was expected, found \(found)"
        case .digit: return "a digit was expected in the number, found \(found)"
        }
    }

    /// What to say besides of what is no JSON, by its first byte, as no more may have come; empty: nothing is known.
    private func hint(at index: Int) -> String {
        switch unsafe feed.window.base[index] {
        case UInt8(ascii: "'"): "; texts and keys stand in \", and not in '"
        case UInt8(ascii: "N"): "; JSON has neither NaN nor None: null stands for both"
        case UInt8(ascii: "T"), UInt8(ascii: "F"): "; true and false are written in small letters"
        case UInt8(ascii: "/"), UInt8(ascii: "#"): "; JSON has no comments"
        // What comes in the place of a feed, as a rule with the name of one.
        case UInt8(ascii: "<") where feed.window.offset(of: index) == 0:
            "; this seems to be HTML or XML, perhaps a page of a login or of an error"
        default: ""
        }
    }

    /// How a message shows the character at an index.
    private func character(at index: Int) -> String {
        let byte = unsafe feed.window.base[index]
        switch byte {
        case 0x21..<0x7f: return "`\(Character(UnicodeScalar(byte)))`"
        case 0x20: return "a space"
        case 0x09: return "a tab"
        case 0x0a, 0x0d: return "a line break"
        case 0..<0x20, 0x7f: return "the control character 0x" + String(byte, radix: 16)
        default:
            let bytes = unsafe UnsafeBufferPointer(
                start: feed.window.base + index, count: min(4, feed.window.end - index))
            guard let first = unsafe String(decoding: bytes, as: UTF8.self).unicodeScalars.first else { return "" }
            return "`\(Character(first))`"
        }
    }
}
