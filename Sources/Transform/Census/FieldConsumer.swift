import SluiceRecords

/// Something that looks for its value in records: an attribute, a relationship, or what a relationship says of each of
/// its links, or of stubs.
struct FieldConsumer {
    var name: String
    /// Where it looks for its value.
    var slots: [Int]
    /// Of what belongs to a link: where that looks for its target. nil: it belongs to the record.
    var links: [Int]?
    /// Whether it is a list.
    var isList = false

    /// All those of an entity, by names of which each is there once.
    static func all(of entity: Entity) -> [FieldConsumer] {
        var fields = entity.attributes.map {
            FieldConsumer(name: $0.name, slots: $0.value.slots, isList: $0.conversion.isMany)
        }
        fields += entity.relationships.map {
            FieldConsumer(name: $0.name, slots: $0.key.flatMap(\.slots), isList: $0.isMany)
        }
        var taken = Set(fields.map { ExactText($0.name) })
        for relationship in entity.relationships {
            let links = relationship.key.flatMap(\.slots)
            for (key, values) in [("with", relationship.values), ("stub", relationship.stub)] {
                for value in values {
                    var name = "\(relationship.name).\(key).\(value.name)"
                    // A definition may call an attribute so.
                    while !taken.insert(ExactText(name)).inserted { name += "'" }
                    fields.append(FieldConsumer(name: name, slots: value.value.slots, links: links))
                }
            }
        }
        return fields
    }
}

extension ValueRule {
    /// The slots that the value is made of.
    package var slots: [Int] {
        switch origin {
        case .slot(let slot): [slot]
        case .first(let rules), .joined(let rules, _): rules.flatMap(\.slots)
        case .elements(_, let rule, _): rule.slots
        case .oneOrMany(let one, let many, _): [one, many]
        case .constant, .line, .fileName: []
        }
    }
}
