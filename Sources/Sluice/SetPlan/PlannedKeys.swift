import SluiceDefinition
import SluiceExtract
import SluiceRecords

/// The keys of a definition that plans refuse, see ``PlanKeys``.
struct PlannedKeys {
    /// In which it is written out what entities have in common.
    let tree: JSONTree

    func refused() -> [Failure] {
        var found = keys(of: tree.root, "pipeline")
        if let source = tree.root["source"] { found += keys(of: source, "source") }
        for member in members("sources", of: tree.root) { found += keys(of: member.value, "source") }
        if let store = tree.root["store"] {
            found += keys(of: store, "store")
            if let server = store["postgresql"] { found += keys(of: server, "postgresql") }
        }
        if let limits = tree.root["limits"] { found += keys(of: limits, "limits") }
        for member in members("entities", of: tree.root) { found += keys(ofEntity: member.value) }
        return found
    }

    private func keys(ofEntity entity: JSONNode) -> [Failure] {
        var found = keys(of: entity, "entity")
        for member in members("attributes", of: entity) { found += keys(of: member.value, "attribute") }
        for member in members("relationships", of: entity) { found += keys(of: member.value, "relationship") }
        return found
    }

    private func keys(of node: JSONNode, _ object: String) -> [Failure] {
        node.members.compactMap { member in
            PlanKeys.refusal(object, member.key).map { why in
                Failure(
                    .definition, "a plan does not do \(quoted(member.key)): \(why)", at: tree.place(member.position))
            }
        }
    }

    private func members(_ key: String, of node: JSONNode) -> [JSONMember] { node[key]?.members ?? [] }
}
