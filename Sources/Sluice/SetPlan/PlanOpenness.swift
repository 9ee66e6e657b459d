import SluiceDefinition
import SluiceExtract
import SluiceRecords

/// Entities with all attributes that their records have (`"*"`). Only the feeds tell which these are, and a plan is
/// made without them. So such entities are refused by the text of the definition, together with everything else that is
/// refused.
struct PlanOpenness {
    /// As it is written.
    let tree: JSONTree

    /// All that is refused in a definition with such entities; nothing where there is none.
    func refused() -> [Failure] {
        let stars = sections.flatMap { section in (tree.root[section]?.members ?? []).compactMap { $0.value.star } }
        if stars.isEmpty { return [] }
        let open = stars.map { star in
            Failure(.definition, "a plan does not do \"*\": \(KeyTable.attributesByName)", at: tree.place(star))
        }
        var written = tree
        written.root = LikeReader(context: DefinitionContext(tree, checks: DefinitionChecks())).expanded(tree.root)
        return PlanRefusals.once(open + PlannedKeys(tree: written).refused() + ofTheRest())
    }

    private var sections: [String] { ["bases", "entities"] }

    /// What is refused besides, if the attributes that are named make a definition.
    private func ofTheRest() -> [Failure] {
        var rest = tree
        if case .object(var members) = rest.root.kind {
            for index in members.indices where sections.contains(members[index].key) {
                guard case .object(var entities) = members[index].value.kind else { continue }
                for place in entities.indices { entities[place].value = entities[place].value.withoutStar }
                members[index].value.kind = .object(entities)
            }
            rest.root.kind = .object(members)
        }
        let definition = try? PipelineDefinition.read(rest, environment: [:], checks: DefinitionChecks())
        return definition.map { PlanRefusals(definition: $0).found() } ?? []
    }
}

extension JSONNode {
    /// The place at which an entity requests all members.
    fileprivate var star: JSONPosition? {
        guard let attributes = self["attributes"] else { return nil }
        if attributes.text == "*" { return attributes.position }
        return attributes.members.first(where: \.isStar)?.position
    }

    /// An entity with the attributes alone that it names.
    fileprivate var withoutStar: JSONNode {
        guard case .object(let members) = kind else { return self }
        var kept = members.filter { !["except", "drift"].contains($0.key) }
        for index in kept.indices where kept[index].key == "attributes" {
            let attributes = kept[index].value
            kept[index].value = JSONNode(.object(attributes.members.filter { !$0.isStar }), at: attributes.position)
        }
        return JSONNode(.object(kept), at: position)
    }
}

extension JSONMember {
    fileprivate var isStar: Bool { key == "*" && value.text == "*" }
}
