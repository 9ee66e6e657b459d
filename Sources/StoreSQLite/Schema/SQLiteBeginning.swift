import SluiceRecords
import SluiceSchema

/// What a run does to a store before it writes objects, within its transaction: tables, views and indexes get the shape
/// that the definition asks for.
struct SQLiteBeginning {
    private let store: SQLiteStore

    init(_ store: SQLiteStore) { self.store = store }

    private var model: Model { store.model }
    private var schema: Schema { store.schema }
    private var connection: Connection { store.connection }
    private var check: SchemaCheck { store.check }

    /// Returns what defers the writing of words to their indexes; nil: there are none.
    func perform(_ indexes: SQLiteIndexing) throws(Failure) -> LateWords? {
        let views = StoreViews(
            connection: connection, before: check.views.before, descriptions: check.modelRows.descriptions)
        let sides = WantedSideIndexes(store)
        try sides.removeThoseThatChange()
        try rename(views)
        if !check.renaming.isEmpty || !check.formChanges.isEmpty { try views.remove() }
        try renameEdits()
        try FormMigration(
            connection: connection, model: model, changes: check.formChanges, before: check.modelRows.before,
            after: check.modelRows.descriptions
        ).perform()
        try createTables()
        // Tables that others may see, or that stay when the run fails, have their indexes from the beginning.
        if !store.file.isBuilt, !store.file.isCopy { try indexes.indexAllIdentifiers() }
        let modelRows = check.modelRows
        try ModelTable(connection: connection).write(
            modelRows.rows, dropping: modelRows.dropped, run: store.ledger.run)
        try views.make()
        // A new store is filled quicker without.
        guard !store.file.isBuilt || sides.mayAskForWords else { return nil }
        try sides.make()
        return try sides.lateWords()
    }

    /// Gives tables and columns the names of the definition. Views stay meanwhile: SQLite looks at each of them, with
    /// the functions in it, and carries none out.
    private func rename(_ views: StoreViews) throws(Failure) {
        if check.renaming.isEmpty { return }
        try connection.trustingSchema { () throws(Failure) in
            try views.removeUnfit()
            try StoreRenaming(connection: connection, renaming: check.renaming).perform()
        }
    }

    /// Lets edits follow their attributes.
    private func renameEdits() throws(Failure) {
        let renamed = check.renaming.columns.compactMap { move in
            model.entities.first { $0.table.isSameName(as: move.table) }.map { ($0.name, move.from, move.to) }
        }
        try EditTable.rename(renamed, connection)
        try EditTable.followCase(model, connection)
    }

    private func createTables() throws(Failure) {
        for index in check.missing.tables { try connection.execute(schema.createTable(model.entities[index])) }
        for (index, column) in check.missing.columns {
            try connection.execute(schema.addColumn(column, to: model.entities[index]))
        }
        for table in check.missing.linkTables { try connection.execute(schema.createTable(table)) }
        for (table, value) in check.missing.linkColumns { try connection.execute(schema.addColumn(value, to: table)) }
    }

    /// Forgets what sluice's own tables say of objects that programs have deleted since the last run: these objects no
    /// longer wait for targets, and a new object that gets the objectID of one of them is no stub.
    func forgetGoneObjects() throws(Failure) {
        for (index, entity) in model.entities.enumerated() where !check.missing.tables.contains(index) {
            for own in OwnRows.tables {
                try connection.execute(OwnRows.deletionOfGone(from: own, of: entity.name, in: quoted(entity.table)))
            }
        }
    }
}
