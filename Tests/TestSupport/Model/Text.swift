/// A text as a feed and SQLite see it: two spellings of one letter are two texts.
package struct Text: Hashable, Sendable, Comparable, CustomStringConvertible, ExpressibleByStringInterpolation {
    package let utf8: [UInt8]

    package init(_ text: String) { utf8 = Array(text.utf8) }
    package init(stringLiteral text: String) { self.init(text) }

    package var description: String { String(decoding: utf8, as: UTF8.self) }

    package static func < (left: Text, right: Text) -> Bool { left.utf8.lexicographicallyPrecedes(right.utf8) }
}
