import SluiceExtract
import SluiceRecords
import Testing

/// What is wrong with a feed, and where, does not depend on where its chunks end.
@Suite struct SplitFailureTests {
    private static let entities = [entity("Item", "$.items[*]", slots: ["id", "all json"])]

    /// Tokens of all kinds, right and wrong.
    private static let tokens = [
        "{", "}", "[", "]", ",", ":", "123", "-0.5e+3", "01", "-", "1.", "\"a\"", "\"\"", "\"a\\u00e4\\n\"", "\"\\x\"",
        "\"open", "true", "false", "null", "tru", "x", " ", "\n", "\"ä\"", "/", "1e5", "\"items\"",
    ]

    private static let feeds = [
        "{\"a\":\"a\" 123}", "{\"a\":1 \"bcd\"}", "{\"a\":\"\"]}", "{\"a\":12 }", "[1 234]", "[12 \"abc\\n\"]",
        "{\"a\" 123}", "{123:1}", "{\"a\":1,true}",
        "[1,,2]", "[tru3]", "123 456", "\"a\" \"bcd\"", "{} truefalse", "{}/", "1/", "{\"a\":-0.5e+3 -0.5e+3}",
        "[\"\\u00g0\"]", "{\"a\":1 \"\"}",
        "{\"a\":\"a\"\"b\\\"c\"}", "{\"a\":1 {}}", "[1 [2]]", "{\"a\":true null}", "{\"a\":{} 12 34}", "[[] 12]",
        "[true 1.5.2]",
        "{\"a\":[1 12.5e3]}",
    ]

    private func check(_ feed: [UInt8], _ options: FeedOptions) {
        let whole = extract(feed, Self.entities, options: options).failure
        for end in 1..<max(feed.count, 2) {
            let split = extract(feed, Self.entities, sizes: [end, .max], options: options).failure
            #expect(split == whole, "\(String(decoding: feed, as: UTF8.self)), split at \(end)")
        }
        for size in [1, 2, 3, 5] {
            let split = extract(feed, Self.entities, sizes: [size], options: options).failure
            #expect(split == whole, "\(String(decoding: feed, as: UTF8.self)), in chunks of \(size)")
        }
    }

    @Test(arguments: feeds) func mistakesOfAllKinds(feed: String) {
        check(Array(feed.utf8), FeedOptions())
        check(Array(feed.utf8), .lines)
    }

    /// Tokens in any order.
    @Test func anyTokens() {
        var random = SplitMix(state: 13)
        for _ in 0..<60 {
            let count = Int.random(in: 1...9, using: &random)
            let open = ["", "[", "{\"a\":", "[1 ", "{\"items\":[{\"id\":"].randomElement(using: &random) ?? ""
            let text = open + (0..<count).map { _ in Self.tokens.randomElement(using: &random) ?? "" }.joined()
            check(Array(text.utf8), Bool.random(using: &random) ? .lines : FeedOptions())
        }
    }
}

/// A sequence of numbers that is the same in each run.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = (state ^ state >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }
}
