import SluiceRecords
import SluiceSchema

/// The tables that belong to sluice, as a store may have them: those of other programs may have the same names.
enum ToolTables {
    /// What the names of tables and triggers that are sluice's own begin with, as a pattern.
    static let names = "sluice\\_%"

    /// The columns that each version of sluice has given them.
    private static let columns: [String: [String]] = {
        let common: [OwnTable] = [.unresolved, .stub, .model, .changed, .fingerprint, .fetch]
        let all = common + OwnTable.history(hasTypes: false)
        var columns = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0.columns) })
        columns["sluice_unresolved"]?.removeAll { $0 == "keys" }
        columns["sluice_run"] = ["run", "pipeline", "started", "status"]
        columns["sluice_seed"] = ["name", "version", "model", "content", "created"]
        columns["sluice_change"] = ["change", "entity", "at", "run", "created", "updated", "deleted"]
        columns["sluice_edit"] = ["entity", "objectID", "attribute", "base", "imported"]
        return columns
    }()

    /// Throws where one of the names is that of something else.
    static func check(_ connection: Connection) throws(Failure) {
        try connection.forEachRow(
            "SELECT name, type FROM sqlite_schema WHERE name LIKE 'sluice\\_%' ESCAPE '\\'"
        ) { row throws(Failure) in
            let (name, type) = (row.text(0), row.text(1))
            guard let needed = columns[name.lowercased()] else { return }
            let own = try connection.texts("SELECT name FROM pragma_table_info(?)", name)
            let missing = needed.filter { need in !own.contains { $0.isSameName(as: need) } }
            if type == "table", missing.isEmpty { return }
            let lack = missing.first.map { "it has no column \($0)" } ?? "it is a \(type)"
            throw Failure(
                .definition,
                "the store \(connection.path) has a \(type) \(name) that sluice has not made: \(lack); give it another name"
            )
        }
    }
}

extension Connection {
    /// Makes one of the tool's own tables, unless it is there.
    func create(_ table: OwnTable) throws(Failure) {
        try execute(
            """
            CREATE TABLE IF NOT EXISTS \(table.name) \(table.body(SQLiteDialect.ownTypes)) \
            STRICT\(table.hasKey ? ", WITHOUT ROWID" : "")
            """)
    }
}
