import SluiceRecords

/// Where the values of an entity's attributes and relationships go among the slots of ``Model/forProgram()``.
struct MemberSlots {
    /// Of one attribute or relationship.
    struct Place {
        /// One for an attribute, and as many as the identifier of its target has attributes for a relationship.
        var key: Range<Int>
        /// The slot for the name of the target's entity; nil: it is not named.
        var selector: Int?
        /// Whether there may be several values, or targets.
        var isMany = false
    }

    private var places: [ExactText: Place] = [:]

    init(_ entity: Entity) {
        var next = 0
        for attribute in entity.attributes {
            places[ExactText(attribute.name)] = Place(
                key: next..<next + 1, isMany: attribute.conversion.isMany)
            next += 1
        }
        for relationship in entity.relationships {
            let key = next..<next + relationship.key.count
            let selector = relationship.selector == nil ? nil : key.upperBound
            next = key.upperBound + (selector == nil ? 0 : 1)
            places[ExactText(relationship.name)] = Place(key: key, selector: selector, isMany: relationship.isMany)
        }
    }

    subscript(name: String) -> Place? { places[ExactText(name)] }
}
