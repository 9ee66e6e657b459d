import SluiceRecords

/// The parts of a store that must be renamed before a model's objects fit into it.
package struct Renaming {
    package struct Move {
        package var from: String
        package var to: String
    }

    /// A column, of a table that has its new name already.
    package struct ColumnMove {
        package var table: String
        package var from: String
        package var to: String
    }

    /// A relationship, of an entity that has its new name already.
    package struct RelationshipMove {
        package var entity: String
        package var from: String
        package var to: String
    }

    /// What distinguishes values on the waiting list, see `Relationship.wayLabel`; the entity and the relationship have
    /// their new names already.
    package struct LabelMove {
        package var entity: String
        package var relationship: String
        package var from: String
        package var to: String

        /// Both as they begin a member of a JSON object. No string of the list can hold that: its quotes are escaped.
        package var members: (from: String, to: String) {
            (JSONText.quoted(from) + ":", JSONText.quoted(to) + ":")
        }
    }

    /// The tables of entities: all at once, so that two may swap their names.
    package var tables: [Move] = []
    /// Link tables, after those.
    package var linkTables: [Move] = []
    package var columns: [ColumnMove] = []
    package var entities: [Move] = []
    package var relationships: [RelationshipMove] = []
    package var waitingLabels: [LabelMove] = []
    /// The names of waiting links' own values.
    package var waitingValues: [LabelMove] = []
    /// The columns of users' tables that hold names of entities.
    package var entityColumns: [(table: String, column: String)] = []

    package var isEmpty: Bool {
        tables.isEmpty && linkTables.isEmpty && columns.isEmpty && entities.isEmpty && relationships.isEmpty
            && waitingLabels.isEmpty && waitingValues.isEmpty
    }

    /// The present name in the store of a table, of an entity or of links.
    package func nameBefore(table: String) -> String {
        (tables + linkTables).first { $0.to.isSameName(as: table) }?.from ?? table
    }

    /// The present name in the store of an entity.
    package func nameBefore(entity: String) -> String {
        entities.first { $0.to.isIdentical(to: entity) }?.from ?? entity
    }

    /// The present name in the store of a column, of a table by its new name.
    package func nameBefore(column: String, of table: String) -> String {
        columns.first { $0.table.isSameName(as: table) && $0.to.isSameName(as: column) }?.from ?? column
    }
}

extension Renaming.Move {
    /// Moves in steps that together have the effect of all moves at once: where one takes the name of another, all go
    /// through an unused name.
    package static func inSteps(_ moves: [Renaming.Move]) -> [Renaming.Move] {
        let old = Set(moves.map { FoldedName($0.from) })
        guard moves.contains(where: { old.contains(FoldedName($0.to)) }) else { return moves }
        return moves.enumerated().map { .init(from: $1.from, to: "sluice_moved_\($0)") }
            + moves.enumerated().map { .init(from: "sluice_moved_\($0)", to: $1.to) }
    }
}

extension Renaming {
    /// Adds the moves of names that differ only in case, for a server that distinguishes them: in a definition, as in
    /// SQLite, they are one name.
    ///
    /// - Parameter descriptions: those of all pipelines, under the names from now on.
    mutating func followCase(
        _ model: Model, _ schema: Schema, _ image: StoreImage, _ descriptions: [EntityDescription]
    ) throws(Failure) {
        for entity in model.entities {
            if let table = try image.table(entity.table) {
                follow(table, entity.table, into: \.tables)
                follow(schema.columns(of: entity).map(\.name), table, entity.table)
            }
            for links in schema.linkTables(of: entity) {
                guard let table = try image.table(links.name) else { continue }
                follow(table, links.name, into: \.linkTables)
                follow(links.values.map(\.name), table, links.name)
            }
            try followUnknownLinks(of: entity, image, descriptions)
        }
    }

    /// The links of relationships that the definition has lost, or never had, follow their entity, too: they are found
    /// by its name.
    private mutating func followUnknownLinks(
        of entity: Entity, _ image: StoreImage, _ descriptions: [EntityDescription]
    ) throws(Failure) {
        var seen = Set(entity.relationships.map { FoldedName($0.name) })
        for description in descriptions where description.name.isIdentical(to: entity.name) {
            for relationship in description.relationships where relationship.isMany {
                guard seen.insert(FoldedName(relationship.name)).inserted,
                    try image.hasLinks(entity.table, relationship.name)
                else { continue }
                let name = Entity.linkTable(of: entity.table, relationship.name)
                if let table = try image.table(name) { follow(table, name, into: \.linkTables) }
            }
        }
    }

    private mutating func follow(_ table: StoredTable, _ name: String, into moves: WritableKeyPath<Renaming, [Move]>) {
        if table.name.isIdentical(to: name) { return }
        self[keyPath: moves].append(Move(from: table.name, to: name))
    }

    private mutating func follow(_ names: [String], _ table: StoredTable, _ tableName: String) {
        for name in names {
            guard let stored = table.column(name), !stored.name.isIdentical(to: name) else { continue }
            columns.append(ColumnMove(table: tableName, from: stored.name, to: name))
        }
    }
}
