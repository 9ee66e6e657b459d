import SluiceRecords

/// The view of an entity: its attributes, and for what it refers to not objectIDs, but what identifies it.
///
/// It follows from what all pipelines say of the entity and from its table, so that each of them makes the same.
struct EntityView {
    private let description: EntityDescription
    private let entities: [EntityDescription]
    private let table: StoredTable
    /// The names of the columns so far: a view would have two of the same name silently.
    private var names: Set<FoldedName> = []

    /// - Parameters:
    ///   - description: what the pipelines say of the entity, together.
    ///   - entities: all that are described.
    init(_ description: EntityDescription, among entities: [EntityDescription], _ table: StoredTable) {
        self.description = description
        self.entities = entities
        self.table = table
    }

    /// The statement that makes it.
    mutating func sql() -> String {
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
        return "CREATE VIEW \(quoted(Entity.view(of: description.table))) AS SELECT\n  "
            + columns.joined(separator: ",\n  ") + "\nFROM \(quoted(description.table)) t"
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
                + column(relationship.name, oneOf(relationship.targets, named: entity, objectID))
        }
        guard let target = target(relationship.targets[0]) else { return [] }
        return zip(Relationship.viewColumns(of: relationship.name, target.identifier), target.identifier).flatMap {
            name, part in
            column(name, select("x.\(quoted(part))", from: target, objectID))
        }
    }

    private func target(_ name: String) -> EntityDescription? { entities.first { $0.name.isIdentical(to: name) } }

    private func select(_ value: String, from target: EntityDescription, _ objectID: String) -> String {
        "(SELECT \(value) FROM \(quoted(target.table)) x WHERE x.\"objectID\" = \(objectID))"
    }

    /// The identifier of one of several entities, as one value.
    private func oneOf(_ names: [String], named entity: String, _ objectID: String) -> String {
        let cases = names.compactMap { name -> String? in
            guard let target = target(name) else { return nil }
            return "WHEN \(text(name)) THEN \(select(key(target), from: target, objectID))"
        }
        return cases.isEmpty ? "NULL" : "CASE \(entity) \(cases.joined(separator: " ")) END"
    }

    /// An identifier as one value, which JSON can hold: of several parts, a list.
    private func key(_ target: EntityDescription) -> String {
        let parts = target.identifier.map { part in
            let column = "x.\(quoted(part))"
            let isBytes = target.attributes.contains { $0.name.isSameName(as: part) && $0.type == "bytes" }
            return isBytes ? "hex(\(column))" : column
        }
        return parts.count == 1 ? parts[0] : "json_array(\(parts.joined(separator: ", ")))"
    }

    /// The identifiers of the targets of a to-many relationship as a JSON list, in the order of their positions.
    private func list(_ relationship: EntityDescription.Relationship) -> String {
        let links = "\(quoted(description.linkTable(of: relationship))) l"
        let order = "l.\"source\" = t.\"objectID\" ORDER BY l.\"position\""
        if relationship.isPolymorphic {
            let value = oneOf(relationship.targets, named: "l.\"target_entity\"", "l.\"target\"")
            let isCompound =
                relationship.targets.compactMap { target($0) }.first.map { $0.identifier.count > 1 } ?? false
            let identifier = isCompound ? "json(y.value)" : "y.value"
            return "(SELECT json_group_array(json_object('entity', y.entity, 'identifier', \(identifier))) FROM"
                + " (SELECT l.\"target_entity\" AS entity, \(value) AS value FROM \(links) WHERE \(order)) y)"
        }
        guard let target = target(relationship.targets[0]) else { return "'[]'" }
        let value = target.identifier.count == 1 ? "y.value" : "json(y.value)"
        return "(SELECT json_group_array(\(value)) FROM (SELECT \(key(target)) AS value FROM \(links)"
            + " JOIN \(quoted(target.table)) x ON x.\"objectID\" = l.\"target\" WHERE \(order)) y)"
    }

    /// A name as a text of SQL.
    private func text(_ name: String) -> String {
        "'" + name.unicodeScalars.map { $0 == "'" ? "''" : String($0) }.joined() + "'"
    }
}
