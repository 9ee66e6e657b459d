import SluiceRecords
import SluiceSchema

extension SchemaCheck {
    init(_ connection: Connection, _ model: Model, pipeline: String) throws(Failure) {
        try self.init(SQLiteCatalog(connection), model, pipeline: pipeline)
        refuse(try connection.ignoringTriggers(model))
    }
}

extension Connection {
    /// The triggers over tables of entities that keep rows as they are, without a word to who writes: a run would count
    /// what it has not written.
    fileprivate func ignoringTriggers(_ model: Model) throws(Failure) -> [SchemaContradiction] {
        let query = """
            SELECT name, tbl_name, sql FROM sqlite_schema
            WHERE type = 'trigger' AND sql LIKE '%raise%ignore%' AND name NOT LIKE '\(ToolTables.names)' ESCAPE '\\'
            """
        let found = try rows(query) { row in (name: row.text(0), table: row.text(1), sql: row.text(2)) }
        return found.filter { $0.sql.ignoresRows }.compactMap { trigger in
            let owner = model.entities.first { entity in
                let links = entity.relationships.filter(\.isMany).map { entity.linkTable(of: $0) }
                return ([entity.table] + links).contains { $0.isSameName(as: trigger.table) }
            }
            guard let owner else { return nil }
            return SchemaContradiction(
                message: "the trigger \(trigger.name) of the table \(trigger.table) keeps rows as they are"
                    + " (RAISE(IGNORE)), and a run would count what it has not written",
                keys: ["entities", owner.name])
        }
    }
}

extension String {
    /// Whether a trigger of this text may keep rows as they are.
    fileprivate var ignoresRows: Bool {
        lowercased().filter { !$0.isWhitespace }.contains("raise(ignore)")
    }
}
