/// Makes feeds at random, but the same for the same seed.
package struct FeedGenerator: RandomNumberGenerator {
    private var state: UInt64
    /// Names that paths have, and some that none has.
    private let names = ["a", "b", "c", "id", "tags", "x y", "\u{e4}", "unknown", ""]
    package var mayRepeatKeys = false
    package var mayBreakStrings = false

    package init(seed: UInt64) { state = seed &* 0x9e37_79b9_7f4a_7c15 &+ 1 }

    package mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }

    package mutating func feed(values: Int) -> [UInt8] {
        var text = ""
        for _ in 0..<values { text += space() + value(depth: 0) + "\n" }
        return Array(text.utf8)
    }

    package mutating func value(depth: Int) -> String {
        switch Int.random(in: depth == 0 ? 5...9 : depth < 6 ? 0...9 : 0...4, using: &self) {
        case 0: return ["null", "true", "false"].randomElement(using: &self) ?? ""
        case 1, 2: return number()
        case 3, 4: return string()
        case 5, 6: return array(depth: depth)
        default: return object(depth: depth)
        }
    }

    private mutating func space() -> String {
        ["", "", " ", "\n", "\t", "\r\n  "].randomElement(using: &self) ?? ""
    }

    private mutating func number() -> String {
        ["0", "-1", "12.50", "1e5", "-0.0E-3", "123456789012345678901234567890"].randomElement(using: &self) ?? ""
    }

    private mutating func string() -> String {
        var pieces = [
            "x", "\u{e4}\u{20ac}", "\u{1f600}", #"\""#, #"\\"#, #"\u00e9"#, #"\ud83d\ude00"#, #"\n\/"#, "[{,:}]",
        ]
        if mayBreakStrings { pieces += [#"\ud83d"#, #"\uDE00"#] }
        let count = Int.random(in: 0...5, using: &self)
        return "\"" + (0..<count).map { _ in pieces.randomElement(using: &self) ?? "" }.joined() + "\""
    }

    private mutating func array(depth: Int) -> String {
        let count = Int.random(in: 0...4, using: &self)
        let elements = (0..<count).map { _ in space() + value(depth: depth + 1) + space() }
        return "[" + elements.joined(separator: ",") + "]"
    }

    private mutating func object(depth: Int) -> String {
        var names = names.shuffled(using: &self).prefix(Int.random(in: 0...5, using: &self))
        if mayRepeatKeys, let repeated = names.first { names.append(repeated) }
        let members = names.map { name in
            space() + "\"\(name)\"" + space() + ":" + space() + value(depth: depth + 1)
        }
        return "{" + members.joined(separator: ",") + space() + "}"
    }
}
