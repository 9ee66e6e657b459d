import SluiceExtract

@testable import SluiceDefinition

/// The keys that examples of definitions have, by the objects of `DefinitionKeys`.
struct ExampleKeys {
    private(set) var keys: [String: Set<String>] = [:]

    /// Takes in an example: a definition, or members of one of its objects, which its first line names.
    mutating func note(_ block: String) throws {
        if block.hasPrefix("{\n") { return pipeline(try ExampleKeys.tree(block)) }
        let root = try ExampleKeys.tree("{ \(block) }")
        switch block.dropFirst(3).prefix(while: { $0 != "\n" }) {
        case "pipeline": pipeline(root)
        case "source": source(root)
        case "entities": each(root) { $0.entity($1) }
        case "entity": entity(root)
        case "attributes": each(root) { $0.attribute($1) }
        default: each(root) { $0.relationship($1) }
        }
    }

    private static func tree(_ text: String) throws -> JSONNode {
        try JSONTree.read(Array(text.utf8), file: "example").root
    }

    private mutating func add(_ node: JSONNode, _ object: String) {
        guard case .object(let members) = node.kind else { return }
        keys[object, default: []].formUnion(members.map(\.key))
    }

    private mutating func each(_ node: JSONNode?, _ body: (inout ExampleKeys, JSONNode) -> Void) {
        guard let node else { return }
        switch node.kind {
        case .object(let members): for member in members { body(&self, member.value) }
        case .array(let elements): for element in elements { body(&self, element) }
        default: break
        }
    }

    private mutating func pipeline(_ node: JSONNode) {
        add(node, "pipeline")
        for object in ["store", "limits", "archive", "ledger", "history", "seed"] {
            if let part = node[object] { add(part, object) }
        }
        each(node["checks"]) { $0.add($1, "check") }
        if let server = node["store"]?["postgresql"] { add(server, "postgresql") }
        if let after = node["after"] {
            add(after, "after")
            each(after) { $0.hooks($1) }
        }
        if let part = node["source"] { source(part) }
        each(node["sources"]) { $0.source($1) }
        each(node["bases"]) { $0.entity($1) }
        each(node["entities"]) { $0.entity($1) }
    }

    /// A command is a list of texts or an object; there may be one or several.
    private mutating func hooks(_ node: JSONNode) {
        add(node, "hook")
        if case .array = node.kind { each(node) { $0.hooks($1) } }
    }

    private mutating func source(_ node: JSONNode) {
        add(node, "source")
        for object in ["auth", "pages", "fails", "since"] {
            if let part = node[object] { add(part, object) }
        }
        for object in ["basic", "aws", "oauth2"] {
            if let part = node["auth"]?[object] { add(part, object) }
        }
    }

    private mutating func entity(_ node: JSONNode) {
        add(node, "entity")
        if let search = node["search"] { add(search, "search") }
        for key in ["where", "deleteWhere"] { each(node[key]) { $0.conditions($1) } }
        each(node["attributes"]) { $0.attribute($1) }
        each(node["relationships"]) { $0.relationship($1) }
    }

    private mutating func conditions(_ node: JSONNode) {
        add(node, "condition")
        if case .array = node.kind { each(node) { $0.conditions($1) } }
    }

    private mutating func attribute(_ node: JSONNode) {
        add(node, "attribute")
        value(node)
    }

    private mutating func relationship(_ node: JSONNode) {
        add(node, "relationship")
        value(node)
        each(node["identifier"]) { $0.value($1) }
        if let selector = node["entity"] { value(selector) }
        if let to = node["to"], to.isWays { each(to) { $0.way($1) } }
    }

    /// The keys of a value, but for the name of the entity.
    private mutating func way(_ node: JSONNode) {
        for key in ["from", "join"] {
            if let part = node[key], case .array = part.kind { each(part) { $0.value($1) } }
        }
    }

    private mutating func value(_ node: JSONNode) {
        guard case .object = node.kind else { return }
        add(node, "value")
        for key in ["from", "join"] {
            guard let part = node[key] else { continue }
            value(part)
            if case .array = part.kind { each(part) { $0.value($1) } }
        }
    }
}
