import Records

extension WaitingValue {
    /// What a lost reference waits for: the identifier of its target, as records would name it.
    init(
        key: [Cell], target: Int, _ relationship: Relationship, _ model: Model, _ arena: Arena
    ) {
        let entity = relationship.targets[target].entity
        guard relationship.isPolymorphic, relationship.selector == nil else {
            self.init(
                json: arena.json(ofKey: key), target: relationship.selector == nil ? nil : model.entities[entity].name)
            return
        }
        // The first target that could have the identifier tells the value, as `TargetFinder.value` has it.
        let own = relationship.targets[target].conversions.map(\.stored)
        let forms = relationship.targets.lazy.compactMap { target in
            WaitingValue.converted(key, own, target.conversions.map(\.stored), arena)
        }
        self.init(json: forms.first ?? arena.json(ofKey: key), target: nil)
    }

    /// A key as the identifier of another target would be, as JSON.
    private static func converted(
        _ key: [Cell], _ own: [StoredForm], _ forms: [StoredForm], _ arena: Arena
    ) -> String? {
        var parts: [String] = []
        for (cell, (own, form)) in zip(key, zip(own, forms)) {
            if own == form {
                parts.append(arena.json(ofKey: [cell]))
                continue
            }
            // A number in minor units is no number that a feed writes.
            guard !own.isInteger, !form.isInteger else { return nil }
            switch (cell.kind, form.column) {
            case (.integer, .integer), (.real, .real), (.text, .text): parts.append(arena.json(ofKey: [cell]))
            case (.integer, .text): parts.append(JSONText.quoted(String(cell.integer)))
            case (.integer, .real): parts.append(String(Double(cell.integer)))
            case (.text, .integer):
                let text = arena.text(of: cell)
                guard let number = Int64(text), String(number) == text else { return nil }
                parts.append(text)
            default: return nil
            }
        }
        return parts.count == 1 ? parts[0] : JSONText.array(parts)
    }
}
