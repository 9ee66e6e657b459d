/// A text that equals another only if it has the same code points, as JSON and SQLite have it. To Swift's `String` two
/// spellings of one letter, such as an accented one and the letter with its accent, are equal.
public struct ExactText: Hashable, Comparable, Sendable, CustomStringConvertible, ExpressibleByStringInterpolation {
    /// The text.
    public let string: String

    /// A text.
    public init(_ string: String) { self.string = string }
    /// A text.
    public init(stringLiteral string: String) { self.init(string) }

    /// The text.
    public var description: String { string }

    /// By bytes.
    public static func == (left: ExactText, right: ExactText) -> Bool {
        left.string.isIdentical(to: right.string)
    }

    /// By bytes.
    public static func < (left: ExactText, right: ExactText) -> Bool {
        left.string.utf8.lexicographicallyPrecedes(right.string.utf8)
    }

    /// By bytes.
    public func hash(into hasher: inout Hasher) {
        for byte in string.utf8 { hasher.combine(byte) }
    }
}

extension String {
    /// Whether two texts have the same bytes.
    public func isIdentical(to other: String) -> Bool { utf8.elementsEqual(other.utf8) }

    /// With another text in the place of each that is found, by bytes. `replacing` goes by characters: it passes over a
    /// quotation mark that a combining mark follows.
    public func replacingExactly(_ found: String, with other: String) -> String {
        let (bytes, found, other) = (Array(utf8), Array(found.utf8), Array(other.utf8))
        guard let first = found.first, bytes.contains(first) else { return self }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + other.count)
        var place = 0
        while place < bytes.count {
            if bytes[place] == first, bytes[place...].starts(with: found) {
                result += other
                place += found.count
            } else {
                result.append(bytes[place])
                place += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Between quotation marks, with those inside of it doubled, as SQL has names (`"`) and texts (`'`).
    public func inQuotes(_ mark: String) -> String { mark + replacingExactly(mark, with: mark + mark) + mark }
}

extension Sequence<String> {
    /// Whether they are the same texts, by their bytes, in the same order.
    public func areIdentical(to others: some Sequence<String>) -> Bool {
        elementsEqual(others) { $0.isIdentical(to: $1) }
    }

    /// Whether one of them has the bytes of a text.
    public func containsExactly(_ text: String) -> Bool { contains { $0.isIdentical(to: text) } }
}
