import SluiceExtract

/// As much of JSON Schema (draft 2020-12) as the schemas of the documentation use.
///
/// A keyword that is not known here is an error, so that no rule of the schema goes untested.
package struct Schema {
    package struct UnknownKeyword: Error, Equatable {
        package var keyword: String

        package init(keyword: String) { self.keyword = keyword }
    }

    private let root: JSONNode
    private let others: [String: JSONNode]

    /// - Parameter others: what references to other files mean, by their names.
    package init(_ root: JSONNode, others: [String: JSONNode] = [:]) {
        self.root = root
        self.others = others
    }

    package func accepts(_ value: JSONNode) throws -> Bool { try accepts(value, root) }

    private func accepts(_ value: JSONNode, _ schema: JSONNode) throws -> Bool {
        switch schema.kind {
        case .boolean(let isAny): return isAny
        case .object(let rules):
            // All of them, though one refuses: none may be unknown.
            return try rules.map { try holds($0, of: schema, for: value) }.allSatisfy { $0 }
        default: throw UnknownKeyword(keyword: schema.minified)
        }
    }

    private func holds(_ rule: JSONMember, of schema: JSONNode, for value: JSONNode) throws -> Bool {
        switch rule.key {
        case "$schema", "$id", "title", "description", "default", "$defs", "then", "else": return true
        case "$ref":
            if let other = others[rule.value.string] { return try Schema(other).accepts(value) }
            return try accepts(value, definition(rule.value))
        case "type": return rule.value.list.contains { isOfType(value, $0.minified) }
        case "enum": return rule.value.list.contains { $0.minified == value.minified }
        case "const": return rule.value.minified == value.minified
        case "allOf": return try rule.value.list.map { try accepts(value, $0) }.allSatisfy { $0 }
        case "anyOf": return try rule.value.list.map { try accepts(value, $0) }.contains(true)
        case "oneOf": return try rule.value.list.map { try accepts(value, $0) }.filter { $0 }.count == 1
        case "not": return try !accepts(value, rule.value)
        case "if":
            let branch = schema[try accepts(value, rule.value) ? "then" : "else"]
            return try branch.map { try accepts(value, $0) } ?? true
        default: break
        }
        switch value.kind {
        case .object(let members): return try holds(rule, of: schema, forMembers: members)
        case .array(let elements): return try holds(rule, forElements: elements)
        case .string(let text): return try holds(rule, forText: text)
        case .number(let number): return try holds(rule, forNumber: number)
        case .null, .boolean: return try isKnown(rule)
        }
    }

    private func holds(_ rule: JSONMember, of schema: JSONNode, forMembers members: [JSONMember]) throws -> Bool {
        switch rule.key {
        case "required": return rule.value.list.allSatisfy { key in members.contains { $0.key == key.string } }
        case "minProperties": return members.count >= rule.value.integer
        case "properties":
            return try members.allSatisfy { member in
                try rule.value[member.key].map { try accepts(member.value, $0) } ?? true
            }
        case "additionalProperties":
            return try members.allSatisfy { member in
                try schema["properties"]?[member.key] != nil || accepts(member.value, rule.value)
            }
        case "propertyNames":
            return try members.allSatisfy { try accepts(JSONNode(.string($0.key), at: $0.position), rule.value) }
        case "dependentRequired":
            return members.allSatisfy { member in
                (rule.value[member.key]?.list ?? []).allSatisfy { key in members.contains { $0.key == key.string } }
            }
        default: return try isKnown(rule)
        }
    }

    private func holds(_ rule: JSONMember, forElements elements: [JSONNode]) throws -> Bool {
        switch rule.key {
        case "items": return try elements.allSatisfy { try accepts($0, rule.value) }
        case "minItems": return elements.count >= rule.value.integer
        case "maxItems": return elements.count <= rule.value.integer
        default: return try isKnown(rule)
        }
    }

    private func holds(_ rule: JSONMember, forText text: String) throws -> Bool {
        switch rule.key {
        case "minLength": return text.unicodeScalars.count >= rule.value.integer
        case "pattern": return try text.firstMatch(of: Regex(rule.value.string)) != nil
        default: return try isKnown(rule)
        }
    }

    private func holds(_ rule: JSONMember, forNumber number: String) throws -> Bool {
        switch rule.key {
        case "minimum": return Double(number) ?? .nan >= Double(rule.value.integer)
        case "maximum": return Double(number) ?? .nan <= Double(rule.value.integer)
        default: return try isKnown(rule)
        }
    }

    /// A rule for values of other types holds for this one.
    private func isKnown(_ rule: JSONMember) throws -> Bool {
        let known = [
            "required", "minProperties", "properties", "additionalProperties", "propertyNames", "dependentRequired",
            "items", "minItems", "maxItems", "minLength", "pattern", "minimum", "maximum",
        ]
        guard known.contains(rule.key) else { throw UnknownKeyword(keyword: rule.key) }
        return true
    }

    private func definition(_ reference: JSONNode) throws -> JSONNode {
        let name = reference.string.dropFirst("#/$defs/".count)
        guard reference.string.hasPrefix("#/$defs/"), let schema = root["$defs"]?[String(name)] else {
            throw UnknownKeyword(keyword: "$ref \(reference.string)")
        }
        return schema
    }

    private func isOfType(_ value: JSONNode, _ type: String) -> Bool {
        switch (value.kind, type) {
        case (.null, "\"null\""), (.boolean, "\"boolean\""), (.number, "\"number\""), (.string, "\"string\""),
            (.array, "\"array\""), (.object, "\"object\""):
            true
        case (.number(let number), "\"integer\""): Double(number).map { $0 == $0.rounded() } ?? false
        default: false
        }
    }
}

extension JSONNode {
    /// The elements of an array, or the value itself.
    fileprivate var list: [JSONNode] {
        if case .array(let elements) = kind { return elements }
        return [self]
    }

    fileprivate var string: String {
        if case .string(let text) = kind { return text }
        return ""
    }

    fileprivate var integer: Int {
        if case .number(let number) = kind { return Int(number) ?? 0 }
        return 0
    }
}
