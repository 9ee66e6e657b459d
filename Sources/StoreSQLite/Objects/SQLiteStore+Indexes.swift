import SluiceLoad
import SluiceRecords
import SluiceSchema

// Indexes, which new tables get when all rows are there.
extension SQLiteStore: LateIndexStore {
    package var lateIndexStore: (any LateIndexStore)? { self }

    package var indexesLate: Bool { false }

    package func canIndexLate(entity: Int) -> Bool { unindexed.contains(entity) }

    package func indexIdentifiers(of entity: Int) throws(Failure) {
        guard unindexed.contains(entity) else { return }
        // The sorter takes as much memory as the page cache may have, and is quicker with less of it.
        try connection.execute("PRAGMA cache_size = -\(SQLiteStore.sorterKiB)")
        var names = try IndexNames(connection)
        try index(entity, &names)
        try connection.execute("PRAGMA cache_size = -\(SQLiteStore.cacheKiB)")
    }

    /// Indexes other attributes than the identifier before objects are found by them, unless they are indexed, or no
    /// index is wanted of them.
    func indexValues(of attributes: [Int], entity index: Int) throws(Failure) {
        try restoreIndexes(of: index, identifiers: false)
        for column in indexedEarly.lacking(attributes, of: index, in: model, check.missing) {
            var names = try IndexNames(connection)
            try names.create(on: model.entities[index].table, [column], unique: false)
        }
    }

    func indexAllIdentifiers() throws(Failure) {
        var names = try IndexNames(connection)
        for entity in unindexed.sorted() { try index(entity, &names) }
    }

    private func index(_ index: Int, _ names: inout IndexNames) throws(Failure) {
        let entity = model.entities[index]
        unindexed.remove(index)
        if try restoreIndexes(of: index, identifiers: true) { return }
        try names.create(on: entity.table, schema.identifier(of: entity), unique: true)
    }

    /// Builds the indexes of new tables, and those that older tables lack. Sorting all entries once is cheaper than
    /// keeping the index while the table grows.
    package func finishIndexes() throws(Failure) {
        // No program reads a copy.
        if file.isCopy { return }
        // Whatever changes the schema looks at all prepared statements: there are some for each entity.
        tables = madeTables()
        // The sorter takes as much memory as the page cache may have, and is quicker with less of it.
        try connection.execute("PRAGMA cache_size = -\(SQLiteStore.sorterKiB)")
        try indexAllIdentifiers()
        for entity in dropped.keys.sorted() { try restoreIndexes(of: entity, identifiers: false) }
        var names = try IndexNames(connection)
        for index in check.missing.tables {
            for column in indexedEarly.left(of: index, schema) {
                try names.create(on: model.entities[index].table, [column], unique: false)
            }
        }
        for table in check.missing.linkTables + check.missing.linkIndexes {
            try names.create(on: table.name, ["target"], unique: false)
        }
        for (index, columns) in check.missing.indexes where !indexedEarly.has(columns, of: index) {
            try names.create(on: model.entities[index].table, columns, unique: false)
        }
    }
}
