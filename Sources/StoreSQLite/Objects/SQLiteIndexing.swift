import SluiceLoad
import SluiceRecords
import SluiceSchema

/// An index that is not there for a while.
private struct DroppedIndex {
    var sql: String
    /// Whether it is the unique one on the identifier.
    var isOnIdentifier: Bool
}

/// The indexes of a run's tables: new tables get them when all rows are there, and older tables may do without for a
/// while.
final class SQLiteIndexing {
    private let connection: Connection
    private let schema: Schema
    private let missing: MissingParts
    /// Whether no program will read the store.
    private let isCopy: Bool
    /// The entities whose identifiers are not indexed yet, or not at present.
    private var unindexed: Set<Int>
    /// By entity: the indexes of its table that were dropped, until many objects are there.
    private var dropped: [Int: [DroppedIndex]] = [:]
    private var early = EarlyIndexes()

    init(_ store: SQLiteStore) {
        (connection, schema, isCopy) = (store.connection, store.schema, store.file.isCopy)
        missing = store.check.missing
        unindexed = Set(missing.tables)
    }

    private var model: Model { schema.model }

    /// Whether the identifiers of an entity are indexed at present.
    func hasIdentifiers(of entity: Int) -> Bool { !unindexed.contains(entity) }
}

extension SQLiteIndexing: LateIndexStore {
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
        for column in early.lacking(attributes, of: index, in: model, missing) {
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
    ///
    /// - Parameter forgetStatements: lets go of what is prepared: whatever changes the schema looks at all prepared
    ///   statements, and there are some for each entity.
    func finish(_ forgetStatements: () -> Void) throws(Failure) {
        // No program reads a copy.
        if isCopy { return }
        forgetStatements()
        // The sorter takes as much memory as the page cache may have, and is quicker with less of it.
        try connection.execute("PRAGMA cache_size = -\(SQLiteStore.sorterKiB)")
        try indexAllIdentifiers()
        for entity in dropped.keys.sorted() { try restoreIndexes(of: entity, identifiers: false) }
        var names = try IndexNames(connection)
        for index in missing.tables {
            for column in early.left(of: index, schema) {
                try names.create(on: model.entities[index].table, [column], unique: false)
            }
        }
        for table in missing.linkTables + missing.linkIndexes {
            try names.create(on: table.name, ["target"], unique: false)
        }
        for (index, columns) in missing.indexes where !early.has(columns, of: index) {
            try names.create(on: model.entities[index].table, columns, unique: false)
        }
    }
}

// Writing many objects to a table is faster without its indexes, which are built again when the objects are there: in
// the same transaction, so that no reader sees the table without them.
extension SQLiteIndexing: IndexDroppingStore {
    package func dropIndexes(of entity: Int) throws(Failure) {
        guard dropped[entity] == nil else { return }
        let table = model.entities[entity].table
        let identifier = schema.identifier(of: model.entities[entity])
        let unique = try StoredTable(connection, table)?.indexes ?? []
        var indexes: [DroppedIndex] = []
        for (name, sql) in try explicitIndexes(of: table) {
            let isOnIdentifier = unique.contains { $0.name.isIdentical(to: name) && $0.isUnique(on: identifier) }
            indexes.append(DroppedIndex(sql: sql, isOnIdentifier: isOnIdentifier))
            try connection.execute("DROP INDEX \(quoted(name))")
        }
        dropped[entity] = indexes
        // Indexes that the definition of the table itself makes stay.
        let isIndexed = try StoredTable(connection, table)?.hasIndex(on: identifier, unique: true) ?? false
        if !isIndexed { unindexed.insert(entity) }
    }

    /// The names of the indexes that were created by a statement, with these.
    private func explicitIndexes(of table: String) throws(Failure) -> [(name: String, sql: String)] {
        try connection.rows(
            """
            SELECT name, sql FROM sqlite_schema
            WHERE type = 'index' AND tbl_name = ? COLLATE NOCASE AND sql IS NOT NULL ORDER BY rowid
            """, table
        ) { row in
            (name: row.text(0), sql: row.text(1))
        }
    }

    /// Builds indexes that were dropped: the one on the identifier, or the others. Returns whether there were any.
    @discardableResult
    func restoreIndexes(of entity: Int, identifiers: Bool) throws(Failure) -> Bool {
        let indexes = dropped[entity]?.filter { $0.isOnIdentifier == identifiers } ?? []
        for index in indexes { try connection.execute(index.sql) }
        dropped[entity]?.removeAll { $0.isOnIdentifier == identifiers }
        return !indexes.isEmpty
    }
}
