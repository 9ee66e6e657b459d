import SluicePostgreSQL
import SluiceRecords

// Tables that come, and that grow.
extension PostgreSQLStore {
    /// Adds the columns that tables lack, in a transaction of its own: readers are kept out only for a moment.
    func grow() throws(Failure) {
        if check.newColumns.isEmpty, check.newLinkColumns.isEmpty { return }
        try connection.execute("BEGIN")
        for (index, column) in check.newColumns {
            try connection.execute(
                "ALTER TABLE \(stored(model.entities[index].table)) ADD COLUMN \(ServerSchema.definition(of: column))")
        }
        for (table, value) in check.newLinkColumns {
            try connection.execute(
                "ALTER TABLE \(stored(table.name)) ADD COLUMN \(ServerSchema.definition(of: value))")
        }
        try connection.execute("COMMIT")
    }

    func createTables() throws(Failure) {
        let sql = ServerSchema(schema: schema, namespace: namespace)
        // What others may see before the run has ended has its keys from the beginning.
        for index in check.newTables {
            try connection.execute(sql.createTable(model.entities[index]))
            if use.savesAtEnd {
                unindexed.insert(index)
            } else {
                try connection.execute(sql.keys(model.entities[index]))
            }
        }
        for table in check.newLinkTables {
            try connection.execute(sql.createTable(table))
            if !use.savesAtEnd { try connection.execute(sql.keys(table)) }
        }
        // Later, rows that wait for their foreign keys to be checked would be in the way.
        for (index, columns) in check.newIndexes {
            try connection.execute(sql.index(model.entities[index].table, columns))
        }
        try connection.execute(ServerSchema.ownTables(namespace))
        try ServerModelTable(connection, named("sluice_model")).write(
            check.rows, dropping: check.droppedRows, run: run)
    }
}
