import SluiceRecords

/// Of which entities a run keeps the past.
package struct HistoryScope {
    private let schema: Schema
    private let check: SchemaCheck
    private let use: HistoryUse?

    /// - Parameter use: what becomes of the past of objects whose entity says nothing of it.
    package init(_ schema: Schema, _ check: SchemaCheck, _ use: HistoryUse?) {
        (self.schema, self.check, self.use) = (schema, check, use)
    }

    private var entities: [Entity] { schema.model.entities }

    /// Whether the definition wants the past of some entity to be kept; of others, a store goes on with what it has
    /// begun.
    package var isWanted: Bool { entities.contains { isWanted(of: $0) } }

    package func isWanted(of entity: Entity) -> Bool {
        if let keepsPast = entity.keepsPast { return keepsPast }
        return if case .kept = use { true } else { false }
    }

    /// The tables of entities whose past is to be forgotten, as the store calls them before it changes.
    package var forgotten: [String] {
        entities.filter { $0.keepsPast == false }.map { check.renaming.nameBefore(table: $0.table) }
    }

    /// The tables of the pipeline's entities, of those too that it no longer has, as the store calls them before it
    /// changes.
    package var own: [String] {
        (entities.map(\.table) + check.modelRows.earlier.map(\.table)).map { check.renaming.nameBefore(table: $0) }
    }

    /// The entities whose past is kept, or is to be.
    ///
    /// - Parameter known: the tables of objects whose past is kept.
    package func followed(_ known: [String]) -> [(index: Int, entity: HistoryKeeper.FollowedTable)] {
        entities.enumerated().compactMap { index, entity in
            let isBegun = entity.keepsPast != false && schema.dialect.has(entity.table, in: known)
            if !isWanted(of: entity), !isBegun { return nil }
            return (
                index,
                .init(
                    table: entity.table, identifier: schema.identifier(of: entity),
                    linkTables: schema.linkTables(of: entity).map(\.name))
            )
        }
    }

    /// The tables that the run makes.
    package var newTables: [String] {
        let made = check.missing.tables.map { entities[$0] }
        let links = made.flatMap { schema.linkTables(of: $0) } + check.missing.linkTables
        return made.map(\.table) + links.map(\.name)
    }

    /// Whether the run makes a table.
    package var isNew: (String) -> Bool {
        let (new, dialect) = (newTables, schema.dialect)
        return { dialect.has($0, in: new) }
    }
}
