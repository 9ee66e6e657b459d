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

    /// A path may lead to one value, or to a list of them.
    var oneOrMany = false
    /// Paths start at the elements of a list; nil: at the record.
    var element: Path?
    /// An object as `with` says what links have of their own.
    var hasLinks = false

    /// Why an attribute has no `split`, for one.
    static func needsMany(_ key: String) -> String {
        "\(quoted(key)) needs \"many\": true"
    }

    private static let jsonRefused: [String: String] = Dictionary(
        uniqueKeysWithValues: DefinitionKeys.value.filter { !DefinitionKeys.jsonValue.contains($0) }.map { key in
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
            let keys = json ? DefinitionKeys.jsonValue : DefinitionKeys.value
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
        switch text {
        case "$line": return json ? outside(text, at: position) : ValueRule(.line)
        case "$file": return json ? outside(text, at: position) : ValueRule(.fileName)
        default: break
        }
        if text == Path.request || text.hasPrefix(Path.request + ".") || text.hasPrefix(Path.request + "[") {
            return ofRequest(text, at: position)
        }
        if let element {
            return paths.inElement(text, at: position, element).map { plain($0, written: $0.description) }
        }
        guard let path = paths.value(text, at: position, many: isMany) else { return nil }
        return oneOrMany && path.root == .record ? oneOrList(path, written: text) : plain(path, written: text)
    }

    /// A value of the record for which a service was asked.
    private func ofRequest(_ text: String, at position: JSONPosition) -> ValueRule? {
        if json { return outside(text, at: position) }
        guard let path = PathReader.parse("$" + text.dropFirst(Path.request.count), at: position, in: context) else {
            return nil
        }
        guard element == nil else {
            context.mistake("\(quoted(text)) is a value of the record, and not of the elements of a list", at: position)
            return nil
        }
        guard path.steps.count == 1, case .name(let name) = path.steps[0], !path.isKey else {
            context.mistake(
                "\(quoted(text)) must be one attribute of the record for which a service is asked, such as $for.id",
                at: position)
            return nil
        }
        context.note(.init(entity: paths.entity, name: name, position: position))
        return plain(Path(root: .request, steps: path.steps), written: text)
    }

    private func outside(_ text: String, at position: JSONPosition) -> ValueRule? {
        context.mistake("\(quoted(text)) is a text or a number: not for the type json", at: position)
        return nil
    }

    /// The value at a path, or those of the list there: the list of the last `[*]`, or else that at the path's end.
    private func oneOrList(_ path: Path, written text: String) -> ValueRule {
        // Without its last step, `parts.*~` would be the key of the list itself.
        guard !path.isKey || path.steps.last != .wildcard else { return plain(path, written: text) }
        var (one, many, form) = (path, path, OneOrMany.list)
        if let list = path.steps.lastIndex(of: .wildcard) {
            // Without `[*]`, an index would be one of the list itself.
            if list + 1 < path.steps.count, case .index = path.steps[list + 1] { return plain(path, written: text) }
            one.steps.remove(at: list)
            form = list == path.steps.count - 1 ? .members : .within
        } else {
            many.steps.append(.wildcard)
        }
        if path.isDefinite { lists?.addPossible(many, json: json) }
        var reader = self
        if path.isDefinite { reader.lists = nil }
        guard one.isDefinite, case .slot(let list) = reader.plain(many, written: text).origin else {
            return plain(path, written: text)
        }
        let single = slots.index(of: Slot(path: one, json: json))
        return ValueRule(.oneOrMany(one: single, many: list, form))
    }

    /// The value at a path. What encloses a record is one value, whatever the path looks like.
    private func plain(_ path: Path, written text: String? = nil) -> ValueRule {
        let many = path.root == .record && !path.isDefinite
        let slot = Slot(path: path, json: json, many: many, written: text ?? path.description)
        let rule = ValueRule(.slot(slots.index(of: slot)))
        if many && isMany { lists?.add(path, json: json) }
        let entry = ListPaths.Entry(path: path, json: json)
        guard path.isChoosing, let elements = ElementReader(slots: slots).elements(of: [entry]) else { return rule }
        return ValueRule(.elements(elements, rule, many: isMany))
    }

    /// The value where only its name is given: the member that is called so.
    func ownValue(_ name: String) -> ValueRule { plain(ownPath(name)) }

    private func ownPath(_ name: String) -> Path {
        Path(root: .record, steps: (element?.steps ?? []) + [.name(name)])
    }

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
        if let with = object.position(of: "with"), object["join"] == nil, separator(object) != nil {
            context.mistake("\"with\" is what \"join\" puts between values: there is no \"join\"", at: with)
        }
        if object["from"] != nil, let join = object.position(of: "join") {
            context.mistake("a value has either \"from\" or \"join\"", at: join)
            return nil
        }
        if object["value"] != nil { return constant(object) }
        var reader = self
        if object.boolean("oneOrMany") == true {
            reader.oneOrMany = true
            if !isMany, let position = object.position(of: "oneOrMany") {
                context.mistake(ValueReader.needsMany("oneOrMany"), at: position)
            }
        }
        return reader.soughtOrigin(of: object)
    }

    /// What the definition itself says.
    private func constant(_ object: DefinitionObject) -> ValueRule.Origin? {
        guard let node = object["value"] else { return nil }
        for key in ["from", "join", "oneOrMany"] {
            guard let position = object.position(of: key) else { continue }
            context.mistake("\"value\" says what the value is: beside it there is no \(quoted(key))", at: position)
        }
        if case .null = node.kind {
            context.wrong("value", node, expected: "a text, a number, true or false")
            return nil
        }
        return context.literal(node, "value").map { .constant($0) }
    }

    /// What is looked for in the record.
    private func soughtOrigin(of object: DefinitionObject) -> ValueRule.Origin? {
        if let node = object["join"] { return joined(node, object) }
        if let node = object["from"] { return values(node, "from").map { .first($0) } }
        if let ownName {
            let path = ownPath(ownName)
            return .first([oneOrMany ? oneOrList(path, written: path.description) : plain(path)])
        }
        context.mistake("\(object.what) needs \"from\", \"join\" or \"value\"", at: object.position)
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
        return .joined(rules, separator: separator(object).flatMap { context.anyText($0, "with") } ?? "/")
    }

    /// What stands between the values of `join`.
    private func separator(_ object: DefinitionObject) -> JSONNode? {
        object["with"].flatMap { hasLinks && $0.isObject ? nil : $0 }
    }

    /// A list of values, or one value; nil where there is a mistake.
    func values(_ node: JSONNode, _ key: String) -> [ValueRule]? {
        if node.elements.isEmpty { context.wrong(key, node, expected: "a list of at least one value") }
        var reader = self
        reader.hasLinks = false
        let rules = node.elements.compactMap { reader.value($0, key) }
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
