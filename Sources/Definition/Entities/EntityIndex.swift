import SluiceExtract
import SluiceRecords

/// The entities of a pipeline as relationships need them: by name, with the types of their identifiers.
struct EntityIndex {
    let names: [String]
    private let areOfPrograms: [Bool]
    private let identifiers: [[Int]?]
    private let attributes: [[Attribute]]
    private let indices: [[UInt8]: Int]

    init(_ drafts: [UnlinkedEntity]) {
        names = drafts.map(\.entity.name)
        areOfPrograms = drafts.map(\.entity.isOfPrograms)
        identifiers = drafts.map(\.identifier)
        attributes = drafts.map(\.entity.attributes)
        indices = Dictionary(drafts.enumerated().map { (Array($1.entity.name.utf8), $0) }) { first, _ in first }
    }

    /// The entity of that name.
    func index(_ name: String, _ node: JSONNode, _ context: DefinitionContext) -> Int? {
        if let index = indices[Array(name.utf8)] { return index }
        context.unknown("entity", name, among: names, at: node.position)
        return nil
    }

    /// The types of an entity's identifier; nil: it has a mistake.
    func identifier(_ entity: Int) -> [Conversion]? {
        identifiers[entity].map { identifier in identifier.map { attributes[entity][$0].conversion } }
    }

    func isOfPrograms(_ entity: Int) -> Bool { areOfPrograms[entity] }

    /// An attribute that a reference may say something of; nil: there is a mistake.
    func attribute(_ member: JSONMember, of entity: Int, _ context: DefinitionContext) -> Attribute? {
        let index = attributes[entity].firstIndex { $0.name.utf8.elementsEqual(member.key.utf8) }
        guard let index else {
            context.unknown(
                "attribute of \(quoted(names[entity]))", member.key, among: attributes[entity].map(\.name),
                at: member.position)
            return nil
        }
        if identifiers[entity]?.contains(index) == true {
            context.mistake("the reference itself says what identifies its target", at: member.position)
            return nil
        }
        if attributes[entity][index].conversion.isMany {
            context.mistake("an attribute with \"many\" takes no value of a reference", at: member.position)
            return nil
        }
        return attributes[entity][index]
    }

    /// What is wanted of a reference to a target: its identifier.
    func wanted(_ target: Relationship.Target) -> WantedKey {
        let names = (identifiers[target.entity] ?? []).map { attributes[target.entity][$0].name }
        return WantedKey(
            conversions: target.conversions, described: described(target.entity, names, "is identified by"))
    }

    /// What is wanted of a reference that is found by other attributes.
    func wanted(_ way: Relationship.Way, of entity: Int) -> WantedKey {
        let names = way.attributes.map { attributes[entity][$0].name }
        return WantedKey(conversions: way.conversions, described: described(entity, names, "is looked for by"))
    }

    private func described(_ entity: Int, _ names: [String], _ verb: String) -> String {
        "\(quoted(self.names[entity])) \(verb) \(counted(names.count, "attribute")) (\(listed(names)))"
    }

    /// The way to a target by attributes that a definition names; nil: there is a mistake.
    func way(
        to target: Int, of entity: Int, by names: [(text: String, position: JSONPosition)],
        _ context: DefinitionContext
    ) -> Relationship.Way? {
        let found = names.compactMap { name, position -> Int? in
            let attribute = attributes[entity].firstIndex { $0.name.utf8.elementsEqual(name.utf8) }
            guard let attribute else {
                context.unknown(
                    "attribute of \(quoted(self.names[entity]))", name, among: attributes[entity].map(\.name),
                    at: position)
                return nil
            }
            if attributes[entity][attribute].conversion.type == .json {
                context.mistake("an attribute of the type json cannot identify anything", at: position)
                return nil
            }
            if attributes[entity][attribute].conversion.isMany {
                context.mistake("an attribute with \"many\" cannot identify anything", at: position)
                return nil
            }
            return attribute
        }
        guard found.count == names.count, let first = names.first else { return nil }
        if Set(found).count < found.count {
            context.mistake("an attribute is in this list twice", at: first.position)
            return nil
        }
        return Relationship.Way(
            target: target, attributes: found, isByIdentifier: found == identifiers[entity],
            conversions: found.map { attributes[entity][$0].conversion })
    }
}

/// The values that a reference needs, and what it needs them for, in a message.
struct WantedKey {
    var conversions: [Conversion]
    var described: String
}
