import SluiceRecords

// Where references are. Other columns that refer to objects belong to other programs.
extension EntityDescription {
    /// The columns that hold references, with their tables, also those that a definition has lost.
    package var referenceColumns: [(table: String, column: String)] {
        relationships.flatMap { relationship in
            relationship.isMany
                ? [(linkTable(of: relationship), "source"), (linkTable(of: relationship), "target")]
                : [(table, relationship.name)]
        }
    }
}

extension Schema {
    /// The columns that hold the references of the model, with their tables.
    package var referenceColumns: [(table: String, column: String)] {
        model.entities.flatMap { EntityDescription($0, in: model).referenceColumns }
    }
}

/// Where a store has references of a relationship that the model does not know: another pipeline's, or one that the
/// definition has lost.
package struct UnknownReference: Sendable {
    /// The name of the entity whose objects refer.
    package let owner: String
    package let table: String
    package let column: String
    /// The column that names the target's entity; nil: there is one entity only.
    package let entityColumn: String?
    /// Whether it belongs to a link, which is deleted with either of its objects.
    package let isLink: Bool

    /// The column with the objectID of the object that refers.
    package var ownerColumn: String { isLink ? "source" : "objectID" }

    /// Whether it leads to the object that has the links, and not to what they refer to.
    package var leadsToOwner: Bool { isLink && column == ownerColumn }

    /// All columns that it has.
    package var columns: [String] { [column] + (entityColumn.map { [$0] } ?? []) }

    /// Which rows refer to some objects.
    ///
    /// - Parameters:
    ///   - objects: what follows the column, such as `= ANY($1)`.
    ///   - entity: the name of their entity, as SQL has it.
    package func condition(_ objects: String, entity: String) -> String {
        quoted(column) + " \(objects)" + (entityColumn.map { " AND \(quoted($0)) = \(entity)" } ?? "")
    }
}

extension EntityDescription {
    /// The references to an entity that this one has, and the links that go with its own objects.
    func references(to entity: String) -> [UnknownReference] {
        relationships.flatMap { relationship -> [UnknownReference] in
            let (links, isMany) = (linkTable(of: relationship), relationship.isMany)
            var found: [UnknownReference] = []
            if isMany, name.isIdentical(to: entity) {
                found.append(
                    UnknownReference(owner: name, table: links, column: "source", entityColumn: nil, isLink: true))
            }
            guard relationship.targets.contains(where: entity.isIdentical) else { return found }
            let beside = isMany ? "target_entity" : relationship.entityColumn
            found.append(
                UnknownReference(
                    owner: name, table: isMany ? links : table, column: isMany ? "target" : relationship.name,
                    entityColumn: relationship.isPolymorphic ? beside : nil, isLink: isMany))
            return found
        }
    }
}

extension Schema {
    /// The references to an entity that the model does not know.
    ///
    /// - Parameter descriptions: those of all pipelines of the store, with what they have lost.
    package func unknownReferences(to entity: Int, _ descriptions: [EntityDescription]) -> [UnknownReference] {
        func place(_ table: String, _ column: String) -> FoldedName { FoldedName("\(table)/\(column)") }
        var known = Set(referenceColumns.map { place($0.table, $0.column) })
        return descriptions.flatMap { $0.references(to: model.entities[entity].name) }
            .filter { known.insert(place($0.table, $0.column)).inserted }
    }
}
