import SluiceExtract
import SluiceRecords

/// Reads the values of an attribute or a relationship, and of their parts.
struct ValueReader {
    let context: DefinitionContext
    let paths: PathReader
    let slots: SlotTable
    /// Where a value is looked for that does not say where.
    var ownName: String?
    /// Paths may match several values.
    var isMany = false
    /// One text may become several values.
    var canSplit = false
    /// The JSON text of the value is wanted.
    var json = false
    /// The paths into lists that the value of a to-many relationship has had so far.
    var lists: ListPaths?

    /// Why an attribute has no `split`.
    static let needsMany = "\"split\" needs a relationship with \"many\": true"

    private static let jsonRefused: [String: String] = Dictionary(
        uniqueKeysWithValues: DefinitionKeys.value.filter { !["from", "default"].contains($0) }.map { key in
            (key, "the type json takes a value as it is, with \"from\" and \"default\" only: not with \(quoted(key))")
        })

    /// What is wrong with a key where the JSON text is wanted.
    static func refusedForJSON(_ key: String) -> String? { jsonRefused[key] }

    /// A value: a path, or an object.
    func value(_ node: JSONNode, _ key: String) -> ValueRule? {
        switch node.kind {
        case .string:
            return context.text(node, key, expected: "a path").flatMap { path($0, at: node.position) }
        case .object:
            let keys = json ? ["from", "default"] : DefinitionKeys.value
            return DefinitionObject(
                node, "a value of \(quoted(key))", keys: keys, refused: json ? ValueReader.jsonRefused : [:],
                in: context
            ).flatMap { rule(of: $0) }
        default:
            context.wrong(key, node, expected: "a path or an object")
            return nil
        }
    }

    private func path(_ text: String, at position: JSONPosition) -> ValueRule? {
        paths.value(text, at: position, many: isMany).map { plain($0, written: text) }
    }

    /// The value at a path. What encloses a record is one value, whatever the path looks like.
    private func plain(_ path: Path, written text: String? = nil) -> ValueRule {
        let many = path.root == .record && !path.isDefinite
        let slot = Slot(path: path, json: json, many: many, written: text ?? path.description)
        let rule = ValueRule(.slot(slots.index(of: slot)))
        if many && isMany { lists?.add(path) }
        guard path.isChoosing, let elements = ElementReader(slots: slots, json: json).elements(of: [path]) else {
            return rule
        }
        return ValueRule(.elements(elements, rule, many: isMany))
    }

    /// The value where only its name is given: the member that is called so.
    func ownValue(_ name: String) -> ValueRule { plain(Path(root: .record, steps: [.name(name)])) }

    /// The value that an object describes, which may have other keys as well.
    func rule(of object: DefinitionObject) -> ValueRule? {
        let origin = origin(of: object)
        let steps = steps(of: object)
        guard let origin, var rule = steps else { return nil }
        // A value that is nothing but another one.
        if rule == ValueRule(.first([])), case .first(let rules) = origin, rules.count == 1 { return rules[0] }
        rule.origin = origin
        if case .first(let rules) = origin, rules.count == 1, rules[0] == ValueRule(rules[0].origin) {
            rule.origin = rules[0].origin
        }
        return rule
    }

    private func origin(of object: DefinitionObject) -> ValueRule.Origin? {
        if let with = object.position(of: "with"), object["join"] == nil {
            context.mistake("\"with\" is what \"join\" puts between values: there is no \"join\"", at: with)
        }
        if object["from"] != nil, let join = object.position(of: "join") {
            context.mistake("a value has either \"from\" or \"join\"", at: join)
            return nil
        }
        if let node = object["join"] { return joined(node, object) }
        if let node = object["from"] { return values(node, "from").map { .first($0) } }
        if let ownName { return .first([ownValue(ownName)]) }
        context.mistake("\(object.what) needs \"from\" or \"join\"", at: object.position)
        return nil
    }

    private func joined(_ node: JSONNode, _ object: DefinitionObject) -> ValueRule.Origin? {
        var reader = self
        reader.canSplit = false
        guard case .array = node.kind else {
            context.wrong("join", node, expected: "a list of values")
            return nil
        }
        guard let rules = reader.values(node, "join") else { return nil }
        return .joined(rules, separator: object["with"].flatMap { context.anyText($0, "with") } ?? "/")
    }

    /// A list of values, or one value; nil where there is a mistake.
    func values(_ node: JSONNode, _ key: String) -> [ValueRule]? {
        if node.elements.isEmpty { context.wrong(key, node, expected: "a list of at least one value") }
        let rules = node.elements.compactMap { value($0, key) }
        return rules.count == node.elements.count && !rules.isEmpty ? rules : nil
    }
}

extension DefinitionContext {
    /// A text, empty or not.
    func anyText(_ node: JSONNode, _ key: String) -> String? {
        if isUnset(node) { return nil }
        if let text = node.text { return text }
        wrong(key, node, expected: "a text")
        return nil
    }
}
