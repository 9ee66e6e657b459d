import SluiceRecords

/// Where the references of a relationship are: in a column of its entity's table, or in the table of its links. Names
/// of columns are as SQL has them.
package struct ReferencePlace {
    package let table: String
    /// The columns of the object that refers, of its target, and, where the target may be of several entities, of its
    /// entity.
    package let source: String
    package let target: String
    package let targetEntity: String
    /// The position of a link; nil: the reference is to-one.
    package let position: String?
    /// What links have of their own, behind a comma each.
    package let values: String

    package init(_ relationship: Relationship, of entity: Entity) {
        let isMany = relationship.isMany
        table = isMany ? entity.linkTable(of: relationship) : entity.table
        source = isMany ? "source" : "\"objectID\""
        target = isMany ? "target" : quoted(relationship.name)
        targetEntity = isMany ? "target_entity" : quoted(relationship.entityColumn)
        position = isMany ? "position" : nil
        values = relationship.values.map { ", \(quoted($0.name))" }.joined()
    }
}

extension Model {
    /// All relationships that lead to an entity, and where their references are.
    package func places(ofReferencesTo target: Int) -> [(relationship: Relationship, place: ReferencePlace)] {
        entities.flatMap { entity in
            entity.relationships.filter { $0.targets.contains { $0.entity == target } }
                .map { ($0, ReferencePlace($0, of: entity)) }
        }
    }
}
