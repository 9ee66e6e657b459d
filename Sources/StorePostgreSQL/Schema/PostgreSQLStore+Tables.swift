import SluicePostgreSQL
import SluiceRecords
import SluiceSchema

// Tables that come, and that grow.
extension PostgreSQLStore {
    /// Brings existing tables into the shape of the definition, in a transaction of its own: readers are kept out only
    /// for a moment, or, where values take another form, until their table is written anew.
    func grow() throws(Failure) {
        let history = try historyGrowth()
        if isInShape, history.isEmpty { return }
        try connection.write("BEGIN")
        try closeHistory(history)
        try views.remove(reshapes ? check.views.before : check.views.removed)
        if reshapes {
            try removeStaleSideIndexes()
            for table in ServerSchema.ownTables(namespace) { try connection.write(table) }
            try reshape(check.renaming, ownTables)
            // This change stays even if the run fails, so `sluice_model` says it at once.
            try describe()
        }
        try addColumns()
        try resumeHistory(history)
        // Not later: the run would wait for readers of an old view, with all its work uncommitted.
        try views.make()
        if reshapes { try makeSideIndexes() }
        try connection.execute("COMMIT")
    }

    /// Whether nothing is to be done to tables and views that are there.
    private var isInShape: Bool {
        !reshapes && check.missing.columns.isEmpty && check.missing.linkColumns.isEmpty && check.views.before.isEmpty
            && check.views.added.isEmpty
    }

    /// Whether something has another name, or values have another form.
    private var reshapes: Bool { !check.renaming.isEmpty || !check.formChanges.isEmpty }

    var views: ServerViews {
        ServerViews(
            connection: connection, schema: location.schema, namespace: namespace,
            descriptions: check.modelRows.descriptions)
    }

    /// Renames what has another name, and writes anew what has another form.
    func reshape(_ renaming: Renaming, _ ownTables: Set<String>) throws(Failure) {
        try ServerRenaming(
            connection: connection, renaming: renaming, namespace: namespace, ownTables: ownTables
        ).perform()
        try ServerFormMigration(
            connection: connection, model: model, changes: check.formChanges, before: check.modelRows.before,
            after: check.modelRows.descriptions, namespace: namespace
        ).perform()
    }

    func addColumns() throws(Failure) {
        for (index, column) in check.missing.columns {
            try connection.write(
                "ALTER TABLE \(named(model.entities[index].table)) ADD COLUMN \(ServerSchema.definition(of: column))")
        }
        for (table, value) in check.missing.linkColumns {
            try connection.write(
                "ALTER TABLE \(named(table.name)) ADD COLUMN \(ServerSchema.definition(of: value))")
        }
    }

    private func describe() throws(Failure) {
        try ServerModelTable(connection, named("sluice_model")).write(
            check.modelRows.rows, dropping: check.modelRows.dropped, run: run)
    }

    func createTables() throws(Failure) {
        let sql = ServerSchema(schema: schema, namespace: namespace)
        // Tables that others may see before the run has ended have their keys from the beginning.
        for index in check.missing.tables {
            try connection.write(sql.createTable(model.entities[index]))
            if use.savesAtEnd {
                unindexed.insert(index)
            } else {
                for key in sql.keys(model.entities[index]) { try connection.write(key) }
            }
        }
        for table in check.missing.linkTables {
            try connection.write(sql.createTable(table))
            if !use.savesAtEnd { try connection.write(sql.keys(table)) }
        }
        // Not later: rows whose foreign keys are still to be checked would prevent it.
        for (index, columns) in check.missing.indexes {
            try connection.write(sql.index(model.entities[index].table, columns))
        }
        for table in check.missing.linkIndexes { try connection.write(sql.index(table.name, ["target"])) }
        for table in ServerSchema.ownTables(namespace) { try connection.write(table) }
        if keepsChanges { try connection.write(ServerSchema.create(.changed, namespace)) }
        if !reshapes { try describe() }
    }
}
