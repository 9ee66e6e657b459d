import SluicePostgreSQL
import SluiceRecords
import SluiceSchema

// A dry run has tables of its own, as they are at one moment.
extension ServerBeginning {
    /// Copies the tables, and lets the server refuse whatever is written elsewhere.
    func beginDry() throws(Failure) -> ServerRunQuestions {
        for (name, columns) in storedTables { try copy(name, columns) }
        for table in ServerSchema.ownTables(store.namespace) { try connection.write(table) }
        if store.found.hasLedger {
            for table in OwnRows.tables where store.found.ownTables.contains(table) && !use.isRehearsal {
                try connection.write("INSERT INTO \(named(table)) SELECT * FROM \(store.stored(table))")
            }
        }
        try reshapeCopies()
        try addColumns()
        try createTemporaryTables()
        let questions = try ServerRunQuestions(makingCopiesOf: store, history)
        try questions.keepPrevious()
        try connection.write("SET TRANSACTION READ ONLY")
        return questions
    }

    /// The tables of the model that the store has, as it calls them; with those of their columns that may be null by
    /// the definition.
    private var storedTables: [(name: String, columns: [String])] {
        let new = Set(
            (check.missing.tables.map { model.entities[$0].table } + check.missing.linkTables.map(\.name))
                .map { ExactText($0) })
        let tables = model.entities.flatMap { entity in
            let columns = schema.columns(of: entity).filter { !$0.isRequired }.map(\.name)
            return [
                (name: entity.table, columns: columns.map { check.renaming.nameBefore(column: $0, of: entity.table) })
            ]
                + schema.linkTables(of: entity).map { (name: $0.name, columns: $0.values.map(\.name)) }
        }
        return tables.filter { !new.contains(ExactText($0.name)) }
            .map { (name: check.renaming.nameBefore(table: $0.name), columns: $0.columns) }
    }

    private func copy(_ table: String, _ columns: [String]) throws(Failure) {
        let rows = use.isRehearsal ? " WITH NO DATA" : ""
        try connection.write("CREATE TEMP TABLE \(quoted(table)) AS SELECT * FROM \(store.stored(table))\(rows)")
        try store.found.strangers.hold(copyOf: table, columns: columns)
    }

    private func reshapeCopies() throws(Failure) {
        var renaming = check.renaming
        // Tables of other pipelines, and those that this one no longer has, were not copied.
        let tables = Set(model.entities.flatMap { [$0.table] + schema.linkTables(of: $0).map(\.name) })
        renaming.linkTables.removeAll { !tables.contains($0.to) }
        renaming.entityColumns.removeAll { !tables.contains($0.table) }
        try reshape(renaming, Set(OwnRows.tables))
    }

    /// Creates the tables that the store lacks, and the keys and indexes of all.
    private func createTemporaryTables() throws(Failure) {
        let sql = sql
        for (index, entity) in model.entities.enumerated() {
            if check.missing.tables.contains(index) { try connection.write(sql.createTable(entity)) }
            for key in sql.keys(entity) { try connection.write(key) }
            for column in schema.columns(of: entity) where column.isIndexed {
                try connection.write(sql.index(entity.table, [column.name]))
            }
            for links in schema.linkTables(of: entity) {
                let isNew = check.missing.linkTables.contains { $0.name.isIdentical(to: links.name) }
                if isNew { try connection.write(sql.createTable(links)) }
                try connection.write(sql.keys(links))
                try connection.write(sql.index(links.name, ["target"]))
            }
        }
    }
}
