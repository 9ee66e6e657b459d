import SluiceRecords

extension Relationship.Target {
    /// The forms of its identifier: all that decides how a value becomes one.
    var identifierTypes: String { conversions.map(\.stored.name).joined(separator: " ") }
}

extension Relationship {
    /// What distinguishes the values by which a target may be found: the types of the identifiers, or the ways.
    package func searchLabels(in model: Model) -> [String] {
        if ways.isEmpty { return targets.map(\.identifierTypes) }
        return ways.enumerated().map { index, way in
            let entity = model.entities[targets[way.target].entity]
            let names = way.attributes.map { Relationship.word(entity.attributes[$0].name) }
            let types = way.conversions.map(\.stored.name)
            return (["by \(index + 1)"] + names + types).joined(separator: " ")
        }
    }

    /// A name without what means something in a path of SQLite's JSON.
    private static func word(_ name: String) -> String {
        name.utf8.map { byte in
            let character = Character(UnicodeScalar(byte))
            return byte < 0x80 && (character.isLetter || character.isNumber) ? String(character) : "_\(byte)_"
        }.joined()
    }
}
