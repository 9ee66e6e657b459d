import SluiceExtract
import SluiceRecords

/// Reads an entity without `records`: its objects are those of programs, so nothing is said of records.
extension EntityReader {
    func programsDraft(_ member: JSONMember, _ object: DefinitionObject) -> UnlinkedEntity {
        let refusal = RecordKeys(context: context, entity: member.key)
        refusal.refuse(DefinitionKeys.entity, but: DefinitionKeys.entity(of: .programs), in: object.node)
        refusal.refuse(
            DefinitionKeys.attribute, but: DefinitionKeys.attribute(of: .programs), ofAllIn: object["attributes"])
        let reader = attributeReader(of: member)
        var draft = recordlessDraft(member, object, reader, slots: reader.slots)
        for (relationship, parts) in across(object, reader, refusal) {
            draft.entity.attributes += parts
            draft.across += parts.map { ($0.name, relationship.position) }
        }
        draft.entity.isOfPrograms = true
        readRest(of: object, into: &draft)
        // What the unique index serves needs none of its own.
        if let first = draft.identifier?.first { draft.entity.attributes[first].isIndexed = false }
        return draft
    }

    /// An entity to which references make stubs: it has no other objects.
    func stubsDraft(_ member: JSONMember, _ object: DefinitionObject) -> UnlinkedEntity {
        let refusal = RecordKeys(context: context, entity: member.key)
        let reason = { (key: String) in
            "\(quoted(key)) is about records, and the entity \(quoted(member.key)) has no \"records\": its objects are"
                + " stubs"
        }
        refusal.refuse(DefinitionKeys.entity, but: DefinitionKeys.entity(of: .stubs), in: object.node, reason: reason)
        refusal.refuse(
            DefinitionKeys.attribute, but: DefinitionKeys.attribute(of: .stubs), ofAllIn: object["attributes"])
        var draft = recordlessDraft(member, object, attributeReader(of: member), slots: SlotTable())
        draft.entity.absence.orphans = object.choice("orphans") ?? .keep
        readRest(of: object, into: &draft)
        return draft
    }

    private func attributeReader(of entity: JSONMember) -> AttributeReader {
        AttributeReader(
            context: context, paths: PathReader(context: context, entity: entity.key, records: []), slots: SlotTable())
    }

    /// An entity without records, with its attributes alone.
    private func recordlessDraft(
        _ member: JSONMember, _ object: DefinitionObject, _ reader: AttributeReader, slots: SlotTable
    ) -> UnlinkedEntity {
        let entity = Entity(
            name: member.key, sources: [], records: [], slots: [], identifier: [],
            attributes: reader.attributes(of: object))
        return UnlinkedEntity(
            position: member.position, object: object, entity: entity, identifier: nil, slots: slots,
            paths: reader.paths)
    }

    /// Reads what follows from the attributes, once all of them are there.
    private func readRest(of object: DefinitionObject, into draft: inout UnlinkedEntity) {
        for index in draft.entity.attributes.indices { draft.entity.attributes[index].value = .nothing }
        readSideIndexes(of: object, into: &draft.entity)
        draft.entity.table = object.text("table") ?? draft.entity.name
        draft.entity.was = object.texts("was").map(\.text)
        draft.identifier = identifier(of: object, draft.entity.attributes)
    }

    /// The references into other stores, each with its columns: these hold the target's identifier as attributes do.
    private func across(
        _ object: DefinitionObject, _ reader: AttributeReader, _ refusal: RecordKeys
    ) -> [(JSONMember, [Attribute])] {
        guard case .object(let members)? = object["relationships"]?.kind else { return [] }
        return members.filter(\.value.isAcross).map { member in
            refusal.refuse(["many"], but: [], in: member.value) { _ in
                "a reference into another store has one target: for several, give each an object of an entity between"
            }
            return (member, parts(of: member, reader))
        }
    }

    private func parts(of member: JSONMember, _ reader: AttributeReader) -> [Attribute] {
        // A reference with "many" was refused for a reason of its own.
        let keys = DefinitionKeys.relationship(of: .across) + ["many"]
        let what = "the relationship \(quoted(member.key))"
        guard let object = RelationshipReader.object(member, in: context) else { return [] }
        RecordKeys(context: context, entity: what).refuse(DefinitionKeys.relationship, but: keys, in: object.node) {
            "with \"across\" there is no \(quoted($0)): \"identifier\" says what identifies the target, and its types"
        }
        if let node = object.required("to") { _ = context.text(node, "to", expected: "the name of an entity") }
        guard let node = object.required("identifier"), let parts = context.members(of: node, "\"identifier\"") else {
            return []
        }
        if parts.isEmpty { context.mistake("\"identifier\" must hold at least one attribute", at: node.position) }
        let earlier = object.texts("was").map(\.text)
        return parts.map { part in
            RecordKeys(context: context, entity: what).refuse(
                DefinitionKeys.attribute, but: DefinitionKeys.attribute(of: .across), in: part.value
            ) { "a part of a target's identifier has a type, with its form, and no \(quoted($0))" }
            var attribute = reader.attribute(part)
            if attribute.conversion.type == .json {
                context.mistake("an attribute of the type json cannot identify anything", at: part.value.position)
            }
            let name = { (relationship: String) in parts.count == 1 ? relationship : "\(relationship)_\(part.key)" }
            attribute.name = name(member.key)
            attribute.was = earlier.map(name)
            attribute.isIndexed = true
            return attribute
        }
    }
}

extension RelationshipReader {
    /// The relationships of an entity of programs within its store.
    func programsRelationships(of entity: DefinitionObject) -> [Relationship] {
        guard let node = entity["relationships"], let members = context.members(of: node, "\"relationships\"") else {
            return []
        }
        return members.filter { !$0.value.isAcross }.map { member in
            guard let object = RelationshipReader.object(member, in: context) else {
                return Relationship(name: member.key, targets: [], key: [])
            }
            RecordKeys(context: context, entity: paths.entity).refuse(
                DefinitionKeys.relationship, but: DefinitionKeys.relationship(of: .programs), in: object.node)
            return relationship(member.key, object)
        }
    }

    private func relationship(_ name: String, _ object: DefinitionObject) -> Relationship {
        let targets = object.required("to").flatMap { self.targets($0, ofPrograms: true) } ?? []
        let count = targets.first?.conversions.count ?? 0
        if let other = targets.first(where: { $0.conversions.count != count }) {
            context.mistake(
                "\(entities.wanted(targets[0]).described), and \(entities.wanted(other).described): the targets of one relationship have"
                    + " as many", at: object.position)
        }
        let key = Array(repeating: ValueRule.nothing, count: count)
        var relationship = Relationship(name: name, targets: targets, key: key)
        // Which of several entities is meant is said: what waits for an object of one is not content with another's.
        if targets.count > 1 { relationship.selector = .nothing }
        relationship.isMany = object.boolean("many") ?? false
        relationship.was = object.texts("was").map(\.text)
        _ = object.boolean("across")
        return relationship
    }
}

/// The keys that say something of records, where there are none.
private struct RecordKeys {
    let context: DefinitionContext
    let entity: String

    func refuse(
        _ keys: [String], but allowed: [String], in node: JSONNode, reason: ((String) -> String)? = nil
    ) {
        guard case .object(let members) = node.kind else { return }
        for member in members where keys.contains(member.key) && !allowed.contains(member.key) {
            context.mistake(
                reason?(member.key)
                    ?? "\(quoted(member.key)) is about records, and the entity \(quoted(entity)) has no \"records\": its"
                    + " objects belong to programs", at: member.position)
        }
    }

    func refuse(_ keys: [String], but allowed: [String], ofAllIn node: JSONNode?) {
        guard case .object(let members)? = node?.kind else { return }
        for member in members { refuse(keys, but: allowed, in: member.value) }
    }
}

extension ValueRule {
    /// No record has it.
    fileprivate static let nothing = ValueRule(.constant(.null))
}

extension JSONNode {
    /// Whether a relationship leads into another store.
    fileprivate var isAcross: Bool { isTrue("across") }
}
