import SluiceLoad
import SluicePostgreSQL
import SluiceRecords
import SluiceSchema

/// What a run does to a store before it writes objects: tables and views get the shape that the definition asks for, or
/// a dry run gets tables of its own.
struct ServerBeginning {
    let store: PostgreSQLStore
    let history: ServerRunHistory
    /// The number of the run.
    let run: Int

    init(_ store: PostgreSQLStore, _ history: ServerRunHistory, run: Int) {
        (self.store, self.history, self.run) = (store, history, run)
    }

    /// Opens the transaction of the run's data, unless it is a dry run, which has been in one all the time. Returns the
    /// questions to the store, which can be asked.
    func perform() throws(Failure) -> ServerRunQuestions {
        let questions: ServerRunQuestions
        if store.isDry {
            questions = try beginDry()
        } else {
            try grow()
            try connection.write("BEGIN")
            try createTables()
            try history.begin()
            questions = ServerRunQuestions(store, history, copies: nil)
            try questions.keepPrevious()
        }
        try questions.tryQuestions()
        try forgetGoneObjects()
        return questions
    }

    var model: Model { store.model }
    var schema: Schema { store.schema }
    var connection: ServerConnection { store.connection }
    var check: SchemaCheck { store.check }
    var use: StoreUse { store.use }
    var sql: ServerSchema { ServerSchema(schema: schema, namespace: store.namespace) }

    func named(_ table: String) -> String { store.named(table) }

    /// Renames what has another name, and writes anew what has another form.
    func reshape(_ renaming: Renaming, _ ownTables: Set<String>) throws(Failure) {
        try ServerRenaming(
            connection: connection, renaming: renaming, namespace: store.namespace, ownTables: ownTables
        ).perform()
        try ServerFormMigration(
            connection: connection, model: model, changes: check.formChanges, before: check.modelRows.before,
            after: check.modelRows.descriptions, namespace: store.namespace
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

    /// Forgets what sluice's own tables say of objects that programs have deleted since the last run: these objects no
    /// longer wait for targets, and a new object that gets the objectID of one of them is no stub.
    private func forgetGoneObjects() throws(Failure) {
        for (index, entity) in model.entities.enumerated() where !check.missing.tables.contains(index) {
            for own in OwnRows.tables {
                try connection.write(
                    OwnRows.deletionOfGone(from: named(own), of: entity.name, in: named(entity.table)))
            }
        }
    }
}
