import SluiceRecords

/// Where what an entity has is among the columns of its table: attributes, then to-one references, then the mark.
package struct ColumnLayout {
    package let columns: [Schema.Column]
    /// The attributes that are not of the identifier.
    package let otherAttributes: [Int]
    /// The attributes by which references look for objects, the identifier first.
    package let keyAttributes: [Int]
    /// By attribute: whether an absent value leaves an existing object what it has.
    package let keepsAbsent: [Bool]
    /// By relationship: where a to-one reference is among the columns; nil: it is to-many.
    package let referencePlaces: [Int?]
    /// By relationship: the names of the entities that it may refer to, in their order.
    package let targetNames: [[String]]
    /// With `absent: mark`: where the mark is among the columns.
    package let markPlace: Int?

    private init(_ schema: Schema, _ entity: Entity, keyAttributes: [Int]) {
        columns = schema.columns(of: entity)
        otherAttributes = entity.attributes.indices.filter { !entity.identifier.contains($0) }
        self.keyAttributes = keyAttributes
        keepsAbsent = entity.absentKeeping
        var next = entity.attributes.count
        referencePlaces = entity.relationships.map { relationship in
            if relationship.isMany { return nil }
            defer { next += relationship.isPolymorphic ? 2 : 1 }
            return next
        }
        targetNames = entity.relationships.map { $0.targets.map { schema.model.entities[$0.entity].name } }
        markPlace = entity.marksAbsent ? columns.count - 1 : nil
    }

    /// Those of all entities.
    package static func all(_ schema: Schema) -> [ColumnLayout] {
        zip(schema.model.entities, schema.model.keyAttributes).map { ColumnLayout(schema, $0, keyAttributes: $1) }
    }
}
