import SluiceLoad
import SluicePostgreSQL
import SluiceRecords
import SluiceSchema

extension PostgreSQLStore: QuestionStore {
    package var questionStore: (any QuestionStore)? { self }

    package func ask(_ question: Question, each: (Answer) throws(Failure) -> Void) throws(Failure) -> Bool {
        try makeNewPastViews()
        return try asked.ask(question, each: each)
    }

    private var asked: ServerQuestions {
        ServerQuestions(
            connection: connection, schema: schema, namespace: namespace, previous: PostgreSQLStore.previous,
            place: use.place, copies: copies)
    }

    /// What the copy of a table is called.
    private static func previous(_ table: String) -> String { "pg_temp." + quoted("\(Question.previous).\(table)") }

    /// Copies the rows of before the run that questions ask for: a transaction cannot see rows as they were before it
    /// changed them.
    func keepPrevious() throws(Failure) {
        let tables = PreviousTable.named(by: use.questions, schema, isMeant: ServerQuestions.isMeant)
        for table in tables {
            let copy = PostgreSQLStore.previous(table.name)
            try connection.write("CREATE TEMP TABLE \(copy) AS SELECT \(table.columnList) FROM \(named(table.name))")
            try connection.write("ANALYZE \(copy)")
        }
    }

    /// Throws why a question cannot be asked of the store as it will be when the run has loaded all.
    func checkQuestions() throws(Failure) {
        if use.questions.isEmpty { return }
        if isDry { return try check(use.questions) }
        // The questions are tried with what the run makes only at its end.
        try connection.execute("SAVEPOINT sluice_rehearsal")
        try views.make()
        try makeSideFunctions()
        try makeNewPastViews()
        try check(use.questions)
        try connection.execute("ROLLBACK TO SAVEPOINT sluice_rehearsal")
        try connection.execute("RELEASE SAVEPOINT sluice_rehearsal")
    }

    private func check(_ questions: [Question]) throws(Failure) {
        for question in questions { try asked.check(question) }
    }

    /// Makes what queries of a dry run may name besides tables, such as views: over the copies, as a run makes them
    /// over the tables.
    func makeCopiesForQuestions() throws(Failure) {
        if use.questions.isEmpty { return }
        let temporary = try TemporaryCopies.schemaName(connection)
        if !existed { try ServerLedgerTable(connection, named("sluice_run"), pipeline).create() }
        try ServerViews(
            connection: connection, schema: temporary, namespace: namespace, descriptions: check.modelRows.descriptions
        ).make()
        try makeSideFunctions(in: temporary)
        try makeFirstPast(in: temporary)
        copies = try TemporaryCopies(connection, of: location.schema)
    }

    /// Throws why questions cannot be asked by the next run: they are tried as a dry run would try them, in tables
    /// without rows.
    package static func rehearse(_ location: ServerLocation, _ use: StoreUse) throws(Failure) {
        var use = use
        (use.isDry, use.isRehearsal) = (true, true)
        let store = try PostgreSQLStore(location, use)
        try store.beginDry()
        try store.checkQuestions()
        try store.connection.execute("ROLLBACK")
    }

    /// Asks a store that no run has open: the present rows also stand for those of before the run.
    package static func ask(
        _ questions: [Question], _ location: ServerLocation, _ model: Model, pipeline: String,
        place: @escaping ([String]) -> Failure.Place?, isCancelled: @escaping @Sendable () -> Bool,
        each: (Question, StoredQuestion) throws(Failure) -> Void
    ) throws(Failure) {
        let connection = try location.connectForReading(pipeline, isCancelled: isCancelled)
        let namespace = quoted(location.schema)
        let schema = Schema(model: model, dialect: ServerDialect(namespace: namespace))
        try connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
        let asked = ServerQuestions(
            connection: connection, schema: schema, namespace: namespace,
            previous: { namespace + "." + quoted($0) }, place: place)
        for question in questions {
            try each(question) { answer throws(Failure) in try asked.ask(question, each: answer) }
        }
        try connection.execute("COMMIT")
    }
}
