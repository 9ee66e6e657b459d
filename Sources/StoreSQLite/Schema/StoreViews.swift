import SluiceRecords
import SluiceSchema

/// The views of a store that are sluice's own: made, kept in step with the tables, and removed.
struct StoreViews {
    let connection: Connection
    /// The names of those that were there before the run, as far as sluice has made them.
    let before: [String]
    /// What all pipelines say from now on.
    let descriptions: [EntityDescription]

    /// Removes all, so that none keeps a table from being written anew.
    func remove() throws(Failure) {
        for name in before { try remove(name) }
        try SQLiteHistory.keeper(connection, isWanted: false)?.removeViews()
    }

    /// Removes those that do not fit the tables any more, which others have changed: each view must fit where
    /// something gets another name. The others stay until then, as views of others may read them.
    func removeUnfit() throws(Failure) {
        let past = try SQLiteHistory.keeper(connection, isWanted: false)?.viewNames() ?? []
        for name in before + past where !fits(name) { try remove(name) }
    }

    private func fits(_ name: String) -> Bool {
        (try? connection.prepare("SELECT 1 FROM \(quoted(name))")) != nil
    }

    private func remove(_ name: String) throws(Failure) {
        // Something else that a program has put in its place stays.
        guard try sql(name) != nil else { return }
        try connection.execute("DROP VIEW \(quoted(name))")
    }

    /// Makes those that lack, or are not in step, and removes those that nobody wants any more.
    func make() throws(Failure) {
        var wanted: Set<FoldedName> = []
        let entities = EntityDescription.viewed(descriptions)
        let tables = entities.isEmpty ? [:] : try StoredTable.list(connection)
        for entity in entities {
            guard let table = try StoredTable(connection, entity.table, tables) else { continue }
            let name = Entity.view(of: entity.table)
            wanted.insert(FoldedName(name))
            var view = EntityView(entity, among: descriptions, table, SQLiteDialect())
            let sql = view.sql()
            guard try self.sql(name)?.isIdentical(to: sql) != true else { continue }
            try remove(name)
            try connection.execute(sql)
        }
        for name in before where !wanted.contains(FoldedName(name)) { try remove(name) }
    }

    private func sql(_ name: String) throws(Failure) -> String? {
        try connection.text("SELECT sql FROM sqlite_schema WHERE type = 'view' AND name = ? COLLATE NOCASE", name)
    }
}
