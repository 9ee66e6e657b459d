import TestSupport

/// A value of a random feed. It is written once, and then knows where it stands.
final class FeedNode {
    enum Kind {
        case null
        case boolean(Bool)
        /// As written.
        case number(String)
        case string(Text)
        case array([FeedNode])
        /// Keys may be repeated.
        case object([(Text, FeedNode)])
    }

    /// How a node hangs on the one around it.
    enum Key: Hashable {
        case name(Text)
        case index(Int)
    }

    let kind: Kind
    /// The seed of the white space and escapes with which it is written, the same each time; nil: other ones each time.
    var spelling: Int?
    private(set) weak var parent: FeedNode?
    private(set) var key: Key?
    /// The offset in the file.
    private(set) var start = 0
    /// Without white space, the keys of objects in order, as they are written.
    private(set) var json = ""

    init(_ kind: Kind) {
        self.kind = kind
        switch kind {
        case .array(let elements):
            for (index, element) in elements.enumerated() { element.hang(on: self, .index(index)) }
        case .object(let members): for (name, member) in members { member.hang(on: self, .name(name)) }
        default: break
        }
    }

    private func hang(on parent: FeedNode, _ key: Key) {
        self.parent = parent
        self.key = key
    }

    /// Which of several values with the same key are found.
    enum Repeated {
        /// Within a record.
        case last
        /// Around a record.
        case first
        /// Where records are looked for.
        case all
    }

    /// What can be found in it.
    func children(_ repeated: Repeated = .last) -> [FeedNode] {
        switch kind {
        case .array(let elements): return elements
        case .object(let members):
            return members.indices.filter { index in
                switch repeated {
                case .last: !members[(index + 1)...].contains { $0.0 == members[index].0 }
                case .first: !members[..<index].contains { $0.0 == members[index].0 }
                case .all: true
                }
            }.map { members[$0].1 }
        default: return []
        }
    }

    /// The element of an array that is so many from its end.
    func fromEnd(_ index: Int) -> [FeedNode] {
        guard case .array(let elements) = kind, index <= elements.count else { return [] }
        return [elements[elements.count - index]]
    }

    /// All below it, in the order of the feed.
    func descendants(_ repeated: Repeated = .last) -> [FeedNode] {
        children(repeated).flatMap { [$0] + $0.descendants(repeated) }
    }

    /// From the innermost to the top.
    var ancestors: [FeedNode] { parent.map { [$0] + $0.ancestors } ?? [] }
}

extension FeedNode {
    /// Of a row: it and its cells have their order, and their text as JSON.
    func place(at offset: Int) {
        guard case .object(let members) = kind else { return }
        start = offset
        let ordered = members.sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
        for (index, member) in members.enumerated() {
            member.1.start = offset + 1 + index
            member.1.json = "null"
            if case .string(let text) = member.1.kind { member.1.json = FeedNode.plain(text) }
        }
        json = "{" + ordered.map { FeedNode.plain($0.0) + ":" + $0.1.json }.joined(separator: ",") + "}"
    }

    /// Appends the node's text.
    func write(to text: inout [UInt8], _ random: inout SeededRandom) {
        var own = spelling.map { SeededRandom($0) } ?? random
        writeOnce(to: &text, &own)
        if spelling == nil { random = own }
    }

    private func writeOnce(to text: inout [UInt8], _ random: inout SeededRandom) {
        start = text.count
        switch kind {
        case .null: json = "null"
        case .boolean(let value): json = value ? "true" : "false"
        case .number(let number): json = number
        case .string(let string): json = FeedNode.quoted(string, &random)
        case .array(let elements):
            text.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { text.append(UInt8(ascii: ",")) }
                FeedNode.space(&text, &random)
                element.write(to: &text, &random)
            }
            FeedNode.space(&text, &random)
            text.append(UInt8(ascii: "]"))
            json = "[" + elements.map(\.json).joined(separator: ",") + "]"
            return
        case .object(let members):
            text.append(UInt8(ascii: "{"))
            var parts: [(key: Text, text: String)] = []
            for (index, member) in members.enumerated() {
                if index > 0 { text.append(UInt8(ascii: ",")) }
                FeedNode.space(&text, &random)
                let key = FeedNode.quoted(member.0, &random)
                text += key.utf8
                FeedNode.space(&text, &random)
                text.append(UInt8(ascii: ":"))
                FeedNode.space(&text, &random)
                member.1.write(to: &text, &random)
                parts.append((member.0, key + ":" + member.1.json))
            }
            FeedNode.space(&text, &random)
            text.append(UInt8(ascii: "}"))
            // By what they say, however they are written; of equal keys, the first stays first.
            let sorted = parts.enumerated().sorted { one, other in
                one.element.key.utf8.elementsEqual(other.element.key.utf8)
                    ? one.offset < other.offset
                    : one.element.key.utf8.lexicographicallyPrecedes(other.element.key.utf8)
            }
            json = "{" + sorted.map(\.element.text).joined(separator: ",") + "}"
            return
        }
        text += json.utf8
    }

    private static func space(_ text: inout [UInt8], _ random: inout SeededRandom) {
        if random.below(8) == 0 { text += [" ", "\n", "\t ", "\r\n"][random.below(4)].utf8 }
    }

    /// A text between quotes, with the escapes that are needed.
    private static func plain(_ text: Text) -> String {
        let escaped = text.description.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return "\"" + escaped.replacing("\n", with: "\\n") + "\""
    }

    /// A text between quotes, with the escapes that JSON asks for, and some that it allows.
    static func quoted(_ text: Text, _ random: inout SeededRandom) -> String {
        var result = "\""
        for scalar in text.description.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\" + String(scalar)
            case "\n": result += "\\n"
            default:
                if scalar.value < 0x1_0000, random.below(20) == 0 {
                    let digits = String(scalar.value, radix: 16)
                    result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                } else {
                    result.unicodeScalars.append(scalar)
                }
            }
        }
        return result + "\""
    }
}
