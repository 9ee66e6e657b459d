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
}
