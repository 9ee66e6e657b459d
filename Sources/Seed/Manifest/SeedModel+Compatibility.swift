import SluiceRecords

extension SeedModel {
    /// What a program requires and this model does not have, a sentence each with both sides; empty where it fits.
    package func contradictions(requiredBy required: SeedModel) -> [String] {
        required.entities.flatMap { need -> [String] in
            guard let entity = entities.first(where: { $0.name.isIdentical(to: need.name) }) else {
                return ["the entity \(need.name) is required, and the seed does not have it"]
            }
            return entity.contradictions(requiredBy: need)
        }
    }
}

extension SeedEntity {
    fileprivate func contradictions(requiredBy need: SeedEntity) -> [String] {
        var found: [String] = []
        if !table.isIdentical(to: need.table) {
            found.append("\(name): the table \(need.table) is required, and the seed has \(table)")
        }
        if !identifier.elementsEqual(need.identifier, by: { $0.isIdentical(to: $1) }) {
            let (wanted, own) = (need.identifier.joined(separator: ", "), identifier.joined(separator: ", "))
            found.append("\(name): the identifier \(wanted) is required, and the seed has \(own)")
        }
        for wanted in need.attributes {
            let own = attributes.first { $0.name.isIdentical(to: wanted.name) }
            if own?.type == wanted.type { continue }
            let has = own.map { "has \($0.type)" } ?? "does not have it"
            found.append("\(name).\(wanted.name): \(wanted.type) is required, and the seed \(has)")
        }
        for wanted in need.relationships {
            let own = relationships.first { $0.name.isIdentical(to: wanted.name) }
            if let own, own.described == wanted.described { continue }
            let has = own.map { "has one \($0.described)" } ?? "does not have it"
            found.append("\(name).\(wanted.name): a relationship \(wanted.described) is required, and the seed \(has)")
        }
        return found
    }
}

extension SeedEntity.Relationship {
    fileprivate var described: String {
        "to \(isMany ? "many " : "")\(targets.joined(separator: ", "))"
    }
}
