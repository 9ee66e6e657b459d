import SluiceRecords
import SluiceSchema
import SluiceStoreSQLite

extension SeedModel {
    /// The model of a store, as its pipelines have described it: what a definition has lost is promised to nobody.
    package static func described(by entities: [StoredEntity]) throws(Failure) -> SeedModel {
        var found: [SeedEntity] = []
        for entity in entities where !entity.isLost {
            var attributes: [SeedEntity.Attribute] = []
            for attribute in entity.attributes where !attribute.isLost {
                guard let form = attribute.form else {
                    throw Failure(
                        .definition,
                        "the attribute \(entity.name).\(attribute.name) has a type that this version of sluice does not know"
                    )
                }
                attributes.append(SeedEntity.Attribute(attribute.name, form))
            }
            let relationships = entity.relationships.filter { !$0.isLost }.map {
                SeedEntity.Relationship(name: $0.name, targets: $0.targets, isMany: $0.isMany)
            }
            found.append(
                SeedEntity(
                    name: entity.name, table: entity.table, identifier: entity.identifier, attributes: attributes,
                    relationships: relationships, search: entity.search.map(CanonicalJSON.search),
                    near: entity.place.map(CanonicalJSON.near)))
        }
        return SeedModel(found)
    }

    /// The number of objects of each entity.
    func counts(_ connection: Connection) throws(Failure) -> [Int] {
        var counts: [Int] = []
        for entity in entities {
            counts.append(Int(try connection.integer("SELECT count(*) FROM \(quoted(entity.table))") ?? 0))
        }
        return counts
    }
}
