import SluiceLoad
import SluicePostgreSQL
import SluiceRecords
import SluiceSchema

/// Keys, indexes and foreign keys, which new tables get when all rows are there.
final class ServerIndexing {
    private let store: PostgreSQLStore
    /// The entities whose identifiers are not indexed yet: tables that others may see before the run has ended have
    /// their keys from the beginning.
    private var unindexed: Set<Int>
    private var early = EarlyIndexes()
    var statistics: ServerStatistics

    init(_ store: PostgreSQLStore) {
        self.store = store
        unindexed = store.isDry || !store.use.savesAtEnd ? [] : Set(store.check.missing.tables)
        statistics = ServerStatistics(store)
    }

    private var model: Model { store.model }
    private var schema: Schema { store.schema }
    private var connection: ServerConnection { store.connection }
    private var check: SchemaCheck { store.check }
    private var sql: ServerSchema { ServerSchema(schema: schema, namespace: store.namespace) }
}

extension ServerIndexing: LateIndexStore {
    /// Nothing is gained by an index before all rows are there.
    package var indexesLate: Bool { true }

    package func canIndexLate(entity: Int) -> Bool { unindexed.contains(entity) }

    package func indexIdentifiers(of entity: Int) throws(Failure) {
        guard unindexed.contains(entity) else { return }
        try addKeys(to: entity)
        // The statements that look for objects now need a plan for as many as there are.
        try connection.write("ANALYZE \(store.named(model.entities[entity].table))")
    }

    private func addKeys(to entity: Int) throws(Failure) {
        unindexed.remove(entity)
        for key in sql.keys(model.entities[entity]) {
            try connection.write(key)
        }
    }

    /// Indexes other attributes than the identifier before objects are found by them, unless they are indexed, or no
    /// index is wanted of them.
    func indexValues(of attributes: [Int], entity: Int) throws(Failure) {
        if store.isDry { return }
        guard check.missing.tables.contains(entity) else { return }
        for column in early.lacking(attributes, of: entity, in: model, check.missing) {
            try connection.write(sql.index(model.entities[entity].table, [column]))
        }
    }

    func finish() throws(Failure) {
        if store.isDry { return }
        let sql = sql
        for entity in unindexed.sorted() { try addKeys(to: entity) }
        for index in check.missing.tables {
            for column in early.left(of: index, schema) {
                try connection.write(sql.index(model.entities[index].table, [column]))
            }
        }
        for table in check.missing.linkTables {
            if store.use.savesAtEnd { try connection.write(sql.keys(table)) }
            try connection.write(sql.index(table.name, ["target"]))
        }
        if store.location.declaresForeignKeys { try declareForeignKeys(sql) }
        try WantedServerSideIndexes(store).make()
        try statistics.renew()
        // The others were made before the run.
        if !check.missing.tables.isEmpty || !check.missing.linkTables.isEmpty { try store.views.make() }
    }

    private func declareForeignKeys(_ sql: ServerSchema) throws(Failure) {
        for index in check.missing.tables {
            let entity = model.entities[index]
            for column in schema.columns(of: entity) {
                if let target = column.references {
                    try connection.write(sql.foreignKey(entity.table, column.name, target))
                }
            }
        }
        try declareMissingKeys(sql)
        for table in check.missing.linkTables {
            try connection.write(sql.foreignKey(table.name, "source", table.source))
            if let target = table.target { try connection.write(sql.foreignKey(table.name, "target", target)) }
        }
    }

    /// Foreign keys of tables that were there.
    private func declareMissingKeys(_ sql: ServerSchema) throws(Failure) {
        let columns = check.missing.columns.compactMap { index, column in
            column.references.map {
                MissingParts.ForeignKey(table: model.entities[index].table, column: column.name, target: $0)
            }
        }
        let keys = columns + check.missing.foreignKeys
        if keys.isEmpty { return }
        try connection.withoutPendingChecks { () throws(Failure) in
            for key in keys { try connection.write(sql.foreignKey(key.table, key.column, key.target)) }
        }
    }
}
