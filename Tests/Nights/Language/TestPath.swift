import TestSupport

/// A path of a random definition, followed in the simplest way.
struct TestPath: Hashable {
    enum Step: Hashable {
        case name(Text)
        case index(Int)
        case each
        case anywhere(Text)
        case everywhere
        /// `[-1]`
        case fromEnd(Int)
        case chosen(TestChoice)
    }

    /// Whether it starts at the top, `$`, and not at the record.
    var isTop = false
    /// How many `^` there are.
    var ups = 0
    var steps: [Step] = []
    /// `~`
    var isKey = false

    static func record(_ steps: Step..., ups: Int = 0, isKey: Bool = false) -> TestPath {
        TestPath(ups: ups, steps: steps, isKey: isKey)
    }

    static func top(_ steps: Step...) -> TestPath { TestPath(isTop: true, steps: steps) }

    static func field(_ name: Text) -> TestPath { .record(.name(name)) }

    /// The steps that match one node at the most, before any other.
    var definiteSteps: ArraySlice<Step> {
        steps.prefix { step in
            switch step {
            case .name, .index: true
            default: false
            }
        }
    }

    var isDefinite: Bool { definiteSteps.count == steps.count }
}

/// A filter: what the member of an element is compared with.
enum TestChoice: Hashable {
    case equals(Text, TestLiteral)
    case isLess(Text, TestLiteral)
    case has(Text)
    case lacks(Text)
    indirect case either(TestChoice, TestChoice)

    func text(_ random: inout SeededRandom) -> String {
        func name(_ name: Text) -> String { random.below(2) == 0 ? "\(name)" : "@['\(name)']" }
        switch self {
        case .equals(let member, let literal): return "\(name(member)) == \(TestChoice.text(literal))"
        case .isLess(let member, let literal): return "\(TestChoice.text(literal)) > \(name(member))"
        case .has(let member): return name(member)
        case .lacks(let member): return "!(\(name(member)))"
        case .either(let one, let other): return "\(one.text(&random)) || \(other.text(&random))"
        }
    }

    private static func text(_ literal: TestLiteral) -> String {
        switch literal {
        case .null: "null"
        case .boolean(let value): "\(value)"
        case .number(let number): number
        case .text(let text): "'\(text)'"
        case .json(let json): json
        }
    }

    func takes(_ node: FeedNode) -> Bool {
        func raw(_ name: Text) -> TestRaw { TestPath.follow([.name(name)], from: node).first?.raw ?? .absent }
        switch self {
        case .equals(let name, let literal): return TestEvaluation.fits(raw(name), .isOne(of: [literal]))
        case .isLess(let name, let literal): return TestEvaluation.fits(raw(name), .isLess(than: literal))
        case .has(let name): return !raw(name).isAbsent
        case .lacks(let name): return raw(name).isAbsent
        case .either(let one, let other): return one.takes(node) || other.takes(node)
        }
    }
}

extension TestPath {
    /// As a definition writes it, in one of several ways.
    func text(_ random: inout SeededRandom) -> String {
        var text = isTop ? "$" : String(repeating: "^", count: ups)
        if !isTop, ups == 0, steps.isEmpty ? !isKey : random.below(6) == 0 { text = "@" }
        for (index, step) in steps.enumerated() {
            let isBare = index == 0 && !isTop && text != "@" && (ups == 0 || random.below(2) == 0)
            text += spelled(step, isBare: isBare, &random)
        }
        return text + (isKey ? "~" : "")
    }

    private func spelled(_ step: Step, isBare: Bool, _ random: inout SeededRandom) -> String {
        let dot = isBare ? "" : "."
        switch step {
        case .name(let name):
            return TestPath.isWord(name) && random.below(4) > 0
                ? "\(dot)\(name)" : "[\(TestPath.quoted(name, &random))]"
        case .index(let index): return "[\(index)]"
        case .each: return random.below(2) == 0 ? "[*]" : dot + "*"
        case .anywhere(let name):
            return TestPath.isWord(name) && random.below(4) > 0
                ? "..\(name)" : "..[\(TestPath.quoted(name, &random))]"
        case .everywhere: return random.below(2) == 0 ? "..[*]" : "..*"
        case .fromEnd(let index): return "[-\(index)]"
        case .chosen(let choice): return "[?\(choice.text(&random))]"
        }
    }

    private static func isWord(_ name: Text) -> Bool {
        !name.utf8.isEmpty
            && name.description.unicodeScalars.allSatisfy { $0.value > 0x7f || ("a"..."z").contains($0) }
    }

    private static func quoted(_ name: Text, _ random: inout SeededRandom) -> String {
        let isSingle = random.below(2) == 0
        let quote = isSingle ? "'" : "\""
        let escaped = name.description.unicodeScalars.map { scalar in
            String(scalar) == quote || scalar == "\\" ? "\\" + String(scalar) : String(scalar)
        }
        return quote + escaped.joined() + quote
    }
}

extension TestPath {
    /// The nodes that steps lead to, each once, in the order of the feed.
    static func follow(
        _ steps: ArraySlice<Step>, from node: FeedNode, _ repeated: FeedNode.Repeated = .last
    ) -> [FeedNode] {
        guard let step = steps.first else { return [node] }
        let found: [FeedNode] =
            switch step {
            case .name(let name): node.children(repeated).filter { $0.key == .name(name) }
            case .index(let index): node.children(repeated).filter { $0.key == .index(index) }
            case .each: node.children(repeated)
            case .anywhere(let name): node.descendants(repeated).filter { $0.key == .name(name) }
            case .everywhere: node.descendants(repeated)
            case .fromEnd(let index): node.fromEnd(index)
            case .chosen(let choice): node.children(repeated).filter(choice.takes)
            }
        return inOrder(found.flatMap { follow(steps.dropFirst(), from: $0, repeated) })
    }

    static func inOrder(_ nodes: [FeedNode]) -> [FeedNode] {
        var seen: Set<Int> = []
        return nodes.filter { seen.insert($0.start).inserted }.sorted { $0.start < $1.start }
    }

    /// Whether steps that are named lead from a node to something without elements, of which more is wanted: neither a
    /// list or object, nor null, nor an empty text.
    static func missesList(
        _ steps: ArraySlice<Step>, from node: FeedNode, _ repeated: FeedNode.Repeated = .last
    ) -> Bool {
        steps.indices.contains { index in
            guard !TestPath(steps: [steps[index]]).isDefinite, !isSearch(steps[index]) else { return false }
            if index > steps.startIndex, !TestPath(steps: [steps[index - 1]]).isDefinite { return false }
            return follow(steps[..<index], from: node, repeated).contains(where: \.isFilledScalar)
        }
    }

    /// Whether a value stands where named steps lead on to records: which these are, nobody knows.
    func hidesRecords(in value: FeedNode) -> Bool {
        steps.indices.contains { index in
            if steps[..<index].contains(where: TestPath.isSearch) { return false }
            let isNamed = index == 0 || TestPath(steps: [steps[index - 1]]).isDefinite
            return TestPath.follow(steps[..<index], from: value, .all).contains { node in
                // A member may be about something else.
                let isElement = if case .index? = node.key { true } else { false }
                return node.mayBeRecords && (isNamed || isElement)
            }
        }
    }

    private static func isSearch(_ step: Step) -> Bool {
        switch step {
        case .anywhere, .everywhere: true
        default: false
        }
    }

    /// The node where the path starts, for a record that one of some paths has matched, and the steps from there.
    func start(at record: FeedNode, _ records: [TestPath]) -> (node: FeedNode, steps: ArraySlice<Step>)? {
        let around = [record] + record.ancestors
        guard isTop else { return ups < around.count ? (around[ups], steps[...]) : nil }
        // Where several beginnings fit, the innermost node counts, and of it the longest beginning.
        let lengths = records.map { path in zip(path.steps, steps).prefix { $0 == $1 }.count }
            .filter { TestPath(steps: Array(steps[$0...])).isDefinite }.sorted(by: >)
        for node in around {
            for length in lengths {
                let beginning = TestPath.follow(
                    steps[..<length], from: around[around.count - 1], .all)
                if beginning.contains(where: { $0 === node }) { return (node, steps[length...]) }
            }
        }
        return nil
    }
}
