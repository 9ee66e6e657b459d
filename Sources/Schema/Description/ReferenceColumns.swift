import SluiceRecords

// Where references are. What refers to objects elsewhere belongs to somebody else.
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
        model.entities.flatMap { entity in
            columns(of: entity).filter { $0.references != nil }.map { (entity.table, $0.name) }
                + linkTables(of: entity).flatMap { [($0.name, "source"), ($0.name, "target")] }
        }
    }
}
