import SluiceExtract
import SluiceRecords

/// Reads the conditions of an entity: `where` and `deleteWhere`.
struct ConditionReader {
    let context: DefinitionContext
    let paths: PathReader
    let slots: SlotTable

    func conditions(_ key: String, of object: DefinitionObject) -> [RecordCondition] {
        object[key].map { conditions(of: $0, quoted(key)) } ?? []
    }

    /// The conditions of an object, of which each must be met.
    private func conditions(of node: JSONNode, _ what: String) -> [RecordCondition] {
        guard let members = context.members(of: node, what) else { return [] }
        if members.isEmpty {
            context.mistake("\(what) must name at least one path, with its value", at: node.position)
        }
        return members.compactMap { group($0) ?? condition($0) }
    }

    /// `any`, `all` or `not` of other conditions; nil: it is the path of a field that is called so.
    private func group(_ member: JSONMember) -> RecordCondition? {
        switch (member.key, member.value.kind) {
        case ("not", .object):
            let parts = conditions(of: member.value, "\"not\"")
            return .not(parts.count == 1 ? parts[0] : .all(parts))
        case ("any", .array(let elements)), ("all", .array(let elements)):
            let areObjects = elements.allSatisfy { element in
                if case .object = element.kind { return true }
                return false
            }
            guard areObjects, !elements.isEmpty else { return nil }
            let parts = elements.map { element in
                let parts = conditions(of: element, "a condition of \(quoted(member.key))")
                return parts.count == 1 ? parts[0] : .all(parts)
            }
            return member.key == "any" ? .any(parts) : .all(parts)
        default: return nil
        }
    }

    /// What is asked of the value at a path.
    private func condition(_ member: JSONMember) -> RecordCondition? {
        if member.value.elements.isEmpty {
            context.mistake(
                "a list of values cannot be empty: no record would have one of them", at: member.value.position)
        }
        let test = test(member.value, member.key)
        guard let path = paths.value(member.key, at: member.position, many: true) else { return nil }
        if path.isChoosing {
            context.mistake(
                "\(quoted(member.key)) chooses among elements: in a condition, \(quoted(path.withAllElements.description))"
                    + " fits if one of them does", at: member.position)
            return nil
        }
        let many = path.root == .record && !path.isDefinite
        return .value(slot: slots.index(of: Slot(path: path, many: many, written: member.key)), test)
    }

    /// A value, a test, or a list of them, of which one must fit.
    private func test(_ node: JSONNode, _ key: String) -> ValueTest {
        var literals: [Literal] = []
        var tests: [ValueTest] = []
        for element in node.elements {
            if case .object = element.kind {
                tests.append(described(element, key))
            } else if let literal = context.literal(element, key) {
                literals.append(literal)
            }
        }
        if tests.isEmpty { return .isOne(of: literals) }
        if !literals.isEmpty { tests.insert(.isOne(of: literals), at: 0) }
        return tests.count == 1 ? tests[0] : .any(tests)
    }

    /// A test that an object describes: all that it says must fit.
    private func described(_ node: JSONNode, _ key: String) -> ValueTest {
        let what = "the condition of \(quoted(key))"
        guard let object = DefinitionObject(node, what, keys: DefinitionKeys.condition, in: context) else {
            return .all([])
        }
        guard case .object(let members) = node.kind, !members.isEmpty else {
            context.mistake("\(what) is empty: allowed here: \(listed(DefinitionKeys.condition))", at: node.position)
            return .all([])
        }
        var tests: [ValueTest] = []
        if let isPresent = object.boolean("present") { tests.append(isPresent ? .isPresent : .not(.isPresent)) }
        if let node = object["type"] { tests.append(.hasType(node.elements.compactMap { context.choice($0, "type") })) }
        if let node = object["type"], node.elements.isEmpty {
            context.wrong("type", node, expected: "a type of JSON, or a list of them")
        }
        tests += Comparison.allCases.compactMap { comparison(object, $0) }
        if let pattern = pattern(object) { tests.append(.matches(pattern)) }
        if let node = object["not"] {
            if node.elements.isEmpty { context.wrong("not", node, expected: "a value, a condition, or a list of them") }
            tests.append(.not(test(node, "not")))
        }
        return tests.count == 1 ? tests[0] : .all(tests)
    }

    private func comparison(_ object: DefinitionObject, _ comparison: Comparison) -> ValueTest? {
        guard let node = object[comparison.rawValue] else { return nil }
        switch node.kind {
        case .number, .string: return context.literal(node, comparison.rawValue).map { .compares(comparison, $0) }
        default:
            context.wrong(comparison.rawValue, node, expected: "a number or a text")
            return nil
        }
    }

    private func pattern(_ object: DefinitionObject) -> String? {
        guard let node = object["match"], let pattern = context.text(node, "match") else { return nil }
        if let reason = context.checks.pattern(pattern) { context.mistake(reason, at: node.position) }
        return pattern
    }
}
