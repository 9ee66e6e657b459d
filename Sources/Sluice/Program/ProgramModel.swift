import SluiceRecords

extension Model {
    /// The model by which records are transformed whose values are the objects' own: each attribute and each part of a
    /// reference has a slot, in the order in which ``MemberSlots`` counts them, and nothing is done to its value.
    func forProgram() -> Model {
        Model(entities: entities.map { $0.forProgram() })
    }
}

extension Entity {
    fileprivate func forProgram() -> Entity {
        var entity = self
        entity.conditions = []
        entity.deletions = []
        var slots: [Slot] = []
        func plain(_ rule: ValueRule, _ name: String) -> ValueRule {
            slots.append(Slot(path: Path(root: .record, steps: [.name(name)])))
            var plain = ValueRule(.slot(slots.count - 1))
            plain.fallback = rule.fallback
            return plain
        }
        entity.attributes = attributes.map { attribute in
            var attribute = attribute
            attribute.value = plain(attribute.value, attribute.name)
            return attribute
        }
        entity.relationships = relationships.map { relationship in
            var relationship = relationship
            // The values of several targets stand side by side.
            relationship.elements = nil
            relationship.key = relationship.key.map { plain($0, relationship.name) }
            relationship.selector = relationship.selector.map { plain($0, relationship.name) }
            for index in relationship.stub.indices { relationship.stub[index].value = ValueRule(.constant(.null)) }
            for index in relationship.values.indices { relationship.values[index].value = ValueRule(.constant(.null)) }
            return relationship
        }
        entity.slots = slots
        return entity
    }
}
