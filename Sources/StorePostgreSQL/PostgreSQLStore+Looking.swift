import SluiceLoad
import SluicePostgreSQL
import SluiceRecords
import SluiceSchema

// What commands want to know of a store without a run.
extension PostgreSQLStore {
    /// Compares the model of a pipeline with a store: what a run would do to it first.
    package static func plan(_ location: ServerLocation, _ model: Model, pipeline: String) throws(Failure)
        -> SchemaPreview
    {
        let limits = ServerLimits(model).contradictions
        if !limits.isEmpty { return SchemaPreview(refused: limits) }
        let connection = try location.connectForReading(pipeline)
        let needs = try ServerSearchNeeds(connection).contradictions(model)
        if !needs.isEmpty { return SchemaPreview(refused: needs) }
        let catalog = ServerCatalog(connection, location.schema)
        try catalog.checkForeignKeys(Schema(model: model, dialect: catalog.dialect))
        guard try catalog.hasLedger else {
            let check = try SchemaCheck(catalog, model, pipeline: pipeline)
            var plan = SchemaPreview(refused: check.contradictions)
            plan.isNew = true
            return plan
        }
        return try SchemaPreview(SchemaCheck(catalog, model, pipeline: pipeline), model)
    }

    /// What a pipeline's entities have in a store, by their names.
    package static func storedAttributes(
        _ location: ServerLocation, pipeline: String
    ) throws(Failure) -> [ExactText: [(name: String, form: StoredForm)]] {
        let catalog = ServerCatalog(try location.connectForReading(pipeline), location.schema)
        guard try catalog.hasLedger else { return [:] }
        return try catalog.storedAttributes(of: pipeline)
    }

    /// Throws why questions cannot be asked by the next run: they are tried as a dry run would try them, in tables
    /// without rows.
    package static func rehearse(_ location: ServerLocation, _ use: StoreUse) throws(Failure) {
        var use = use
        (use.isDry, use.isRehearsal) = (true, true)
        let store = try PostgreSQLStore(location, use)
        let number = try store.nextNumber()
        let beginning = ServerBeginning(store, ServerRunHistory(store, run: number), run: number)
        try beginning.beginDry().tryQuestions()
        try store.connection.execute("ROLLBACK")
    }

    /// Asks a store that no run has open: the present rows also stand for those of before the run.
    package static func ask(
        _ questions: [Question], _ location: ServerLocation, _ model: Model, pipeline: String,
        place: @escaping ([String]) -> Failure.Place?, isCancelled: @escaping @Sendable () -> Bool,
        each: (Question, StoredQuestion) throws(Failure) -> Void
    ) throws(Failure) {
        let connection = try location.connectForReading(pipeline, isCancelled: isCancelled)
        let namespace = ServerNamespace(location.schema)
        let schema = Schema(model: model, dialect: ServerDialect(namespace: namespace))
        try connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
        let asked = ServerQuestions(
            connection: connection, schema: schema, namespace: namespace,
            previous: { namespace.named($0) }, place: place)
        for question in questions {
            try each(question) { answer throws(Failure) in try asked.ask(question, each: answer) }
        }
        try connection.execute("COMMIT")
    }
}
