import SluicePostgreSQL
import SluiceRecords
import SluiceSchema

/// Tables, keys and indexes as SQL. Their names are left to the server, but for those of tables: it knows which are
/// taken.
struct ServerSchema {
    let schema: Schema
    /// As SQL has it.
    let namespace: ServerNamespace

    static func definition(of column: Schema.Column) -> String {
        quoted(column.name) + " " + column.declared + (column.declared == "text" ? " COLLATE \"C\"" : "")
    }

    /// Of what links have of their own.
    static func definition(of value: Attribute) -> String {
        let type = ServerType(value.conversion.stored).name
        return quoted(value.name) + " " + type + (type == "text" ? " COLLATE \"C\"" : "")
    }

    // MARK: Entities

    func createTable(_ entity: Entity) -> String {
        let columns = schema.columns(of: entity).map { column in
            ServerSchema.definition(of: column) + (column.isRequired ? " NOT NULL" : "")
        }
        return
            "CREATE TABLE \(namespace.named(entity.table)) (\((["\"objectID\" bigint NOT NULL"] + columns).joined(separator: ", ")))"
    }

    /// The key of a table, and its identifier.
    func keys(_ entity: Entity) -> [String] {
        let identifier = schema.identifier(of: entity).map(quoted).joined(separator: ", ")
        return [
            "ALTER TABLE \(namespace.named(entity.table)) ADD PRIMARY KEY (\"objectID\")",
            "CREATE UNIQUE INDEX ON \(namespace.named(entity.table)) (\(identifier))",
        ]
    }

    func index(_ table: String, _ columns: [String]) -> String {
        "CREATE INDEX ON \(namespace.named(table)) (\(columns.map(quoted).joined(separator: ", ")))"
    }

    func foreignKey(_ table: String, _ column: String, _ target: String) -> String {
        "ALTER TABLE \(namespace.named(table)) ADD FOREIGN KEY (\(quoted(column))) REFERENCES \(namespace.named(target)) (\"objectID\")"
            + " DEFERRABLE INITIALLY DEFERRED"
    }

    // MARK: Links

    func createTable(_ table: Schema.LinkTable) -> String {
        let target =
            ["\"target\" bigint NOT NULL"]
            + (table.target == nil ? ["\"target_entity\" text COLLATE \"C\" NOT NULL"] : [])
        let position = ["\"position\" bigint NOT NULL"]
        let columns =
            ["\"source\" bigint NOT NULL"] + (table.isSet ? target + position : position + target)
            + table.values.map { ServerSchema.definition(of: $0) }
        return "CREATE TABLE \(namespace.named(table.name)) (\(columns.joined(separator: ", ")))"
    }

    func keys(_ table: Schema.LinkTable) -> String {
        let entity = table.target == nil ? ", \"target_entity\"" : ""
        let key = table.isSet ? "\"target\"\(entity)" : "\"position\""
        return "ALTER TABLE \(namespace.named(table.name)) ADD PRIMARY KEY (\"source\", \(key))"
    }

    // MARK: The tool's own

    /// The statement that makes one of the tables, unless it is there.
    static func create(_ table: OwnTable, _ namespace: ServerNamespace) -> String {
        let more = table.name.isIdentical(to: OwnTable.unresolved.name) ? [OwnTable.waitingValues] : []
        return "CREATE TABLE IF NOT EXISTS \(namespace).\(table.name) \(table.body(ServerDialect.ownTypes, with: more))"
    }

    /// What a run needs besides its entities.
    static func ownTables(_ namespace: ServerNamespace) -> [String] {
        [OwnTable.unresolved, .stub, .model, .fetch, .fingerprint].map { create($0, namespace) }
    }
}
