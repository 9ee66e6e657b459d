import SluiceRecords

/// The tables and indexes of a model, as SQL; and what a store must have to go with it.
struct Schema {
    let model: Model
    var dialect = Dialect.sqlite

    /// A column of an entity's table; attributes first, then relationships.
    struct Column {
        var name: String
        /// Its type, as SQL has it.
        var declared: String
        /// The table that a reference refers to.
        var references: String?
        var isIndexed: Bool
        var isRequired: Bool
    }

    /// The table of a to-many relationship.
    struct LinkTable {
        var name: String
        var source: String
        /// nil: the relationship is polymorphic, and the column `target_entity` names the target's entity.
        var target: String?
        /// Whether it has a target of an object once; else what there is once is a position.
        var isSet: Bool
        /// What links have of their own.
        var values: [Attribute]

        /// But for those.
        var columnNames: [String] {
            let target = ["target"] + (target == nil ? ["target_entity"] : [])
            return ["source"] + (isSet ? target + ["position"] : ["position"] + target)
        }
    }

    func linkTables(of entity: Entity) -> [LinkTable] {
        entity.relationships.filter(\.isMany).map { linkTable(of: entity, $0) }
    }

    func linkTable(of entity: Entity, _ relationship: Relationship) -> LinkTable {
        let target = relationship.isPolymorphic ? nil : model.entities[relationship.targets[0].entity].table
        return LinkTable(
            name: entity.linkTable(of: relationship), source: entity.table, target: target, isSet: relationship.isSet,
            values: relationship.values)
    }

    func createTable(_ table: LinkTable) -> String {
        func reference(_ table: String) -> String {
            "REFERENCES \(quoted(table))(\"objectID\") DEFERRABLE INITIALLY DEFERRED"
        }
        let position = "\"position\" INTEGER NOT NULL"
        var columns = ["\"source\" INTEGER NOT NULL \(reference(table.source))"]
        // The columns of the key come first: SQLite's check of a table without rowid misreads others (up to 3.40 at least).
        if !table.isSet { columns.append(position) }
        columns.append("\"target\" INTEGER NOT NULL" + (table.target.map { " " + reference($0) } ?? ""))
        if table.target == nil { columns.append("\"target_entity\" TEXT NOT NULL") }
        if table.isSet { columns.append(position) }
        columns += table.values.map { definition(of: $0) }
        let key = table.isSet ? table.columnNames.dropLast() : table.columnNames.prefix(2)
        columns.append("PRIMARY KEY (\(key.map(quoted).joined(separator: ", ")))")
        return "CREATE TABLE \(quoted(table.name)) (\n  \(columns.joined(separator: ",\n  "))\n) STRICT, WITHOUT ROWID"
    }

    private func definition(of value: Attribute) -> String {
        "\(quoted(value.name)) \(dialect.type(value.conversion.stored))"
    }

    func addColumn(_ value: Attribute, to table: LinkTable) -> String {
        "ALTER TABLE \(quoted(table.name)) ADD COLUMN \(definition(of: value))"
    }

    /// All columns but objectID.
    func columns(of entity: Entity) -> [Column] {
        let attributes = entity.attributes.enumerated().map { index, attribute in
            Column(
                name: attribute.name, declared: dialect.type(attribute.conversion.stored), references: nil,
                isIndexed: attribute.isIndexed, isRequired: entity.identifier.contains(index))
        }
        let relationships = entity.relationships.filter { !$0.isMany }.flatMap { columns(of: $0) }
        return attributes + relationships + (entity.absent == .mark ? [mark] : [])
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

    func createTable(_ entity: Entity) -> String {
        let columns = columns(of: entity).map { definition(of: $0) }
        let all = ["\"objectID\" INTEGER PRIMARY KEY"] + columns
        return "CREATE TABLE \(quoted(entity.table)) (\n  \(all.joined(separator: ",\n  "))\n) STRICT"
    }

    func addColumn(_ column: Column, to entity: Entity) -> String {
        "ALTER TABLE \(quoted(entity.table)) ADD COLUMN \(definition(of: column))"
    }

    private func definition(of column: Column) -> String {
        var sql = "\(quoted(column.name)) \(column.declared)"
        if column.isRequired { sql += " NOT NULL" }
        if let table = column.references {
            sql += " REFERENCES \(quoted(table))(\"objectID\") DEFERRABLE INITIALLY DEFERRED"
        }
        return sql
    }

    /// The names of the identifying columns.
    func identifier(of entity: Entity) -> [String] { entity.identifier.map { entity.attributes[$0].name } }
}
