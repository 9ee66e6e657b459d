import SluiceRecords

extension SeedModel {
    /// What a program requires and this model does not have, a sentence each with both sides; empty where it fits.
    ///
    /// - Parameter holder: what the model is of.
    package func contradictions(requiredBy required: SeedModel, holder: String = "the seed") -> [String] {
        required.entities.flatMap { need -> [String] in
            guard let entity = entities.first(where: { $0.name.isIdentical(to: need.name) }) else {
                return ["the entity \(need.name) is required, and \(holder) does not have it"]
            }
            return entity.contradictions(requiredBy: need, holder)
        }
    }
}

extension SeedEntity {
    fileprivate func contradictions(requiredBy need: SeedEntity, _ holder: String) -> [String] {
        var found: [String] = []
        if !table.isIdentical(to: need.table) {
            found.append("\(name): the table \(need.table) is required, and \(holder) has \(table)")
        }
        if !identifier.elementsEqual(need.identifier, by: { $0.isIdentical(to: $1) }) {
            let (wanted, own) = (need.identifier.joined(separator: ", "), identifier.joined(separator: ", "))
            found.append("\(name): the identifier \(wanted) is required, and \(holder) has \(own)")
        }
        for wanted in need.attributes {
            let own = attributes.first { $0.name.isIdentical(to: wanted.name) }
            if own?.type == wanted.type { continue }
            let has = own.map { "has \($0.type)" } ?? "does not have it"
            found.append("\(name).\(wanted.name): \(wanted.type) is required, and \(holder) \(has)")
        }
        for wanted in need.relationships {
            let own = relationships.first { $0.name.isIdentical(to: wanted.name) }
            if let own, own.described == wanted.described { continue }
            let has = own.map { "has one \($0.described)" } ?? "does not have it"
            found.append("\(name).\(wanted.name): a relationship \(wanted.described) is required, and \(holder) \(has)")
        }
        for (key, wanted, own) in [("search", need.search, search), ("near", need.near, near)] {
            guard let wanted, own?.isIdentical(to: wanted) != true else { continue }
            found.append("\(name): \(key) \(wanted) is required, and \(holder) has \(own ?? "none")")
        }
        return found
    }
}

extension SeedEntity.Relationship {
    fileprivate var described: String {
        "to \(isMany ? "many " : "")\(targets.joined(separator: ", "))"
    }
}
