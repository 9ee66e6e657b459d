import SluiceLoad
import SluiceRecords
import SluiceSchema

/// An index that is not there for a while.
struct DroppedIndex {
    var sql: String
    /// Whether it is the unique one on the identifier.
    var isOnIdentifier: Bool
}

// Writing many objects to a table is faster without its indexes, which are built again when the objects are there: in
// the same transaction, so that no reader sees the table without them.
extension SQLiteStore: IndexDroppingStore {
    package var indexDroppingStore: (any IndexDroppingStore)? { self }

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
