import SluiceExtract
import SluiceRecords

/// Reads what is said of the links of a relationship: whether they are a set, what each has of its own, and what is
/// said of the stubs that they lead to.
struct LinkReader {
    let context: DefinitionContext
    let paths: PathReader
    let slots: SlotTable
    let entities: EntityIndex

    /// - Parameter lists: the paths into lists of the values that say what the relationship is to.
    func read(_ object: DefinitionObject, _ lists: ListPaths, into relationship: inout Relationship) {
        relationship.isSet = object.boolean("set") ?? true
        let with = object["with"].flatMap { $0.isObject ? $0 : nil }
        guard relationship.isMany else {
            readStub(object, lists, ListPaths(), into: &relationship)
            for key in ["set", "with"] where key == "set" || with != nil {
                if let position = object.position(of: key) { context.mistake(ValueReader.needsMany(key), at: position) }
            }
            return
        }
        let values = ListPaths()
        if let with { relationship.values = self.values(with, relationship, lists, values) }
        readStub(object, lists, values, into: &relationship)
        ElementReader(slots: slots).gather(lists, values, in: &relationship)
        guard relationship.elements == nil, !lists.entries.isEmpty else { return }
        for (key, isSaid) in [("with", !relationship.values.isEmpty), ("stub", !relationship.stub.isEmpty)] where isSaid
        {
            guard let node = object[key] else { continue }
            context.mistake(
                "\(quoted(key)) needs links that are elements of one list: their paths have none in common",
                at: node.position)
        }
    }

    // MARK: Stubs

    private func readStub(
        _ object: DefinitionObject, _ lists: ListPaths, _ values: ListPaths, into relationship: inout Relationship
    ) {
        guard let node = object["stub"], let position = object.position(of: "stub") else { return }
        guard relationship.missing.createsStubs else {
            return context.mistake("\"stub\" needs \"missing\": \"stub\"", at: position)
        }
        guard relationship.targets.count == 1 else {
            // With none, there is a mistake in it.
            if relationship.targets.isEmpty { return }
            return context.mistake("\"stub\" is about one entity: \"to\" has several", at: position)
        }
        guard isOfElements("stub", node, relationship), let members = context.members(of: node, "\"stub\"") else {
            return
        }
        if members.isEmpty {
            context.mistake("\"stub\" names attributes of the target: it cannot be empty", at: node.position)
        }
        let target = relationship.targets[0].entity
        relationship.stub = members.compactMap { member in
            guard var attribute = entities.attribute(member, of: target, context) else { return nil }
            var reader = ValueReader(context: context, paths: paths, slots: slots, ownName: member.key)
            (reader.element, reader.lists, reader.isMany) = (lists.element, values, lists.element != nil)
            reader.json = attribute.conversion.type == .json
            guard let rule = reader.value(member.value, member.key) else { return nil }
            reader.checkLiterals(of: rule, in: member.value, as: attribute.conversion)
            attribute.value = rule
            attribute.required = false
            return attribute
        }
    }

    /// Whether links come of elements, which can have more than what says to what they are.
    private func isOfElements(_ key: String, _ node: JSONNode, _ relationship: Relationship) -> Bool {
        let rules = relationship.key + (relationship.selector.map { [$0] } ?? [])
        guard relationship.isMany, let other = rules.lazy.compactMap(\.withoutElement).first else { return true }
        context.mistake(
            "\(quoted(key)) needs links that are elements of a list: not with \(quoted(other))", at: node.position)
        return false
    }

    // MARK: What links have

    private func values(_ with: JSONNode, _ relationship: Relationship, _ lists: ListPaths, _ values: ListPaths)
        -> [Attribute]
    {
        guard isOfElements("with", with, relationship) else { return [] }
        guard let members = context.members(of: with, "\"with\"") else { return [] }
        if members.isEmpty {
            context.mistake("\"with\" names what each link has: it cannot be empty", at: with.position)
        }
        var reader = AttributeReader(context: context, paths: paths, slots: slots)
        reader.link = (lists.element, values)
        return members.map { member in
            check(member)
            return reader.attribute(member)
        }
    }

    /// The columns that every table of links has, or may have.
    static let ownColumns = ["source", "target", "target_entity", "position"]

    /// Checks the name of a column of the links' table.
    private func check(_ member: JSONMember) {
        let folded = NameChecks.folded(member.key)
        let own = LinkReader.ownColumns.contains { folded == Array($0.utf8) }
        if let reason = own ? "is a name that the table of links needs for itself" : NameChecks.wrong(member.key) {
            context.mistake("\(quoted(member.key)) \(reason)", at: member.position)
        }
    }
}

extension ValueRule {
    /// The key by which it, or a part of it, becomes values that are in no element; nil: there is none.
    fileprivate var withoutElement: String? {
        if splits { return matches == nil ? "split" : "matches" }
        switch origin {
        case .oneOrMany: return "oneOrMany"
        case .slot, .constant, .line, .fileName: return nil
        case .first(let rules), .joined(let rules, _): return rules.lazy.compactMap(\.withoutElement).first
        case .elements(_, let rule, _): return rule.withoutElement
        }
    }
}
