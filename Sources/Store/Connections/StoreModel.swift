import SluiceRecords
import SluiceSchema
import SluiceSeed
import SluiceStoreSQLite

/// What a store holds, compared with what a program's types need.
package enum StoreModel {
    /// Throws where a type does not fit its table, in the store or in a seed beside it.
    static func check(_ target: StoreConnection.Target, _ connection: Connection) throws(StoreError) {
        guard !target.objects.isEmpty else { return }
        let found = try stored { () throws(Failure) in
            var entities = try StoredEntity.all(connection)
            for (_, path) in target.seeds {
                let seed = try Connection(path: path, access: .readUnlocked)
                // The store's own come first, as in SQL.
                for entity in try StoredEntity.all(seed)
                where !entities.contains(where: { $0.name.isIdentical(to: entity.name) }) {
                    entities.append(entity)
                }
            }
            return entities
        }
        try check(found, target.objects, of: target.path)
    }

    /// Throws where a type does not fit what a store has.
    package static func check(
        _ entities: [StoredEntity], _ objects: [any StoredObject.Type], of store: String
    ) throws(StoreError) {
        let found = try stored { () throws(Failure) in try SeedModel.described(by: entities) }
        let contradictions = found.contradictions(requiredBy: model(objects), holder: "the store")
        guard contradictions.isEmpty else {
            throw StoreError(
                .incompatible,
                "the store \(store) does not fit the types of this program (`sluice swift` writes those that do): "
                    + contradictions.joined(separator: "; "))
        }
    }

    /// What the types need.
    static func model(_ objects: [any StoredObject.Type]) -> SeedModel { SeedModel(objects.map { $0.seedEntity }) }
}
