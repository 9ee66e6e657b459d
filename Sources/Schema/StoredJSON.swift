import SluiceRecords

/// JSON that sluice itself writes into a store, and reads there: descriptions of entities, identifiers and links' own
/// values on the waiting list.
package indirect enum StoredJSON: Equatable {
    case null
    case boolean(Bool)
    /// As it is written.
    case number(String)
    case string(String)
    case array([StoredJSON])
    case object([Member])

    package struct Member: Equatable {
        package var key: String
        package var value: StoredJSON
    }

    /// Nil: it is no JSON.
    package init?(_ text: String) {
        var reader = Reader(bytes: Array(text.utf8))
        guard let value = reader.value() else { return nil }
        reader.skipSpace()
        guard reader.isAtEnd else { return nil }
        self = value
    }

    package subscript(key: String) -> StoredJSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key.isIdentical(to: key) }?.value
    }

    package var string: String? { if case .string(let text) = self { text } else { nil } }
    package var isTrue: Bool { self == .boolean(true) }
    package var integer: Int? { if case .number(let text) = self { Int(text) } else { nil } }

    package var elements: [StoredJSON]? { if case .array(let elements) = self { elements } else { nil } }

    package var members: [Member]? { if case .object(let members) = self { members } else { nil } }

    /// A number or a text as a text.
    package var scalarText: String? {
        switch self {
        case .number(let text), .string(let text): text
        case .boolean(let value): value ? "1" : "0"
        default: nil
        }
    }
}

// MARK: Writing

extension StoredJSON {
    /// An object, of members in this order.
    package static func members(_ members: [(String, StoredJSON)]) -> StoredJSON {
        .object(members.map { Member(key: $0, value: $1) })
    }

    /// As values and keys on the waiting list are written.
    package var text: String {
        switch self {
        case .array(let elements): JSONText.array(elements.map(\.text))
        case .object(let members): JSONText.object(members.map { ($0.key, $0.value.text) })
        default: scalar
        }
    }

    /// As descriptions are written, the same for the same value, to the byte: without white space, members sorted by
    /// the bytes of their names.
    package var canonicalText: String {
        switch self {
        case .array(let elements): return "[" + elements.map(\.canonicalText).joined(separator: ",") + "]"
        case .object(let members):
            let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            return "{"
                + sorted.map { JSONText.quoted($0.key) + ":" + $0.value.canonicalText }.joined(separator: ",") + "}"
        default: return scalar
        }
    }

    /// A list that the SQL of a store has made, as all stores have it: reals are written as those of attributes. What
    /// has a point or an exponent there is a real: decimals and JSON are texts.
    package var listText: String { withReals.canonicalText }

    private var withReals: StoredJSON {
        switch self {
        case .number(let text) where text.utf8.contains { ".eE".utf8.contains($0) }:
            guard let value = Double(text), value.isFinite else { return self }
            return .number(Arena().json(of: .real(value)))
        case .array(let elements): return .array(elements.map(\.withReals))
        case .object(let members): return .object(members.map { Member(key: $0.key, value: $0.value.withReals) })
        default: return self
        }
    }

    private var scalar: String {
        switch self {
        case .boolean(let value): value ? "true" : "false"
        case .number(let text): text
        case .string(let text): JSONText.quoted(text)
        default: "null"
        }
    }
}

// MARK: Reading

extension StoredJSON {
    private struct Reader {
        /// Sluice writes no JSON with more levels.
        private static let mostDepth = 64

        let bytes: [UInt8]
        private var index = 0
        private var depth = 0

        init(bytes: [UInt8]) { self.bytes = bytes }

        var isAtEnd: Bool { index == bytes.count }
        private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

        mutating func skipSpace() {
            while let byte = next, [0x20, 0x09, 0x0a, 0x0d].contains(byte) { index += 1 }
        }

        private mutating func take(_ byte: Character) -> Bool {
            skipSpace()
            guard next == byte.asciiValue else { return false }
            index += 1
            return true
        }

        mutating func value() -> StoredJSON? {
            skipSpace()
            depth += 1
            defer { depth -= 1 }
            guard let byte = next, depth <= Reader.mostDepth else { return nil }
            switch byte {
            case UInt8(ascii: "{"): return object()
            case UInt8(ascii: "["): return array()
            case UInt8(ascii: "\""): return text().map { .string($0) }
            case UInt8(ascii: "t"): return word("true") ? .boolean(true) : nil
            case UInt8(ascii: "f"): return word("false") ? .boolean(false) : nil
            case UInt8(ascii: "n"): return word("null") ? .null : nil
            default: return number()
            }
        }

        private mutating func word(_ word: String) -> Bool {
            guard bytes[index...].starts(with: word.utf8) else { return false }
            index += word.utf8.count
            return true
        }

        private mutating func number() -> StoredJSON? {
            let start = index
            while let byte = next, "+-.eE0123456789".utf8.contains(byte) { index += 1 }
            return index > start ? .number(String(decoding: bytes[start..<index], as: UTF8.self)) : nil
        }

        private mutating func array() -> StoredJSON? {
            guard take("[") else { return nil }
            var elements: [StoredJSON] = []
            if take("]") { return .array([]) }
            repeat {
                guard let value = value() else { return nil }
                elements.append(value)
            } while take(",")
            return take("]") ? .array(elements) : nil
        }

        private mutating func object() -> StoredJSON? {
            guard take("{") else { return nil }
            var members: [Member] = []
            if take("}") { return .object([]) }
            repeat {
                skipSpace()
                guard let key = text(), take(":"), let value = value() else { return nil }
                members.append(Member(key: key, value: value))
            } while take(",")
            return take("}") ? .object(members) : nil
        }

        private mutating func text() -> String? {
            guard next == UInt8(ascii: "\"") else { return nil }
            index += 1
            var result: [UInt8] = []
            while let byte = next {
                index += 1
                if byte == UInt8(ascii: "\"") { return String(decoding: result, as: UTF8.self) }
                if byte != UInt8(ascii: "\\") {
                    result.append(byte)
                } else if let scalar = escaped() {
                    result += String(scalar).utf8
                } else {
                    return nil
                }
            }
            return nil
        }

        private mutating func escaped() -> Unicode.Scalar? {
            guard let byte = next else { return nil }
            index += 1
            switch byte {
            case UInt8(ascii: "n"): return "\n"
            case UInt8(ascii: "r"): return "\r"
            case UInt8(ascii: "t"): return "\t"
            case UInt8(ascii: "b"): return "\u{8}"
            case UInt8(ascii: "f"): return "\u{c}"
            case UInt8(ascii: "u"): return unicode()
            default: return Unicode.Scalar(byte)
            }
        }

        private mutating func unicode() -> Unicode.Scalar? {
            guard let high = hexadecimal() else { return nil }
            guard high & 0xfc00 == 0xd800 else { return Unicode.Scalar(high) }
            guard word("\\u"), let low = hexadecimal(), low & 0xfc00 == 0xdc00 else { return nil }
            return Unicode.Scalar(0x10000 + (high & 0x3ff) << 10 + low & 0x3ff)
        }

        private mutating func hexadecimal() -> UInt32? {
            guard index + 4 <= bytes.count else { return nil }
            defer { index += 4 }
            return UInt32(String(decoding: bytes[index..<index + 4], as: UTF8.self), radix: 16)
        }
    }
}
