import SluiceExtract
import SluiceRecords

/// A part of an entity's identifier.
enum IdentifierPart {
    /// An attribute, by index.
    case attribute(Int)
    /// A relationship; the position is that of its name in the identifier.
    case relationship(JSONMember, at: JSONPosition)

    var attribute: Int? {
        if case .attribute(let index) = self { return index }
        return nil
    }

    /// The attributes, if all parts are some.
    static func attributes(_ parts: [IdentifierPart]) -> [Int]? {
        let attributes = parts.compactMap(\.attribute)
        return attributes.count == parts.count ? attributes : nil
    }
}

/// Completes the identifiers that hold a relationship: what identifies its target is an attribute of the object, too.
///
/// An object is found by it before its target is there, and whether that ever comes.
struct IdentifyingReferences {
    let context: DefinitionContext
    private(set) var drafts: [UnlinkedEntity]
    /// The entities whose identifiers are being completed, from the first to the one that it needs last.
    private var open: [Int] = []

    init(_ drafts: [UnlinkedEntity], in context: DefinitionContext) {
        self.drafts = drafts
        self.context = context
    }

    mutating func complete() {
        for index in drafts.indices { complete(index) }
    }

    private mutating func complete(_ index: Int) {
        let parts = drafts[index].identifierParts
        guard !parts.isEmpty, drafts[index].identifier == nil else { return }
        // What cannot be completed is not tried again.
        drafts[index].identifierParts = []
        open.append(index)
        defer { open.removeLast() }
        var identifier: [Int] = []
        for part in parts {
            switch part {
            case .attribute(let attribute): identifier.append(attribute)
            case .relationship(let member, let position):
                guard let added = add(member, at: position, to: index) else { return }
                identifier += added
            }
        }
        drafts[index].identifier = identifier
    }

    /// Adds the attributes of a relationship that identifies; nil: there is a mistake.
    private mutating func add(_ member: JSONMember, at position: JSONPosition, to index: Int) -> [Int]? {
        guard let target = target(of: member, at: position) else { return nil }
        if open.contains(target) {
            let names = (open[(open.firstIndex(of: target) ?? 0)...] + [target]).map { drafts[$0].entity.name }
            context.mistake(
                "an object would identify itself: \(names.map(quoted).joined(separator: " is identified by "))",
                at: position)
            return nil
        }
        complete(target)
        guard let identifier = drafts[target].identifier else { return nil }
        let reader = RelationshipReader(
            context: context, paths: drafts[index].paths, slots: drafts[index].slots, entities: EntityIndex(drafts))
        guard let rules = reader.identifyingKey(member, of: target), rules.count == identifier.count else { return nil }
        return zip(identifier, rules).map { part, rule in
            let named = drafts[target].entity.attributes[part]
            var attribute = Attribute(
                name: "\(member.key)_\(named.name)", value: rule, conversion: named.conversion)
            let earlier = (member.value["was"]?.elements ?? []).compactMap(\.text)
            // Either may have had another name, or both.
            attribute.was = ([member.key] + earlier).flatMap { name in
                ([named.name] + named.was).map { "\(name)_\($0)" }
            }.filter { !$0.isIdentical(to: attribute.name) }
            drafts[index].across.append((attribute.name, position))
            drafts[index].entity.attributes.append(attribute)
            return drafts[index].entity.attributes.count - 1
        }
    }

    /// The only entity that a relationship leads to, by its identifier; nil: there is a mistake.
    private func target(of member: JSONMember, at position: JSONPosition) -> Int? {
        if member.value.isTrue("many") {
            context.mistake(
                "\(quoted(member.key)) may lead to several objects: what identifies an object leads to one",
                at: position)
            return nil
        }
        // A relationship without a target has a mistake of its own.
        guard let to = member.value["to"] else { return nil }
        guard !to.isWays, member.value["by"] == nil, to.elements.count == 1 else {
            context.mistake(
                "\(quoted(member.key)) is searched: what identifies an object leads to one entity, by its identifier",
                at: position)
            return nil
        }
        return to.elements[0].text.flatMap { name in
            drafts.firstIndex { $0.entity.name.utf8.elementsEqual(name.utf8) && !$0.entity.isOfPrograms }
        }
    }
}

extension RelationshipReader {
    /// The values of the identifier of a relationship's target; nil: there is a mistake, which is told when the
    /// relationship is read.
    fileprivate func identifyingKey(_ member: JSONMember, of entity: Int) -> [ValueRule]? {
        guard let conversions = entities.identifier(entity),
            let object = RelationshipReader.object(member, in: context)
        else { return nil }
        if let position = object.position(of: "onAbsent") {
            context.mistake(
                "a record in which an identifier is absent is a reject: \"onAbsent\" has no effect", at: position)
        }
        let reader = ValueReader(
            context: context, paths: paths, slots: slots, ownName: member.key, isMany: false, canSplit: false)
        let target = Relationship.Target(entity: entity, conversions: conversions)
        return key(of: object, [entities.wanted(target)], reader)
    }
}
