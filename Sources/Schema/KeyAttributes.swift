import SluiceRecords

extension Model {
    /// By entity: the attributes by which references look for its objects, its identifier first.
    package var keyAttributes: [[Int]] {
        var found = entities.map(\.identifier)
        for relationship in entities.flatMap(\.relationships) {
            for way in relationship.ways {
                let entity = relationship.targets[way.target].entity
                found[entity] += way.attributes.filter { !found[entity].contains($0) }
            }
        }
        return found
    }
}
