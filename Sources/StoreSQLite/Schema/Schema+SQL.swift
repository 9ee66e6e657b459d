import SluiceRecords
import SluiceSchema

// The tables of a model as SQLite has them.
extension Schema {
    func createTable(_ table: Schema.LinkTable) -> String {
        func reference(_ table: String) -> String {
            "REFERENCES \(quoted(table))(\"objectID\") DEFERRABLE INITIALLY DEFERRED"
        }
        let position = "\"position\" INTEGER NOT NULL"
        var columns = ["\"source\" INTEGER NOT NULL \(reference(table.source))"]
        // The columns of the key come first: SQLite's check of a table without rowid misreads others (up to 3.40 at
        // least).
        if !table.isSet { columns.append(position) }
        columns.append("\"target\" INTEGER NOT NULL" + (table.target.map { " " + reference($0) } ?? ""))
        if table.target == nil { columns.append("\"target_entity\" TEXT NOT NULL") }
        if table.isSet { columns.append(position) }
        columns += table.values.map { definition(of: $0) }
        let key = table.isSet ? table.columnNames.dropLast() : table.columnNames.prefix(2)
        columns.append("PRIMARY KEY (\(key.map(quoted).joined(separator: ", ")))")
        return "CREATE TABLE \(quoted(table.name)) (\n  \(columns.joined(separator: ",\n  "))\n) STRICT, WITHOUT ROWID"
    }

    private func definition(of value: Attribute) -> String {
        "\(quoted(value.name)) \(dialect.type(value.conversion.stored))"
    }

    func addColumn(_ value: Attribute, to table: LinkTable) -> String {
        "ALTER TABLE \(quoted(table.name)) ADD COLUMN \(definition(of: value))"
    }

    func createTable(_ entity: Entity) -> String {
        let columns = columns(of: entity).map { definition(of: $0) }
        let all = ["\"objectID\" INTEGER PRIMARY KEY"] + columns
        return "CREATE TABLE \(quoted(entity.table)) (\n  \(all.joined(separator: ",\n  "))\n) STRICT"
    }

    func addColumn(_ column: Column, to entity: Entity) -> String {
        "ALTER TABLE \(quoted(entity.table)) ADD COLUMN \(definition(of: column))"
    }

    private func definition(of column: Column) -> String {
        var sql = "\(quoted(column.name)) \(column.declared)"
        if column.isRequired { sql += " NOT NULL" }
        if let table = column.references {
            sql += " REFERENCES \(quoted(table))(\"objectID\") DEFERRABLE INITIALLY DEFERRED"
        }
        return sql
    }
}
