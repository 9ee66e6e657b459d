import SluiceExtract
import SluiceRecords

extension ValueReader {
    /// What is done to a value on its way, with an origin yet to be set.
    func steps(of object: DefinitionObject) -> ValueRule? {
        var rule = ValueRule(.first([]))
        rule.trim = object.boolean("trim") ?? false
        rule.nullIf = nullIf(object)
        rule.match = pattern("match", object)
        if let node = object["map"] { (rule.map, rule.otherwise) = map(node) }
        if makesSeveral("split", object) { rule.split = object["split"].flatMap { context.text($0, "split") } }
        if makesSeveral("matches", object) { rule.matches = pattern("matches", object) }
        rule.fallback = object["default"].flatMap { context.literal($0, "default", containers: json) }
        return rule
    }

    private func nullIf(_ object: DefinitionObject) -> [Literal] {
        guard let node = object["nullIf"] else { return [] }
        let expected = "a text, a number, true, false, or a list of them"
        if node.elements.isEmpty { context.wrong("nullIf", node, expected: expected) }
        return node.elements.compactMap { element in
            switch element.kind {
            case .string, .number, .boolean: return context.literal(element, "nullIf")
            default:
                context.wrong("nullIf", element, expected: expected)
                return nil
            }
        }
    }

    private func pattern(_ key: String, _ object: DefinitionObject) -> String? {
        guard let node = object[key], let pattern = context.text(node, key) else { return nil }
        if let reason = context.checks.pattern(pattern) {
            context.mistake(reason, at: node.position)
        }
        return pattern
    }

    private func map(_ node: JSONNode) -> ([ExactText: Literal]?, Literal?) {
        guard let members = context.members(of: node, "\"map\"") else { return (nil, nil) }
        if members.isEmpty {
            context.mistake("\"map\" cannot be empty: every record would be a reject", at: node.position)
        }
        var map: [ExactText: Literal] = [:]
        for member in members {
            map[ExactText(member.key)] = context.literal(member.value, member.key)
        }
        return (map.filter { $0.key != "*" }, map["*"])
    }

    /// Whether there is a key by which one value becomes several, where there may be.
    private func makesSeveral(_ key: String, _ object: DefinitionObject) -> Bool {
        guard let position = object.position(of: key) else { return false }
        guard isMany else {
            context.mistake(ValueReader.needsMany(key), at: position)
            return false
        }
        guard canSplit else {
            context.mistake("a part of \"join\" or \"identifier\" cannot have \(quoted(key))", at: position)
            return false
        }
        return true
    }

    /// Checks that what `map` and `default` give can become what is wanted.
    func checkLiterals(of rule: ValueRule, in object: JSONNode, as conversion: Conversion) {
        var given: [(key: String, node: JSONNode, literal: Literal)] = []
        if let node = object["default"], let literal = rule.fallback { given.append(("default", node, literal)) }
        if let node = object["value"], rule.map == nil, rule.match == nil, case .constant(let literal) = rule.origin {
            given.append(("value", node, literal))
        }
        if let node = object["map"], rule.map != nil, case .object(let members) = node.kind {
            given += members.compactMap { member in
                context.literal(member.value, member.key).map { (member.key, member.value, $0) }
            }
        }
        for (key, node, literal) in given where literal != .null {
            guard let reason = context.checks.literal(literal, conversion) else { continue }
            context.mistake("the value of \(quoted(key)) does not fit: \(reason)", at: node.position)
        }
    }
}
