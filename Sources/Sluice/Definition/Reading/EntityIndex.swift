import SluiceExtract
import SluiceRecords

/// The entities of a pipeline as relationships need them: by name, with the types of their identifiers.
struct EntityIndex {
    let names: [String]
    private let areOfPrograms: [Bool]
    private let identifiers: [[(name: String, conversion: Conversion)]?]
    private let indices: [[UInt8]: Int]

    init(_ drafts: [EntityDraft]) {
        names = drafts.map(\.entity.name)
        areOfPrograms = drafts.map(\.entity.isOfPrograms)
        identifiers = drafts.map { draft in
            guard let identifier = draft.identifier else { return nil }
            return identifier.map { index in
                (draft.entity.attributes[index].name, draft.entity.attributes[index].conversion)
            }
        }
        indices = Dictionary(drafts.enumerated().map { (Array($1.entity.name.utf8), $0) }) { first, _ in first }
    }

    /// The entity of that name.
    func index(_ name: String, _ node: JSONNode, _ context: DefinitionContext) -> Int? {
        if let index = indices[Array(name.utf8)] { return index }
        context.unknown("entity", name, among: names, at: node.position)
        return nil
    }

    /// The types of an entity's identifier; nil: it has a mistake.
    func identifier(_ entity: Int) -> [Conversion]? { identifiers[entity]?.map(\.conversion) }

    func isOfPrograms(_ entity: Int) -> Bool { areOfPrograms[entity] }

    /// What identifies a target, for a message.
    func described(_ target: Relationship.Target) -> String {
        let attributes = identifiers[target.entity] ?? []
        return "\(quoted(names[target.entity])) is identified by \(counted(attributes.count, "attribute"))"
            + " (\(listed(attributes.map(\.name))))"
    }
}
