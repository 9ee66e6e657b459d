import SluiceExtract
import SluiceRecords

/// Reads the relationships of an entity, when the identifiers of all entities are known.
struct RelationshipReader {
    let context: DefinitionContext
    let paths: PathReader
    let slots: SlotTable
    let entities: EntityIndex

    /// The relationships of an entity, in their order. One that is wrong stands for itself.
    func relationships(of entity: DefinitionObject) -> [Relationship] {
        guard let node = entity["relationships"], let members = context.members(of: node, "\"relationships\"") else {
            return []
        }
        return members.map { relationship($0) }
    }

    private func relationship(_ member: JSONMember) -> Relationship {
        guard let object = RelationshipReader.object(member, in: context) else {
            return Relationship(name: member.key, targets: [], key: [])
        }
        if object.boolean("across") == true, let position = object.position(of: "across") {
            context.mistake(
                "\"across\" is for entities without \"records\": what is imported refers to objects of its own store",
                at: position)
            return Relationship(name: member.key, targets: [], key: [])
        }
        let isMany = object.boolean("many") ?? false
        var reader = ValueReader(
            context: context, paths: paths, slots: slots, ownName: member.key, isMany: isMany, canSplit: isMany)
        reader.hasLinks = true
        let lists = ListPaths()
        reader.lists = lists
        var relationship = Relationship(name: member.key, targets: [], key: [])
        if let to = object["to"], to.isWays {
            WayReader(context: context, entities: entities, keys: self).read(
                to, of: object, reader, into: &relationship)
        } else {
            readTargets(of: object, reader, into: &relationship)
        }
        relationship.isMany = isMany
        relationship.missing = object.choice("missing") ?? .null
        LinkReader(context: context, paths: paths, slots: slots, entities: entities).read(
            object, lists, into: &relationship)
        relationship.onDelete = object.choice("onDelete") ?? .nullify
        relationship.onAbsent = object.choice("onAbsent") ?? .keep
        relationship.was = object.texts("was").map(\.text)
        check(relationship, object)
        return relationship
    }

    /// The entities that it may lead to, and the value that says to which of their objects.
    private func readTargets(of object: DefinitionObject, _ reader: ValueReader, into relationship: inout Relationship)
    {
        let targets = object.required("to").flatMap { self.targets($0, ofPrograms: false) }
        var wanted = targets.map { $0.map(entities.wanted) }
        if object["by"] != nil {
            let way = targets.flatMap {
                WayReader(context: context, entities: entities, keys: self).way(by: object, to: $0)
            }
            relationship.ways = way.map { [$0] } ?? []
            wanted = way.flatMap { way in targets.map { [entities.wanted(way, of: $0[0].entity)] } }
        }
        relationship.targets = targets ?? []
        relationship.key = key(of: object, wanted, reader) ?? []
        var reader = reader
        reader.ownName = nil
        relationship.selector = selector(of: object, targets, reader)
    }

    /// The object of a relationship; nil: there is none, which is told.
    static func object(_ member: JSONMember, in context: DefinitionContext) -> DefinitionObject? {
        DefinitionObject(
            member.value, "the relationship \(quoted(member.key))", keys: DefinitionKeys.relationship, refused: refused,
            meant: meant, in: context)
    }

    /// The name of an entity stands for a reference to it, and a list of names for references to several.
    private static func meant(_ node: JSONNode) -> String? {
        if let object = node.asMember({ _ in "to" }) { return object }
        guard case .array(let elements) = node.kind, elements.count == 1 else { return nil }
        return elements[0].text.map { "{ \"to\": \(quoted($0)), \"many\": true }" }
    }

    private static let refused = [
        "required": "a relationship takes no \"required\": see \"missing\"",
        "type": "a relationship has the type of the identifier that it refers to: it takes no \"type\"",
    ]

    /// The entities of `to`; nil: there is a mistake.
    func targets(_ node: JSONNode, ofPrograms: Bool) -> [Relationship.Target]? {
        if node.elements.isEmpty { context.wrong("to", node, expected: "an entity, or a list of entities") }
        var seen: Set<Int> = []
        let targets = node.elements.compactMap { element -> Relationship.Target? in
            guard let name = context.text(element, "to", expected: "an entity, or a list of entities"),
                let index = entities.index(name, element, context)
            else {
                return nil
            }
            if entities.isOfPrograms(index), !ofPrograms {
                refuseTargetOfPrograms(name, at: element.position)
                return nil
            }
            guard seen.insert(index).inserted else {
                context.mistake("\(quoted(name)) is in this list twice", at: element.position)
                return nil
            }
            return entities.identifier(index).map { Relationship.Target(entity: index, conversions: $0) }
        }
        return targets.count == node.elements.count && !targets.isEmpty ? targets : nil
    }

    func refuseTargetOfPrograms(_ name: String, at position: JSONPosition) {
        context.mistake(
            "\(quoted(name)) has no \"records\": its objects belong to programs, and what is imported cannot refer"
                + " to them", at: position)
    }

    private func check(_ relationship: Relationship, _ object: DefinitionObject) {
        if object["default"] != nil, object["identifier"] == nil, relationship.key.first?.fallback != .null,
            let position = object.position(of: "onAbsent")
        {
            context.mistake("with a \"default\" nothing is absent: \"onAbsent\" has no effect", at: position)
        }
        guard let position = object["missing"]?.position else { return }
        if !relationship.ways.isEmpty { return checkMissing(relationship, at: position) }
        if relationship.targets.count > 1, relationship.missing.createsStubs, object["entity"] == nil {
            context.mistake("a stub needs its entity: with several in \"to\", add \"entity\"", at: position)
        }
    }

    /// Checks what is to be done where no way leads to a target.
    private func checkMissing(_ relationship: Relationship, at position: JSONPosition) {
        switch relationship.missing {
        case .null: break
        case .stub where relationship.targets.count > 1:
            context.mistake("a stub needs its entity: these ways lead to several", at: position)
        case .stub where !relationship.ways.contains(where: \.isByIdentifier):
            context.mistake("a stub needs its identifier, by which no way looks for it here", at: position)
        case .reject where !relationship.ways.allSatisfy(\.isByIdentifier):
            context.mistake(
                "\"missing\": \"reject\" needs references by the identifier: where other attributes lead is known only"
                    + " when all records are loaded", at: position)
        case .stub, .reject: break
        }
    }
}

extension RelationshipReader {
    /// The value of each identifying attribute of the target, or of what else is wanted of it.
    func key(of object: DefinitionObject, _ wanted: [WantedKey]?, _ reader: ValueReader) -> [ValueRule]? {
        if let node = object["identifier"] { return compound(node, object, wanted, reader) }
        guard let rule = reader.rule(of: object) else { return nil }
        guard let wanted else { return [rule] }
        for key in wanted where key.conversions.count > 1 {
            let position = object.position(of: "from") ?? object.position(of: "join") ?? object.position
            context.mistake(
                "\(key.described): instead of \"from\", give \"identifier\", a list of"
                    + " \(counted(key.conversions.count, "value"))", at: position)
            return nil
        }
        if wanted.count == 1 { reader.checkLiterals(of: rule, in: object.node, as: wanted[0].conversions[0]) }
        return [rule]
    }

    /// The key of targets that several attributes identify.
    private func compound(
        _ node: JSONNode, _ object: DefinitionObject, _ wanted: [WantedKey]?, _ reader: ValueReader
    ) -> [ValueRule]? {
        for key in DefinitionKeys.value {
            guard let position = object.position(of: key), !(key == "with" && object["with"]?.isObject == true) else {
                continue
            }
            let isOrigin = key == "from" || key == "join"
            context.mistake(
                isOrigin
                    ? "a relationship has either \"identifier\" or \(quoted(key))"
                    : "beside \"identifier\" there is no \(quoted(key)): it belongs into the list's values",
                at: position)
        }
        guard case .array = node.kind else {
            context.wrong("identifier", node, expected: "a list of values")
            return nil
        }
        var reader = reader
        reader.ownName = nil
        reader.canSplit = false
        guard let rules = reader.values(node, "identifier"), let wanted else { return nil }
        for key in wanted where key.conversions.count != rules.count {
            context.mistake(
                "\(key.described): this list has \(counted(rules.count, "value"))", at: node.position)
            return nil
        }
        if wanted.count == 1 {
            for (part, rule) in rules.enumerated() {
                reader.checkLiterals(of: rule, in: node.elements[part], as: wanted[0].conversions[part])
            }
        }
        return rules
    }

    /// The value that names the target's entity.
    private func selector(
        of object: DefinitionObject, _ targets: [Relationship.Target]?, _ reader: ValueReader
    ) -> ValueRule? {
        guard let node = object["entity"] else { return nil }
        let rule = reader.value(node, "entity")
        guard let targets else { return rule }
        guard targets.count > 1 else {
            let position = object.position(of: "entity") ?? node.position
            context.mistake("\"entity\" chooses from several entities: \"to\" has one", at: position)
            return nil
        }
        checkChoices(node, targets)
        return rule
    }

    /// Checks that `map` and `default` name entities of `to`.
    private func checkChoices(_ node: JSONNode, _ targets: [Relationship.Target]) {
        var given: [JSONNode] = []
        if let node = node["default"] { given.append(node) }
        if let map = node["map"], case .object(let members) = map.kind { given += members.map(\.value) }
        let names = targets.map { entities.names[$0.entity] }
        for node in given where !context.isUnset(node) {
            if case .null = node.kind { continue }
            if let name = node.text, names.contains(where: { $0.utf8.elementsEqual(name.utf8) }) { continue }
            guard let name = node.text else {
                context.wrong("entity", node, expected: "the name of an entity")
                continue
            }
            context.unknown("entity in \"to\" called", name, among: names, at: node.position)
        }
    }
}
