import Foundation
import TestSupport
import Testing

/// Values of random lists in lists: attributes, relationships, what their links have, and identifiers of several parts,
/// all compared with one naive reading. An element of the innermost list counts whatever is in it, what it lacks is
/// null there, and what is around it belongs to it. A record that has a text in place of a list is a reject.
@Suite struct ListsInListsTests {
    private static let ruleCount = 4

    @Test(arguments: SeededRandom.seeds(0..<4)) func allFourAreEqual(seed: Int) throws {
        var random = SeededRandom(seed)
        let rules = (0..<ListsInListsTests.ruleCount).map { _ in Rule(&random) }
        let records = (0..<120).map { Node.record($0, &random) }
        let scene = try LanguageScene(definition(rules), #""limits": { "records": null, "rejects": null }"#)
        let targets = #""t": [{"id": "-"}], "u": [{"a": "-", "b": "-"}]"#
        let feed = #"{"p": [\#(records.map(\.json).joined(separator: ",\n"))], \#(targets)}"#
        let outcome = try scene.run(feed)
        try #require(outcome.status == 0, "\(outcome.errors) \(scene.file("p.jsonc"))")
        let refused = Set(records.indices.filter { id in rules.contains { $0.refuses(records[id]) } })
        #expect(outcome.count("P", "rejected") == refused.count)
        for (index, rule) in rules.enumerated() {
            let lists = try scene.lines("SELECT id, a\(index) FROM P ORDER BY id")
            let links = "FROM P_X l JOIN P p ON p.objectID = l.source JOIN T t ON t.objectID = l.target"
            let plain = try scene.lines(
                "SELECT p.id, t.id \(links.replacing("P_X", with: "P_r\(index)")) ORDER BY p.id, l.position")
            let valued = try scene.lines(
                "SELECT p.id, t.id, l.m, l.at, l.up \(links.replacing("P_X", with: "P_w\(index)"))"
                    + " ORDER BY p.id, l.position")
            let pairs = try scene.lines(
                """
                SELECT p.id, u.a, u.b FROM P_c\(index) l JOIN P p ON p.objectID = l.source
                JOIN U u ON u.objectID = l.target ORDER BY p.id, l.position
                """)
            let other = rules[(index + 1) % rules.count]
            var expected: (lists: [String], plain: [String], valued: [String], pairs: [String]) = ([], [], [], [])
            for (id, record) in records.enumerated() where !refused.contains(id) {
                expected.lists.append("\(id) \(rule.list(of: record))")
                for link in Rule.links([rule], of: record) {
                    expected.plain.append("\(id) \(link.key[0])")
                    expected.valued.append("\(id) \(link.key[0]) \(link.values.joined(separator: " "))")
                }
                for link in Rule.links([rule, other], of: record) {
                    expected.pairs.append("\(id) \(link.key[0]) \(link.key[1])")
                }
            }
            #expect(lists == expected.lists, "\(rule.json)")
            #expect(plain == expected.plain, "\(rule.json)")
            #expect(valued == expected.valued, "\(rule.json)")
            #expect(pairs == expected.pairs, "\(rule.json), \(other.json)")
        }
    }

    private func definition(_ rules: [Rule]) -> String {
        let attributes = rules.enumerated().map { #""a\#($0)": { "type": "text", "many": true, \#($1.json) }"# }
        let links = #""many": true, "set": false, "missing": "stub""#
        let with = #""with": { "m": "m", "at": "~", "up": "^^.n" }"#
        let relationships = rules.enumerated().flatMap { index, rule in
            let other = rules[(index + 1) % rules.count]
            return [
                #""r\#(index)": { "to": "T", \#(links), \#(rule.json) }"#,
                #""w\#(index)": { "to": "T", \#(links), \#(rule.json), \#(with) }"#,
                #""c\#(index)": { "to": "U", \#(links), "identifier": [{ \#(rule.json) }, { \#(other.json) }] }"#,
            ]
        }
        return """
            { "P": { "records": "$.p[*]", "identifier": "id",
                "attributes": { "id": "integer", \(attributes.joined(separator: ", ")) },
                "relationships": { \(relationships.joined(separator: ",\n")) } },
              "T": { "records": "$.t[*]", "identifier": "id", "attributes": { "id": "text" } },
              "U": { "records": "$.u[*]", "identifier": ["a", "b"], "attributes": { "a": "text", "b": "text" } } }
            """
    }
}

/// A value of a feed.
private indirect enum Node {
    case null
    case text(String)
    case list([Node])
    case object([(String, Node)])

    var json: String {
        switch self {
        case .null: "null"
        case .text(let text): "\"\(text)\""
        case .list(let nodes): "[" + nodes.map(\.json).joined(separator: ",") + "]"
        case .object(let members): "{" + members.map { "\"\($0)\":\($1.json)" }.joined(separator: ",") + "}"
        }
    }

    subscript(name: String) -> Node? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.0 == name }?.1
    }

    /// What `[*]` leads to, each with its index or key.
    var children: [(key: String, node: Node)] {
        switch self {
        case .null, .text: []
        case .list(let nodes): nodes.enumerated().map { ("\($0)", $1) }
        case .object(let members): members.map { ($0, $1) }
        }
    }

    var text: String? {
        guard case .text(let text) = self else { return nil }
        return text
    }

    // MARK: Random ones

    static func record(_ id: Int, _ random: inout SeededRandom) -> Node {
        var members: [(String, Node)] = []
        if let list = list(&random, of: outer) { members.append(("o", list)) }
        if let value = value(&random) { members.append(("g", value)) }
        members.shuffle(using: &random)
        return .object([("id", .text("\(id)"))] + members)
    }

    private static func outer(_ random: inout SeededRandom) -> Node {
        if random.below(8) == 0 { return random.below(2) == 0 ? .null : .text("s") }
        var members: [(String, Node)] = []
        for name in ["n", "e", "m"] { if let value = value(&random) { members.append((name, value)) } }
        if let list = list(&random, of: inner) { members.append(("in", list)) }
        return .object(members.shuffled(using: &random))
    }

    private static func inner(_ random: inout SeededRandom) -> Node {
        if random.below(8) == 0 { return random.below(2) == 0 ? .null : .text("s") }
        var members: [(String, Node)] = []
        for name in ["m", "n"] { if let value = value(&random) { members.append((name, value)) } }
        if random.below(3) > 0 {
            members.append(("d", random.below(5) == 0 ? .null : .object(value(&random).map { [("k", $0)] } ?? [])))
        }
        return .object(members.shuffled(using: &random))
    }

    private static func value(_ random: inout SeededRandom) -> Node? {
        switch random.below(4) {
        case 0: nil
        case 1: .null
        default: .text(["a", "b", "c"][random.below(3)])
        }
    }

    private static func list(_ random: inout SeededRandom, of make: (inout SeededRandom) -> Node) -> Node? {
        switch random.below(10) {
        case 0: return nil
        case 1: return .null
        case 2: return .text("s")
        case 3: return .list([])
        case 4: return .object(["x", "y", "z"].prefix(random.below(4)).map { ($0, make(&random)) })
        default: return .list((0..<random.below(4)).map { _ in make(&random) })
        }
    }
}

/// An element of a list, with the one around it.
private struct Element {
    var outer: Node
    /// Nil: the list of the outer ones is the innermost.
    var inner: Node?
    var key: String

    /// What a link that comes of it has: `m`, `~` and `^^.n`.
    var values: [String] {
        let up = inner == nil ? nil : outer["n"]
        return [(inner ?? outer)["m"]?.text ?? "∅", key, up?.text ?? "∅"]
    }
}

/// A value with several paths into lists.
private struct Rule {
    private struct Part {
        var path: String
        var hasDefault: Bool

        var json: String { hasDefault ? #"{ "from": "\#(path)", "default": "D" }"# : "\"\(path)\"" }
        var isInner: Bool { path.hasPrefix("o[*].in[*]") }

        func value(in record: Node, _ element: Element?) -> String? {
            let found: Node? =
                switch path {
                case "g": record["g"]
                case "o[*].n": element?.outer["n"]
                case "o[*].e": element?.outer["e"]
                case "o[*].in[*].m": element?.inner?["m"]
                default: element?.inner?["d"]?["k"]
                }
            return found?.text ?? (hasDefault ? "D" : nil)
        }
    }

    private let parts: [Part]
    private let joins: Bool

    init(_ random: inout SeededRandom) {
        let paths = ["o[*].n", "o[*].e", "o[*].in[*].m", "o[*].in[*].d.k"].shuffled(using: &random)
        var taken = Array(paths.prefix(2 + random.below(2)))
        if random.below(4) == 0 { taken.append("g") }
        parts = taken.shuffled(using: &random).map { Part(path: $0, hasDefault: random.below(4) == 0) }
        joins = random.below(2) == 0
    }

    var json: String { "\"\(joins ? "join" : "from")\": [\(parts.map(\.json).joined(separator: ", "))]" }

    private func value(in record: Node, _ element: Element?) -> String? {
        let values = parts.map { $0.value(in: record, element) }
        if !joins { return values.lazy.compactMap { $0 }.first }
        let texts = values.compactMap { $0 }
        return texts.count == values.count ? texts.joined(separator: "/") : nil
    }

    /// Whether something stands where it looks for a list.
    func refuses(_ record: Node) -> Bool {
        let isInner = parts.contains(where: \.isInner)
        return record["o"]?.text != nil
            || isInner && (record["o"]?.children ?? []).contains { $0.node["in"]?.text != nil }
    }

    private static func elements(_ rules: [Rule], of record: Node) -> [Element] {
        let isInner = rules.contains { $0.parts.contains(where: \.isInner) }
        return (record["o"]?.children ?? []).flatMap { key, outer in
            guard isInner else { return [Element(outer: outer, inner: nil, key: key)] }
            return (outer["in"]?.children ?? []).map { Element(outer: outer, inner: $1, key: $0) }
        }
    }

    /// The attribute. Where there is no element, it is what needs none.
    func list(of record: Node) -> String {
        let elements = Rule.elements([self], of: record)
        var values = elements.map { value(in: record, $0) }
        if elements.isEmpty, let alone = value(in: record, nil) { values = [alone] }
        if values.isEmpty, record["o"] == nil { return "∅" }
        return "[" + values.map { $0.map { "\"\($0)\"" } ?? "null" }.joined(separator: ",") + "]"
    }

    /// The links of a relationship whose key has these parts.
    static func links(_ rules: [Rule], of record: Node) -> [(key: [String], values: [String])] {
        let found: [Element?] = elements(rules, of: record)
        return (found.isEmpty ? [nil] : found).compactMap { element in
            let key = rules.compactMap { $0.value(in: record, element) }
            guard key.count == rules.count else { return nil }
            return (key, element?.values ?? ["∅", "∅", "∅"])
        }
    }
}
