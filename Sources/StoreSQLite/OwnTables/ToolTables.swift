import SluiceRecords
import SluiceSchema

/// The tables that belong to sluice, as a store may have them: those of other programs may have the same names.
enum ToolTables {
    /// What the names of tables and triggers that are sluice's own begin with, as a pattern.
    static let names = "sluice\\_%"

    /// The columns that each version of sluice has given them.
    private static let columns = [
        "sluice_run": ["run", "pipeline", "started", "status"],
        "sluice_unresolved": [
            "entity", "relationship", "objectID", "position", "value", "target", "run", "source", "file", "record",
            "line", "column", "offset", "path",
        ],
        "sluice_stub": ["entity", "objectID"],
        "sluice_model": ["pipeline", "entity", "description", "run"],
        "sluice_seed": ["name", "version", "model", "content", "created"],
        "sluice_change": ["change", "entity", "at", "run", "created", "updated", "deleted"],
        "sluice_changed": ["number", "run", "change", "entity", "first", "last", "kind"],
        "sluice_edit": ["entity", "objectID", "attribute", "base", "imported"],
        "sluice_fingerprint": ["pipeline", "secret", "identity"],
        "sluice_history": ["one", "run", "is_open", "floor"],
        "sluice_history_object": ["number", "highest", "before", "name", "view"],
        "sluice_history_made": ["object", "first", "last", "run"],
        "sluice_history_given": ["object", "o", "run", "is_new"],
        "sluice_history_table": [
            "number", "object", "name", "has_links", "columns", "identifier", "sql", "since", "born", "until",
            "name_now", "columns_now",
        ],
        "sluice_history_model": ["run", "pipeline", "name", "description", "since"],
        "sluice_history_change": ["run"],
        "sluice_fetch": ["pipeline", "source", "request", "etag", "last_modified"],
    ]

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
