import SluiceRecords

extension EntityDescription {
    /// Each entity of which some pipeline wants a view, once, with all that some pipeline says of it.
    package static func viewed(_ descriptions: [EntityDescription]) -> [EntityDescription] {
        joined(descriptions).filter(\.isViewed)
    }

    /// Each entity once, with all that some pipeline says of it.
    package static func joined(_ descriptions: [EntityDescription]) -> [EntityDescription] {
        var entities: [EntityDescription] = []
        var indices: [ExactText: Int] = [:]
        for description in descriptions {
            if let index = indices[ExactText(description.name)] {
                entities[index].add(description)
            } else {
                indices[ExactText(description.name)] = entities.count
                entities.append(description)
            }
        }
        return entities
    }

    /// Takes over what another pipeline says of the same entity besides.
    private mutating func add(_ other: EntityDescription) {
        isViewed = isViewed || other.isViewed
        attributes.removeAll(where: \.isLost)
        relationships.removeAll(where: \.isLost)
        let known = parts
        attributes += other.attributes.filter { !$0.isLost && known[FoldedName($0.name)] == nil }
        relationships += other.relationships.filter { !$0.isLost && known[FoldedName($0.name)] == nil }
    }
}
