/// A text as a feed and SQLite see it: two spellings of one letter are two texts.
struct Text: Hashable, Sendable, Comparable, CustomStringConvertible, ExpressibleByStringLiteral {
    let utf8: [UInt8]

    init(_ text: String) { utf8 = Array(text.utf8) }
    init(stringLiteral text: String) { self.init(text) }

    var description: String { String(decoding: utf8, as: UTF8.self) }

    static func < (left: Text, right: Text) -> Bool { left.utf8.lexicographicallyPrecedes(right.utf8) }
}
