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
        let bytes = Array(utf8)
        guard let result = bytes.replacingEach(Array(found.utf8), with: Array(other.utf8)) else { return self }
        return String(decoding: result, as: UTF8.self)
    }

    /// Between quotation marks, with those inside of it doubled, as SQL has names (`"`) and texts (`'`).
    public func inQuotes(_ mark: String) -> String { mark + replacingExactly(mark, with: mark + mark) + mark }
}

extension [UInt8] {
    /// With other bytes in the place of each place where some are found; nil: they are nowhere.
    package func replacingEach(_ found: [UInt8], with other: [UInt8]) -> [UInt8]? {
        guard let first = found.first, contains(first) else { return nil }
        var result: [UInt8] = []
        result.reserveCapacity(count + other.count)
        var place = 0
        var isElsewhere = true
        while place < count {
            let isFound = self[place] == first && self[place...].starts(with: found)
            if isFound { result += other } else { result.append(self[place]) }
            if isFound { isElsewhere = false }
            place += isFound ? found.count : 1
        }
        return isElsewhere ? nil : result
    }
}

extension Sequence<String> {
    /// Whether they are the same texts, by their bytes, in the same order.
    public func areIdentical(to others: some Sequence<String>) -> Bool {
        elementsEqual(others) { $0.isIdentical(to: $1) }
    }

    /// Whether one of them has the bytes of a text.
    public func containsExactly(_ text: String) -> Bool { contains { $0.isIdentical(to: text) } }
}
