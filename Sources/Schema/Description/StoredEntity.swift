import SluiceRecords

/// An entity as all pipelines of a store together describe it.
package struct StoredEntity {
    package struct Attribute {
        package var name: String
        /// Nil: a later version of sluice knows it.
        package var form: StoredForm?
        /// Whether no definition has it any more.
        package var isLost: Bool
    }

    package struct Relationship {
        package var name: String
        package var targets: [String]
        package var isMany: Bool
        package var isLost: Bool
        /// Whether an object is deleted with its target.
        package var isCascading: Bool
        /// The names of what links have of their own.
        package var values: [String] = []
    }

    package var name: String
    package var table: String
    package var identifier: [String]
    package var attributes: [Attribute] = []
    package var relationships: [Relationship] = []
    /// Whether no definition has it any more.
    package var isLost: Bool
    /// Whether its objects belong to programs.
    package var isOfPrograms = false
    /// Whether it is to be known what programs change of its objects.
    package var keepsEdits = false

    /// How its objects are found by words, and by where they are.
    package var search: SearchIndex?
    package var place: PlaceIndex?

    /// Its table, and those of its links.
    package var tables: [String] {
        [table] + relationships.filter(\.isMany).map { Entity.linkTable(of: table, $0.name) }
    }

    /// The entities of a store, by name, from what its pipelines say of them.
    package static func all(_ descriptions: [EntityDescription]) -> [StoredEntity] {
        var entities: [StoredEntity] = []
        for description in descriptions {
            if let index = entities.firstIndex(where: { $0.name.isIdentical(to: description.name) }) {
                entities[index].add(description)
            } else {
                var entity = StoredEntity(
                    name: description.name, table: description.table, identifier: description.identifier, isLost: true)
                entity.add(description)
                entities.append(entity)
            }
        }
        return entities.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// Another pipeline may still fill a part that this one has lost.
    private mutating func add(_ description: EntityDescription) {
        isLost = isLost && description.isLost
        isOfPrograms = isOfPrograms || description.isOfPrograms
        keepsEdits = keepsEdits || description.keepsEdits
        search = search ?? description.search
        place = place ?? description.place
        for new in description.attributes {
            if let index = attributes.firstIndex(where: { $0.name.isIdentical(to: new.name) }) {
                attributes[index].isLost = attributes[index].isLost && new.isLost
            } else {
                attributes.append(Attribute(name: new.name, form: new.form, isLost: new.isLost))
            }
        }
        for new in description.relationships {
            if let index = relationships.firstIndex(where: { $0.name.isIdentical(to: new.name) }) {
                relationships[index].isLost = relationships[index].isLost && new.isLost
                relationships[index].isCascading =
                    relationships[index].isCascading || new.isCascading && !new.isLost
                relationships[index].values += new.values.map(\.name).filter { name in
                    !relationships[index].values.contains { $0.isSameName(as: name) }
                }
            } else {
                relationships.append(
                    Relationship(
                        name: new.name, targets: new.targets, isMany: new.isMany, isLost: new.isLost,
                        isCascading: new.isCascading && !new.isLost, values: new.values.map(\.name)))
            }
        }
    }
}

extension EntityDescription.Relationship {
    fileprivate var isCascading: Bool { onDelete == SluiceRecords.Relationship.OnDelete.cascade.rawValue }
}
