import SluiceRecords

/// The tables and columns of a model, and what a store must have to go with it.
package struct Schema {
    package let model: Model
    package let dialect: any Dialect

    package init(
        model: Model, dialect: any Dialect
    ) {
        self.model = model
        self.dialect = dialect
    }

    /// A column of an entity's table; attributes first, then relationships.
    package struct Column {
        package var name: String
        /// Its type, as SQL has it.
        package var declared: String
        /// The table that a reference refers to.
        package var references: String?
        package var isIndexed: Bool
        package var isRequired: Bool
    }

    /// The table of a to-many relationship.
    package struct LinkTable {
        package var name: String
        package var source: String
        /// nil: the relationship is polymorphic, and the column `target_entity` names the target's entity.
        package var target: String?
        /// Whether an object has each target once; otherwise it has each position once.
        package var isSet: Bool
        /// What links have of their own.
        package var values: [Attribute]

        /// The columns of links without their own values.
        package var columnNames: [String] {
            let target = ["target"] + (target == nil ? ["target_entity"] : [])
            return ["source"] + (isSet ? target + ["position"] : ["position"] + target)
        }
    }

    package func linkTables(of entity: Entity) -> [LinkTable] {
        entity.relationships.filter(\.isMany).map { linkTable(of: entity, $0) }
    }

    package func linkTable(of entity: Entity, _ relationship: Relationship) -> LinkTable {
        let target = relationship.isPolymorphic ? nil : model.entities[relationship.targets[0].entity].table
        return LinkTable(
            name: entity.linkTable(of: relationship), source: entity.table, target: target, isSet: relationship.isSet,
            values: relationship.values)
    }

    /// All columns but objectID.
    package func columns(of entity: Entity) -> [Column] {
        let attributes = entity.attributes.enumerated().map { index, attribute in
            Column(
                name: attribute.name, declared: dialect.type(attribute.conversion.stored), references: nil,
                isIndexed: attribute.isIndexed, isRequired: entity.identifier.contains(index))
        }
        let relationships = entity.relationships.filter { !$0.isMany }.flatMap { columns(of: $0) }
        return attributes + relationships + (entity.marksAbsent ? [mark] : [])
    }

    private var mark: Column {
        Column(name: Entity.deletedAt, declared: dialect.mark, references: nil, isIndexed: false, isRequired: false)
    }

    /// One column; two where the relationship is polymorphic.
    private func columns(of relationship: Relationship) -> [Column] {
        let table = relationship.isPolymorphic ? nil : model.entities[relationship.targets[0].entity].table
        let reference = Column(
            name: relationship.name, declared: dialect.objectID, references: table, isIndexed: true, isRequired: false)
        guard relationship.isPolymorphic else { return [reference] }
        let entity = Column(
            name: relationship.entityColumn, declared: dialect.text, references: nil, isIndexed: false,
            isRequired: false)
        return [reference, entity]
    }

    /// The names of the identifying columns.
    package func identifier(of entity: Entity) -> [String] { entity.identifier.map { entity.attributes[$0].name } }
}
