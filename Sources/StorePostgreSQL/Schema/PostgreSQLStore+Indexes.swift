import SluiceLoad
import SluicePostgreSQL
import SluiceRecords
import SluiceSchema

// Keys, indexes and foreign keys, which new tables get when all rows are there.
extension PostgreSQLStore: LateIndexStore {
    package var lateIndexStore: (any LateIndexStore)? { self }

    /// Nothing is gained by an index before all rows are there.
    package var indexesLate: Bool { true }

    package func canIndexLate(entity: Int) -> Bool { unindexed.contains(entity) }

    package func indexIdentifiers(of entity: Int) throws(Failure) {
        guard unindexed.contains(entity) else { return }
        try addKeys(to: entity)
        // The statements that look for objects now need a plan for as many as there are.
        try connection.write("ANALYZE \(named(model.entities[entity].table))")
    }

    private func addKeys(to entity: Int) throws(Failure) {
        unindexed.remove(entity)
        for key in ServerSchema(schema: schema, namespace: namespace).keys(model.entities[entity]) {
            try connection.write(key)
        }
    }

    /// Indexes other attributes than the identifier before objects are found by them, unless they are indexed, or no
    /// index is wanted of them.
    func indexValues(of attributes: [Int], entity: Int) throws(Failure) {
        if isDry { return }
        let sql = ServerSchema(schema: schema, namespace: namespace)
        guard check.missing.tables.contains(entity) else { return }
        for column in indexedEarly.lacking(attributes, of: entity, in: model, check.missing) {
            try connection.write(sql.index(model.entities[entity].table, [column]))
        }
    }

    package func finishIndexes() throws(Failure) {
        if isDry { return }
        let sql = ServerSchema(schema: schema, namespace: namespace)
        for entity in unindexed.sorted() { try addKeys(to: entity) }
        for index in check.missing.tables {
            for column in indexedEarly.left(of: index, schema) {
                try connection.write(sql.index(model.entities[index].table, [column]))
            }
        }
        for table in check.missing.linkTables {
            if use.savesAtEnd { try connection.write(sql.keys(table)) }
            try connection.write(sql.index(table.name, ["target"]))
        }
        if location.declaresForeignKeys { try declareForeignKeys(sql) }
        try makeSideIndexes()
        try renewStatistics()
        // The others were made before the run.
        if !check.missing.tables.isEmpty || !check.missing.linkTables.isEmpty { try views.make() }
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
        try withoutPendingChecks { () throws(Failure) in
            for key in keys { try connection.write(sql.foreignKey(key.table, key.column, key.target)) }
        }
    }

    /// Changes tables when no row of theirs waits for its foreign keys to be checked: such a table takes no further key
    /// and no index, and loses none.
    func withoutPendingChecks(_ change: () throws(Failure) -> Void) throws(Failure) {
        try connection.write("SET CONSTRAINTS ALL IMMEDIATE")
        try change()
        try connection.write("SET CONSTRAINTS ALL DEFERRED")
    }
}
