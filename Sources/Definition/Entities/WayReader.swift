import SluiceExtract
import SluiceRecords

/// Reads in which ways a target is found: by other attributes than its identifier, and in several ways one after the
/// other.
struct WayReader {
    let context: DefinitionContext
    let entities: EntityIndex
    let keys: RelationshipReader

    /// `by`: the attributes by which the only target is found.
    func way(by object: DefinitionObject, to targets: [Relationship.Target]) -> Relationship.Way? {
        if targets.count > 1, let position = object.position(of: "by") {
            context.mistake(
                "\"by\" is about one entity: of several, give each a way of its own,"
                    + " \"to\": [{ \(quoted(entities.names[targets[0].entity])): …, \"from\": … }, …]", at: position)
            return nil
        }
        return entities.way(to: 0, of: targets[0].entity, by: object.texts("by"), context)
    }

    /// `to`: a way, or a list of ways.
    func read(
        _ to: JSONNode, of object: DefinitionObject, _ reader: ValueReader, into relationship: inout Relationship
    ) {
        for key in ["by", "entity"] + DefinitionKeys.way where !(key == "with" && object["with"]?.isObject == true) {
            guard let position = object.position(of: key) else { continue }
            context.mistake(
                "each way in \"to\" has a value of its own: beside it there is no \(quoted(key))", at: position)
        }
        var reader = reader
        reader.ownName = nil
        reader.hasLinks = false
        for element in to.elements { add(element, reader, to: &relationship) }
        let widths = Set(relationship.ways.map(\.attributes.count))
        if widths.count > 1 {
            context.mistake("the ways of one relationship look for as many attributes each", at: to.position)
        }
        // One that is wrong stands for nothing that could be right.
        if relationship.ways.count < to.elements.count || widths.count > 1 {
            (relationship.ways, relationship.key) = ([], [])
        }
    }

    private func add(_ node: JSONNode, _ reader: ValueReader, to relationship: inout Relationship) {
        guard
            let object = DefinitionObject(
                node, "a way of \"to\"", keys: DefinitionKeys.way + entities.names, in: context),
            let named = named(object), let entity = entities.index(named.key, named.value, context)
        else { return }
        if entities.isOfPrograms(entity) { return keys.refuseTargetOfPrograms(named.key, at: named.position) }
        let index = relationship.targets.firstIndex { $0.entity == entity } ?? relationship.targets.count
        let attributes = named.value.elements.compactMap { element in
            context.text(element, named.key, expected: "an attribute, or a list of attributes").map {
                (text: $0, position: element.position)
            }
        }
        if named.value.elements.isEmpty {
            context.wrong(named.key, named.value, expected: "an attribute, or a list of attributes")
        }
        guard attributes.count == named.value.elements.count,
            let way = entities.way(to: index, of: entity, by: attributes, context),
            let rules = keys.key(of: object, [entities.wanted(way, of: entity)], reader),
            let conversions = entities.identifier(entity)
        else { return }
        if index == relationship.targets.count {
            relationship.targets.append(Relationship.Target(entity: entity, conversions: conversions))
        }
        relationship.ways.append(way)
        relationship.key += rules
    }

    /// The only member that is called like an entity.
    private func named(_ object: DefinitionObject) -> JSONMember? {
        // By bytes: two spellings of one letter are two names.
        let known = Set(entities.names.map { ExactText($0) }).subtracting(DefinitionKeys.way.map { ExactText($0) })
        if case .object(let members) = object.node.kind {
            let named = members.filter { known.contains(ExactText($0.key)) }
            if named.count == 1 { return named[0] }
        }
        context.mistake(
            "a way of \"to\" names one entity, with the attribute by which its object is found:"
                + " { \"Airport\": \"iata\", \"from\": … }", at: object.position)
        return nil
    }
}

extension JSONNode {
    /// Whether it is a way to find a target, or a list with one.
    var isWays: Bool {
        elements.contains(where: \.isObject)
    }
}
