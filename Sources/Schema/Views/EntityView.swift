import SluiceRecords

/// The view of an entity: its attributes, and the identifiers of its targets in place of their objectIDs.
///
/// It follows from what all pipelines say of the entity and from its table, so that each of them makes the same.
package struct EntityView {
    private let description: EntityDescription
    private let entities: [EntityDescription]
    private let table: StoredTable
    private let dialect: any Dialect
    /// What is read instead of the tables; nil: these.
    private let past: PastRelations?
    /// The names of the columns so far: a view would have two of the same name silently.
    private var names: Set<FoldedName> = []

    /// - Parameters:
    ///   - description: what the pipelines say of the entity, together.
    ///   - entities: all that are described.
    ///   - past: of a view of all that objects have been; nil: of what they are.
    package init(
        _ description: EntityDescription, among entities: [EntityDescription], _ table: StoredTable,
        _ dialect: any Dialect, past: PastRelations? = nil
    ) {
        self.dialect = dialect
        self.past = past
        self.description = description
        self.entities = entities
        self.table = table
    }

    /// The statement that makes it.
    package mutating func sql() -> String {
        let table = past?.versions ?? dialect.table(description.table)
        return "CREATE VIEW \(dialect.table(past?.view ?? Entity.view(of: description.table))) AS SELECT\n  "
            + columns().map { "\($0.value) AS \(quoted($0.name))" }.joined(separator: ",\n  ") + "\nFROM \(table) t"
    }

    /// The columns, with their expressions; in a view of the past, without links, and with the columns that say when
    /// each version was true.
    private mutating func columns() -> [(name: String, value: String)] {
        var columns = objectColumns().map { (name: $0.name, value: $0.value) }
        if let past {
            return columns + past.columns(dialect) { names.insert(FoldedName($0)).inserted }
        }
        for relationship in toMany {
            columns += column(relationship.name, list(relationship)).map { ($0.name, $0.value) }
        }
        return columns
    }

    /// The columns of an object's own row: attributes and references.
    private mutating func objectColumns(asJSON: Bool = false) -> [Column] {
        let parts = description.parts
        var columns: [Column] = []
        for column in table.columns {
            switch parts[FoldedName(column.name)] {
            case .attribute(let attribute) where !attribute.isLost: columns += plain(column.name, attribute.form)
            case .relationship(let relationship) where !relationship.isLost && !relationship.isMany:
                columns += reference(relationship, asJSON: asJSON)
            default: if column.name.isSameName(as: Entity.deletedAt) { columns += plain(column.name, Self.mark) }
            }
        }
        return columns
    }

    /// The to-many relationships.
    package var toMany: [EntityDescription.Relationship] {
        description.relationships.filter { $0.isMany && !$0.isLost }
            .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// A column of an object's own row.
    package struct Column {
        package var name: String
        /// SQL.
        package var value: String
        package var form: StoredForm?
        /// Whether the value is JSON that SQL has made, of several parts of an identifier.
        package var isList = false
        /// SQL of the objectID of the target whose identifier the value is; nil: the value is no reference.
        package var target: String?
    }

    /// The columns of a query of objects, as `t`, for their own rows. The identifiers of targets of several entities
    /// are as elements of JSON lists.
    package mutating func query() -> [Column] { objectColumns(asJSON: true) }

    /// When objects were marked as deleted.
    private static let mark = StoredForm(.datetime, fraction: 0)

    /// The tables of which it is made.
    package var tables: [String] {
        [description.table]
            + description.relationships.filter { !$0.isLost }.flatMap { relationship in
                (relationship.isMany ? [description.linkTable(of: relationship)] : [])
                    + relationship.targets.compactMap { target($0)?.table }
            }
    }

    private mutating func column(
        _ name: String, _ value: String, _ form: StoredForm? = nil, isList: Bool = false, target: String? = nil
    ) -> [Column] {
        guard names.insert(FoldedName(name)).inserted else { return [] }
        return [Column(name: name, value: value, form: form, isList: isList, target: target)]
    }

    private mutating func plain(_ name: String, _ form: StoredForm?) -> [Column] {
        column(name, "t.\(quoted(name))", form)
    }

    // MARK: References

    /// The columns of a to-one relationship: the target's identifier, each of its parts; of several entities, also
    /// which.
    private mutating func reference(
        _ relationship: EntityDescription.Relationship, asJSON: Bool
    ) -> [Column] {
        let objectID = "t.\(quoted(relationship.name))"
        if relationship.isPolymorphic {
            let entity = "t.\(quoted(relationship.entityColumn))"
            let isList = relationship.targets.contains { (target($0)?.identifier.count ?? 0) > 1 }
            // Where some identifiers are JSON, all are: a text beside a list would be taken for JSON.
            let typed = isList ? dialect.element : dialect.typedIdentifier
            let value = asJSON ? typed : dialect.identifier
            return plain(relationship.entityColumn, StoredForm(.text))
                + column(
                    relationship.name, oneOf(relationship.targets, named: entity, objectID, value), isList: isList,
                    target: objectID)
        }
        guard let target = target(relationship.targets[0]) else { return [] }
        return zip(Relationship.viewColumns(of: relationship.name, target.identifier), target.identifier).flatMap {
            name, part in
            column(
                name, select("x.\(quoted(part))", from: target, objectID), form(of: part, target), target: objectID)
        }
    }

    private func target(_ name: String) -> EntityDescription? { entities.first { $0.name.isIdentical(to: name) } }

    private func select(_ value: String, from target: EntityDescription, _ objectID: String) -> String {
        let query = { (table: String) in "(SELECT \(value) FROM \(table) x WHERE x.\"objectID\" = \(objectID)" }
        let relations = past?.targets[FoldedName(target.table)]?.relations ?? [dialect.table(target.table)]
        if relations.count == 1 { return query(relations[0]) + ")" }
        // Each is a query of one table, which finds what it looks for by an index.
        return NestedCall.of("coalesce", relations.map { query($0) + " LIMIT 1)" })
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
        target.identifier.map { KeyPart(column: "x.\(quoted($0))", form: form(of: $0, target)) }
    }

    /// How a part of an identifier has its values; nil: it is a text, or a later version of sluice knows it.
    private func form(of part: String, _ target: EntityDescription) -> StoredForm? {
        if past?.targets[FoldedName(target.table)]?.texts.contains(FoldedName(part)) == true { return nil }
        return target.attributes.first { $0.name.isSameName(as: part) }?.form
    }

    /// The identifiers of the targets of a to-many relationship as a JSON list, in the order of their positions.
    private func list(_ relationship: EntityDescription.Relationship) -> String {
        list(
            relationship, of: dialect.table(description.linkTable(of: relationship)),
            where: "WHERE l.\"source\" = t.\"objectID\"")
    }

    /// As before, of links `l` from somewhere else than the link table.
    package func list(
        _ relationship: EntityDescription.Relationship, of links: String, where condition: String = ""
    ) -> String {
        if relationship.isPolymorphic {
            let value = oneOf(
                relationship.targets, named: "l.\"target_entity\"", "l.\"target\"", dialect.element)
            return dialect.polymorphicList(
                "SELECT l.\"target_entity\" AS entity, \(value) AS value, l.\"position\" FROM \(links) l \(condition)")
        }
        guard let target = target(relationship.targets[0]) else { return "'[]'" }
        if past != nil {
            let value = select(dialect.element(key(target)), from: target, "l.\"target\"")
            return dialect.list("SELECT \(value) AS value, l.\"position\" FROM \(links) l \(condition)")
        }
        return dialect.list(
            "SELECT \(dialect.element(key(target))) AS value, l.\"position\" FROM \(links) l"
                + " JOIN \(dialect.table(target.table)) x ON x.\"objectID\" = l.\"target\" \(condition)")
    }

    /// A name as a text of SQL.
    private func text(_ name: String) -> String {
        "'" + name.unicodeScalars.map { $0 == "'" ? "''" : String($0) }.joined() + "'"
    }
}
