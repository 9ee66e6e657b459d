import SluicePostgreSQL
import SluiceRecords
import SluiceSchema

// Tables that come, and that grow.
extension ServerBeginning {
    /// Brings existing tables into the shape of the definition, in a transaction of its own: readers are kept out only
    /// for a moment, or, where values take another form, until their table is written anew.
    func grow() throws(Failure) {
        let growth = try history.growth()
        if isInShape, growth.isEmpty { return }
        try connection.write("BEGIN")
        try history.close(growth)
        try store.views.remove(reshapes ? check.views.before : check.views.removed)
        if reshapes {
            try sides.removeStale()
            for table in ServerSchema.ownTables(store.namespace) { try connection.write(table) }
            try reshape(check.renaming, store.found.ownTables)
            // This change stays even if the run fails, so `sluice_model` says it at once: with the earlier names, so
            // that a definition which has them again is not taken for one of something new.
            try describe()
        }
        try addColumns()
        try history.resume(growth)
        // Not later: the run would wait for readers of an old view, with all its work uncommitted.
        let hasMadeViews = try store.views.make()
        if reshapes { try sides.make() }
        try connection.execute("COMMIT")
        store.entry.isReshaped = !hasAllColumns || hasMadeViews || !check.views.removed.isEmpty
    }

    /// Whether nothing is to be done to tables and views that are there.
    private var isInShape: Bool {
        hasAllColumns && check.views.before.isEmpty && check.views.added.isEmpty
    }

    /// Whether all columns are there, under their names and in their forms.
    private var hasAllColumns: Bool {
        !reshapes && check.missing.columns.isEmpty && check.missing.linkColumns.isEmpty
    }

    /// Whether something has another name, or values have another form.
    private var reshapes: Bool { !check.renaming.isEmpty || !check.formChanges.isEmpty }

    private var sides: WantedServerSideIndexes { WantedServerSideIndexes(store) }

    private func describe() throws(Failure) {
        try ServerModelTable(connection, named("sluice_model")).write(
            check.modelRows.rows, dropping: check.modelRows.dropped, run: run)
    }

    func createTables() throws(Failure) {
        let sql = sql
        // Tables that others may see before the run has ended have their keys from the beginning.
        for index in check.missing.tables {
            try connection.write(sql.createTable(model.entities[index]))
            if use.savesAtEnd { continue }
            for key in sql.keys(model.entities[index]) { try connection.write(key) }
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
        for table in ServerSchema.ownTables(store.namespace) { try connection.write(table) }
        if store.keepsChanges { try connection.write(ServerSchema.create(.changed, store.namespace)) }
        if !reshapes { try describe() }
    }
}
