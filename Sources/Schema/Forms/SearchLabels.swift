import SluiceRecords

extension Relationship.Target {
    /// The forms of its identifier: all that decides how a value becomes one.
    package var identifierTypes: String { conversions.map(\.stored.name).joined(separator: " ") }
}

extension Relationship {
    /// The labels of the searches for a target, which distinguish their values: the types of the identifiers, or the
    /// ways.
    package func searchLabels(in model: Model) -> [String] {
        if ways.isEmpty { return targets.map(\.identifierTypes) }
        return ways.enumerated().map { index, way in
            wayLabel(index, attributeNames(ofWay: index, in: model), way.conversions.map(\.stored))
        }
    }

    /// What distinguishes the values of one way.
    ///
    /// - Parameters:
    ///   - names: of the way's attributes, as they are or as they were.
    ///   - forms: of these attributes.
    package func wayLabel(_ index: Int, _ names: [String], _ forms: [StoredForm]) -> String {
        (["by \(index + 1)"] + names.map(Relationship.word) + forms.map(\.name)).joined(separator: " ")
    }

    /// For each way, its label, and its labels from before one of its attributes was renamed: another pipeline may have
    /// renamed the attribute in the store, and knows nothing of the ways of this one.
    package func wayLabels(in model: Model) -> [[String]] {
        ways.enumerated().map { index, way in
            let entity = model.entities[targets[way.target].entity]
            let names = attributeNames(ofWay: index, in: model)
            let earlier = way.attributes.enumerated().flatMap { place, attribute in
                entity.attributes[attribute].was.map { was in
                    names.enumerated().map { $0.offset == place ? was : $0.element }
                }
            }
            return ([names] + earlier).map { wayLabel(index, $0, way.conversions.map(\.stored)) }
        }
    }

    package func attributeNames(ofWay index: Int, in model: Model) -> [String] {
        let entity = model.entities[targets[ways[index].target].entity]
        return ways[index].attributes.map { entity.attributes[$0].name }
    }

    /// A name without what means something in a path of SQLite's JSON.
    private static func word(_ name: String) -> String {
        name.utf8.map { byte in
            let character = Character(UnicodeScalar(byte))
            return byte < 0x80 && (character.isLetter || character.isNumber) ? String(character) : "_\(byte)_"
        }.joined()
    }
}
