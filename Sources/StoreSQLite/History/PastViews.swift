import SluiceRecords
import SluiceSchema

/// The views that show all versions of objects, one in each row: made, kept in step with the tables, and removed.
struct PastViews {
    let connection: Connection

    /// The names of those that sluice has made.
    static func names(_ connection: Connection) throws(Failure) -> [String] {
        guard try HistoryTables.areThere(connection) else { return [] }
        return try connection.texts("SELECT view FROM sluice_history_object WHERE view IS NOT NULL")
    }

    /// Removes all, so that none keeps a table from being renamed, or from going.
    func remove() throws(Failure) {
        for name in try PastViews.names(connection) { try remove(name) }
        try connection.execute("UPDATE sluice_history_object SET view = NULL")
    }

    private func remove(_ name: String) throws(Failure) {
        // Something else that a program has put in its place stays.
        if try kind(of: name) == "view" { try connection.execute("DROP VIEW \(quoted(name))") }
    }

    /// Makes those that lack, or are not in step.
    ///
    /// - Parameter descriptions: what all pipelines say.
    func make(_ descriptions: [EntityDescription]) throws(Failure) {
        let entities = EntityDescription.joined(descriptions)
        let all = try HistoryTable.all(connection)
        let names = try PastNames(PastConnection(connection), all, entities)
        let shapes = PastShapes(all, SQLiteDialect(), names)
        let tables = try StoredTable.list(connection)
        for entity in entities {
            guard let current = shapes.current(entity.table),
                let table = try StoredTable(connection, entity.table, tables)
            else { continue }
            let past = shapes.relations(table, current)
            var view = EntityView(entity, among: descriptions, table, SQLiteDialect(), past: past)
            try make(past.view, view.sql(), object: current.object)
        }
    }

    private func make(_ name: String, _ sql: String, object: Int64) throws(Failure) {
        let made = try connection.text("SELECT view FROM sluice_history_object WHERE number = \(object)")
        if let made {
            let stored = try connection.text("SELECT sql FROM sqlite_schema WHERE type = 'view' AND name = ?", made)
            if made.isIdentical(to: name), stored?.isIdentical(to: sql) == true { return }
            try remove(made)
        }
        // Another program has given the name to something else.
        guard try kind(of: name) == nil else { return }
        try connection.execute(sql)
        let update = try connection.prepare("UPDATE sluice_history_object SET view = ? WHERE number = \(object)")
        update.bind(1, name)
        try update.run()
    }

    private func kind(of name: String) throws(Failure) -> String? {
        try connection.text("SELECT type FROM sqlite_schema WHERE name = ? COLLATE NOCASE", name)
    }
}
