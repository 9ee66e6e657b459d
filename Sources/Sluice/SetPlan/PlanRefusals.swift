import SluiceColumns
import SluiceExtract
import SluiceRecords

/// Finds what a plan cannot do of a definition, each with its place.
struct PlanRefusals {
    let definition: PipelineDefinition

    private var tree: JSONTree { definition.tree }
    private var model: Model { definition.model }

    /// All that is refused.
    func found() -> [Failure] {
        var found = keys() + values()
        // What the model says of itself counts where its parts are such as a plan knows.
        if found.isEmpty { found = entities() + cycles() + names() }
        return found
    }

    private func refusal(_ what: String, _ why: String, at position: JSONPosition) -> Failure {
        Failure(.definition, "a plan does not do \(what): \(why)", at: tree.place(position))
    }

    private func refusal(_ what: String, _ why: String, at keys: String...) -> Failure {
        Failure(.definition, "a plan does not do \(what): \(why)", at: tree.place(keys))
    }

    // MARK: Keys

    private func keys() -> [Failure] {
        var found = keys(of: tree.root, "pipeline")
        if let source = tree.root["source"] { found += keys(of: source, "source") }
        for member in members(tree.root["sources"]) { found += keys(of: member.value, "source") }
        if let store = tree.root["store"] { found += keys(of: store, "store") }
        if let limits = tree.root["limits"] { found += keys(of: limits, "limits") }
        for member in members(tree.root["entities"]) { found += keys(ofEntity: member.value) }
        return found
    }

    private func keys(ofEntity entity: JSONNode) -> [Failure] {
        var found = keys(of: entity, "entity")
        for member in members(entity["attributes"]) { found += keys(of: member.value, "attribute") }
        for member in members(entity["relationships"]) { found += keys(of: member.value, "relationship") }
        return found
    }

    private func keys(of node: JSONNode, _ object: String) -> [Failure] {
        members(node).compactMap { member in
            PlanKeys.refusal(object, member.key).map { refusal(quoted(member.key), $0, at: member.position) }
        }
    }

    private func members(_ node: JSONNode?) -> [JSONMember] {
        guard case .object(let members)? = node?.kind else { return [] }
        return members
    }

    // MARK: Values

    private func values() -> [Failure] {
        var found: [Failure] = []
        if definition.commit == .batch {
            found.append(refusal("\"commit\": \"batch\"", "a version is whole or is not there", at: "commit"))
        }
        if case .count = definition.limits.missing {
            found.append(refusal("the limit \"missing\"", drift, at: "limits", "missing"))
        }
        for (index, source) in definition.sources.enumerated() where source.location == .file("-") {
            let name = definition.node("source") == nil ? ["sources", source.name] : ["source"]
            _ = index
            found.append(
                Failure(
                    .definition, "a plan does not do standard input: feeds are files that all workers see",
                    at: tree.place(name + ["file"])))
        }
        return found
    }

    private var drift: String { "drift is not told, as nobody looks at all records together" }

    // MARK: The model

    private func entities() -> [Failure] {
        var found: [Failure] = []
        for entity in model.entities {
            if entity.isOfPrograms {
                found.append(
                    refusal(
                        "the entity \(quoted(entity.name))", "its objects are those of programs", at: "entities",
                        entity.name))
            }
            if case .count? = definition.limits.entities[ExactText(entity.name)]?.missing {
                found.append(refusal("the limit \"missing\"", drift, at: "entities", entity.name, "limits", "missing"))
            }
            for relationship in entity.relationships { found += self.relationship(relationship, of: entity) }
        }
        return found
    }

    private func relationship(_ relationship: Relationship, of entity: Entity) -> [Failure] {
        let keys = ["entities", entity.name, "relationships", relationship.name, "to"]
        func refused(_ what: String, _ why: String) -> [Failure] {
            [Failure(.definition, "a plan does not do \(what): \(why)", at: tree.place(keys))]
        }
        if !relationship.ways.isEmpty { return refused("ways in \"to\"", "references are found by identifiers only") }
        if !relationship.values.isEmpty {
            let place = tree.place(keys.dropLast() + ["with"])
            return [Failure(.definition, "a plan does not do \"with\": links have no values in a plan", at: place)]
        }
        let deletes = PlanDeletability(model).deletes
        let forms = Set(relationship.targets.map { $0.conversions.map(\.stored) })
        if relationship.isSearched, forms.count > 1, relationship.targets.contains(where: { deletes[$0.entity] }) {
            return refused(
                "a search in entities whose objects may be deleted and whose identifiers differ in type",
                "say which entity is meant with \"entity\"")
        }
        return []
    }

    private func cycles() -> [Failure] {
        var found: [Failure] = []
        if let (entity, relationship) = PlanNeeds(model).cycle {
            found.append(cycle(entity, relationship, "missing", "\"missing\": \"reject\""))
        }
        if let (entity, relationship) = PlanDeletability(model).cycle {
            found.append(cycle(entity, relationship, "onDelete", "\"onDelete\": \"cascade\""))
        }
        return found
    }

    private func cycle(_ entity: Int, _ relationship: Int, _ key: String, _ what: String) -> Failure {
        let entity = model.entities[entity]
        let name = entity.relationships[relationship].name
        return refusal(
            "\(what) in a cycle", "the relationship \(quoted(name)) leads back to \(quoted(entity.name))",
            at: "entities", entity.name, "relationships", name, key)
    }

    // MARK: Names

    /// Names that are one to an engine: they do not tell small letters from capital ones.
    private func names() -> [Failure] {
        var found: [Failure] = []
        if let twin = twin(model.entities.map(\.name)) {
            found.append(
                refusal("the entity \(quoted(twin))", "another one has its name in other letters", at: "entities", twin)
            )
        }
        for entity in model.entities {
            if let twin = twin(RecordColumns(entity, model: model).columns.map(\.name) + ["objectID", "sluice_stub"]) {
                found.append(
                    refusal(
                        "the entity \(quoted(entity.name))", "two of its columns would be called \(quoted(twin))",
                        at: "entities", entity.name))
            }
        }
        return found
    }

    private func twin(_ names: [String]) -> String? {
        var met: Set<ExactText> = []
        return names.first { !met.insert(ExactText($0.lowercased())).inserted }
    }
}

extension JSONTree {
    /// The attributes that are all that records have, in a definition as it is written.
    func openAttributes() -> Failure? {
        for section in ["bases", "entities"] {
            guard case .object(let members)? = root[section]?.kind else { continue }
            for member in members {
                guard let attributes = member.value["attributes"], let star = attributes.star else { continue }
                return Failure(
                    .definition, "a plan does not do \"*\": it needs all attributes by name", at: place(star))
            }
        }
        return nil
    }
}

extension JSONNode {
    /// Where all members are asked for, in the attributes of an entity.
    fileprivate var star: JSONPosition? {
        if text == "*" { return position }
        guard case .object(let members) = kind else { return nil }
        return members.first { $0.key == "*" }?.position
    }
}
