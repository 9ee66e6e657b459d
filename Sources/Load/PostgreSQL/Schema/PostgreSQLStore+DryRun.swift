import SluicePostgreSQL
import SluiceRecords

// A dry run has tables of its own, as they are at one moment.
extension PostgreSQLStore {
    /// Copies the tables, and lets the server refuse whatever is written elsewhere.
    func beginDry() throws(Failure) {
        namespace = "pg_temp"
        let sql = ServerSchema(schema: schema, namespace: namespace)
        for (index, entity) in model.entities.enumerated() {
            if check.newTables.contains(index) {
                try connection.execute(sql.createTable(entity))
            } else {
                try connection.execute(
                    "CREATE TEMP TABLE \(quoted(entity.table)) AS SELECT * FROM \(stored(entity.table))")
                for (place, column) in check.newColumns where place == index {
                    try connection.execute(
                        "ALTER TABLE \(named(entity.table)) ADD COLUMN \(ServerSchema.definition(of: column))")
                }
            }
            try connection.execute(sql.keys(entity))
            for column in schema.columns(of: entity) where column.isIndexed {
                try connection.execute(sql.index(entity.table, [column.name]))
            }
            for links in schema.linkTables(of: entity) {
                if check.newLinkTables.contains(where: { $0.name.isIdentical(to: links.name) }) {
                    try connection.execute(sql.createTable(links))
                } else {
                    try connection.execute(
                        "CREATE TEMP TABLE \(quoted(links.name)) AS SELECT * FROM \(stored(links.name))")
                }
                for (table, value) in check.newLinkColumns where table.name.isIdentical(to: links.name) {
                    try connection.execute(
                        "ALTER TABLE \(named(links.name)) ADD COLUMN \(ServerSchema.definition(of: value))")
                }
                try connection.execute(sql.keys(links))
                try connection.execute(sql.index(links.name, ["target"]))
            }
        }
        try connection.execute(ServerSchema.ownTables(namespace))
        if existed {
            for table in ["sluice_unresolved", "sluice_stub"] where ownTables.contains(table) {
                try connection.execute("INSERT INTO \(named(table)) SELECT * FROM \(stored(table))")
            }
            run = Int(try connection.query("SELECT coalesce(max(run), 0) FROM \(stored("sluice_run"))").integer(0, 0))
        }
        run += 1
        try connection.execute("SET TRANSACTION READ ONLY")
    }
}
