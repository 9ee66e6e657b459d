import SluiceRecords

/// The view of an entity: its attributes, and for what it refers to not objectIDs, but what identifies it.
///
/// It follows from what all pipelines say of the entity and from its table, so that each of them makes the same.
package struct EntityView {
    private let description: EntityDescription
    private let entities: [EntityDescription]
    private let table: StoredTable
    private let dialect: any Dialect
    /// The names of the columns so far: a view would have two of the same name silently.
    private var names: Set<FoldedName> = []

    /// - Parameters:
    ///   - description: what the pipelines say of the entity, together.
    ///   - entities: all that are described.
    package init(
        _ description: EntityDescription, among entities: [EntityDescription], _ table: StoredTable,
        _ dialect: any Dialect
    ) {
        self.dialect = dialect
        self.description = description
        self.entities = entities
        self.table = table
    }

    /// The statement that makes it.
    package mutating func sql() -> String {
        let parts = description.parts
        var columns: [String] = []
        for column in table.columns {
            switch parts[FoldedName(column.name)] {
            case .attribute(let attribute) where !attribute.isLost: columns += plain(column.name)
            case .relationship(let relationship) where !relationship.isLost && !relationship.isMany:
                columns += reference(relationship)
            default: if column.name.isSameName(as: Entity.deletedAt) { columns += plain(column.name) }
            }
        }
        let lists = description.relationships.filter { $0.isMany && !$0.isLost }
        for relationship in lists.sorted(by: { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }) {
            columns += self.column(relationship.name, list(relationship))
        }
        return "CREATE VIEW \(dialect.table(Entity.view(of: description.table))) AS SELECT\n  "
            + columns.joined(separator: ",\n  ") + "\nFROM \(dialect.table(description.table)) t"
    }

    /// The tables of which it is made.
    package var tables: [String] {
        [description.table]
            + description.relationships.filter { !$0.isLost }.flatMap { relationship in
                (relationship.isMany ? [description.linkTable(of: relationship)] : [])
                    + relationship.targets.compactMap { target($0)?.table }
            }
    }

    private mutating func column(_ name: String, _ value: String) -> [String] {
        names.insert(FoldedName(name)).inserted ? ["\(value) AS \(quoted(name))"] : []
    }

    private mutating func plain(_ name: String) -> [String] { column(name, "t.\(quoted(name))") }

    // MARK: References

    /// The columns of a to-one relationship: the target's identifier, each of its parts; of several entities, also which.
    private mutating func reference(_ relationship: EntityDescription.Relationship) -> [String] {
        let objectID = "t.\(quoted(relationship.name))"
        if relationship.isPolymorphic {
            let entity = "t.\(quoted(relationship.entityColumn))"
            return plain(relationship.entityColumn)
                + column(relationship.name, oneOf(relationship.targets, named: entity, objectID, dialect.identifier))
        }
        guard let target = target(relationship.targets[0]) else { return [] }
        return zip(Relationship.viewColumns(of: relationship.name, target.identifier), target.identifier).flatMap {
            name, part in
            column(name, select("x.\(quoted(part))", from: target, objectID))
        }
    }

    private func target(_ name: String) -> EntityDescription? { entities.first { $0.name.isIdentical(to: name) } }

    private func select(_ value: String, from target: EntityDescription, _ objectID: String) -> String {
        "(SELECT \(value) FROM \(dialect.table(target.table)) x WHERE x.\"objectID\" = \(objectID))"
    }

    /// The identifier of one of several entities.
    private func oneOf(
        _ names: [String], named entity: String, _ objectID: String, _ value: ([KeyPart]) -> String
    ) -> String {
        let cases = names.compactMap { name -> String? in
            guard let target = target(name) else { return nil }
            return "WHEN \(text(name)) THEN \(select(value(key(target)), from: target, objectID))"
        }
        return cases.isEmpty ? "NULL" : "CASE \(entity) \(cases.joined(separator: " ")) END"
    }

    /// The parts of an identifier.
    private func key(_ target: EntityDescription) -> [KeyPart] {
        target.identifier.map { part in
            let attribute = target.attributes.first { $0.name.isSameName(as: part) }
            return KeyPart(column: "x.\(quoted(part))", form: attribute?.form)
        }
    }

    /// The identifiers of the targets of a to-many relationship as a JSON list, in the order of their positions.
    private func list(_ relationship: EntityDescription.Relationship) -> String {
        let links = "\(dialect.table(description.linkTable(of: relationship))) l"
        let ofRow = "WHERE l.\"source\" = t.\"objectID\""
        let isCompound = relationship.targets.compactMap { target($0) }.first.map { $0.identifier.count > 1 } ?? false
        if relationship.isPolymorphic {
            let value = oneOf(
                relationship.targets, named: "l.\"target_entity\"", "l.\"target\"", dialect.element)
            return dialect.polymorphicList(
                "SELECT l.\"target_entity\" AS entity, \(value) AS value, l.\"position\" FROM \(links) \(ofRow)",
                isCompound: isCompound)
        }
        guard let target = target(relationship.targets[0]) else { return "'[]'" }
        return dialect.list(
            "SELECT \(dialect.element(key(target))) AS value, l.\"position\" FROM \(links)"
                + " JOIN \(dialect.table(target.table)) x ON x.\"objectID\" = l.\"target\" \(ofRow)",
            isCompound: isCompound)
    }

    /// A name as a text of SQL.
    private func text(_ name: String) -> String {
        "'" + name.unicodeScalars.map { $0 == "'" ? "''" : String($0) }.joined() + "'"
    }
}
