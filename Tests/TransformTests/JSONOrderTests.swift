import Foundation
import SluiceRecords
import Testing

/// JSON columns compare by value: their keys have one order, which RFC 8785 says.
@Suite struct JSONOrderTests {
    @Test(arguments: [
        (#"{"b":1,"a":2}"#, #"{"a":2,"b":1}"#), (#"{}"#, #"{}"#), (#"[]"#, #"[]"#), (#"[[],{}]"#, #"[[],{}]"#),
        (#"{"a":1,"b":[2,3]}"#, #"{"a":1,"b":[2,3]}"#),
        (
            #"[{"b":[],"a":{}},1,{"d":{"y":1,"x":[{"q":1,"p":2}]},"c":null}]"#,
            #"[{"a":{},"b":[]},1,{"c":null,"d":{"x":[{"p":2,"q":1}],"y":1}}]"#
        ),
        (#"{"b":"}],{","a\"":"\\"}"#, #"{"a\"":"\\","b":"}],{"}"#),
        (#"{"ab":1,"a":2,"":3,"A":4}"#, #"{"":3,"A":4,"a":2,"ab":1}"#),
        ("{\"\u{fb33}\":1,\"\u{1f600}\":2,\"é\":3,\"€\":4}", "{\"é\":3,\"€\":4,\"\u{1f600}\":2,\"\u{fb33}\":1}"),
        // Keys with escapes stand where what they say does.
        (#"{"\u0061b":1,"a":2,"aa":3}"#, #"{"a":2,"aa":3,"\u0061b":1}"#),
        (#"{"z":1,"\u00e9":2,"y":3}"#, #"{"y":3,"z":1,"\u00e9":2}"#),
        (#"{"A":1,"\n":2,"\"":3,"\\":4,"\/":5,"[":6,"]":7}"#, #"{"\n":2,"\"":3,"\/":5,"A":1,"[":6,"\\":4,"]":7}"#),
        (
            "{\"\u{fb33}\":1,\"\\ud83d\\ude00\":2,\"\u{1f601}\":3,\"\\u20ac\":4,\"é\":5}",
            "{\"é\":5,\"\\u20ac\":4,\"\\ud83d\\ude00\":2,\"\u{1f601}\":3,\"\u{fb33}\":1}"
        ),
        (#"{"b\u0062":1,"bb":2,"\u0062":3,"b":4}"#, #"{"\u0062":3,"b":4,"b\u0062":1,"bb":2}"#),
        // The first of equal ones stays first; numbers and escapes stay as they are.
        (#"{"b":1.0,"a":"\u00e9","a":1e2,"a":true}"#, #"{"a":"\u00e9","a":1e2,"a":true,"b":1.0}"#),
    ])
    func keysAreInOrder(_ text: String, _ expected: String) throws {
        #expect(try convert(.json(text), .json) == .text(expected))
        #expect(try convert(.json(expected), .json) == .text(expected))
    }

    /// Members in any order make one text, which Foundation reads as the same value.
    @Test(arguments: 0..<40) func anyOrderMakesOneText(seed: Int) throws {
        var random = Dice(state: UInt64(seed))
        let value = RandomJSON(&random, depth: 0)
        let texts = (0..<3).map { _ in value.text(&random) }
        let typed = try convert(texts.map { .json($0) }, Conversion(.json))
        #expect(typed[1] == typed[0] && typed[2] == typed[0])
        guard case .text(let ordered) = typed[0] else {
            Issue.record("no text")
            return
        }
        #expect(try JSONOrderTests.read(ordered) == JSONOrderTests.read(texts[0]))
    }

    private static func read(_ text: String) throws -> NSObject? {
        try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed) as? NSObject
    }

    /// What is nested too deep keeps its order, and costs no time.
    @Test func depthIsBounded() throws {
        let text = String(repeating: "{\"b\":1,\"a\":", count: 900) + "0" + String(repeating: "}", count: 900)
        guard case .text(let ordered) = try convert(.json(text), .json) else {
            Issue.record("no text")
            return
        }
        #expect(ordered.utf8.count == text.utf8.count && ordered.hasPrefix("{\"a\":{\"a\":"))
    }
}

/// A value whose members come in any order.
private indirect enum RandomJSON {
    case number(Int)
    case array([RandomJSON])
    case object([String: RandomJSON])

    init(_ random: inout Dice, depth: Int) {
        switch random.below(depth > 4 ? 1 : 3) {
        case 1: self = .array((0..<random.below(5)).map { _ in RandomJSON(&random, depth: depth + 1) })
        case 2:
            let names = (0..<random.below(40)).map { _ in "\(["k", "é", "\\n"][random.below(3)])\(random.below(500))" }
            let members = names.map { ($0, RandomJSON(&random, depth: depth + 2)) }
            self = .object(Dictionary(members) { first, _ in first })
        default: self = .number(random.below(100))
        }
    }

    func text(_ random: inout Dice) -> String {
        switch self {
        case .number(let number): return "\(number)"
        case .array(let elements): return "[\(elements.map { $0.text(&random) }.joined(separator: ","))]"
        case .object(let members):
            let ordered = members.keys.sorted().shuffled(using: &random)
            let parts = ordered.compactMap { name in members[name].map { "\"\(name)\":\($0.text(&random))" } }
            return "{\(parts.joined(separator: ","))}"
        }
    }
}

/// Numbers by chance that are the same in every run.
private struct Dice: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ state >> 29
    }

    mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }
}
