import SluiceExtract
import SluiceRecords

/// Reads what is said of the links of a to-many relationship: whether they are a set, and what each has of its own.
struct LinkReader {
    let context: DefinitionContext
    let paths: PathReader
    let slots: SlotTable

    /// - Parameter lists: the paths into lists of the values that say what the relationship is to.
    func read(_ object: DefinitionObject, _ lists: ListPaths, into relationship: inout Relationship) {
        relationship.isSet = object.boolean("set") ?? true
        let with = object["with"].flatMap { $0.isObject ? $0 : nil }
        guard relationship.isMany else {
            for key in ["set", "with"] where key == "set" || with != nil {
                if let position = object.position(of: key) { context.mistake(ValueReader.needsMany(key), at: position) }
            }
            return
        }
        let values = ListPaths()
        if let with { relationship.values = self.values(with, relationship, lists, values) }
        ElementReader(slots: slots).gather(lists, values, in: &relationship)
        if let with, !relationship.values.isEmpty, relationship.elements == nil, !lists.entries.isEmpty {
            context.mistake(
                "\"with\" needs links that are elements of one list: their paths have none in common", at: with.position
            )
        }
    }

    private func values(_ with: JSONNode, _ relationship: Relationship, _ lists: ListPaths, _ values: ListPaths)
        -> [Attribute]
    {
        let rules = relationship.key + (relationship.selector.map { [$0] } ?? [])
        if let key = rules.lazy.compactMap(\.withoutElement).first {
            context.mistake(
                "\"with\" needs links that are elements of a list: not with \(quoted(key))", at: with.position)
            return []
        }
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

    /// Checks the name of a column of the links' table.
    private func check(_ member: JSONMember) {
        let folded = NameChecks.folded(member.key)
        let own = ["source", "target", "target_entity", "position"].contains { folded == Array($0.utf8) }
        if let reason = own ? "is a name that the table of links needs for itself" : NameChecks.wrong(member.key) {
            context.mistake("\(quoted(member.key)) \(reason)", at: member.position)
        }
    }
}

extension ValueRule {
    /// The key by which it, or a part of it, becomes values that are in no element; nil: there is none.
    fileprivate var withoutElement: String? {
        if splits { return "split" }
        switch origin {
        case .oneOrMany: return "oneOrMany"
        case .slot, .constant, .line, .fileName: return nil
        case .first(let rules), .joined(let rules, _): return rules.lazy.compactMap(\.withoutElement).first
        case .elements(_, let rule, _): return rule.withoutElement
        }
    }
}
