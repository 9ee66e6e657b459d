import SluiceLoad
import SluicePostgreSQL
import SluiceRecords
import SluiceSchema

extension PostgreSQLStore: QuestionStore {
    package var questionStore: (any QuestionStore)? { self }

    package func ask(_ question: Question, each: (Answer) throws(Failure) -> Void) throws(Failure) -> Bool {
        try asked.ask(question, each: each)
    }

    private var asked: ServerQuestions {
        ServerQuestions(
            connection: connection, schema: schema, namespace: namespace, previous: PostgreSQLStore.previous,
            place: use.place)
    }

    /// What the copy of a table is called.
    private static func previous(_ table: String) -> String { "pg_temp." + quoted("\(Question.previous).\(table)") }

    /// Copies what questions want to know of before the run: rows that a transaction has changed are hidden from it.
    func keepPrevious() throws(Failure) {
        let tables = PreviousTable.named(by: use.questions, schema, isMeant: ServerQuestions.isMeant)
        for table in tables {
            let copy = PostgreSQLStore.previous(table.name)
            try connection.write("CREATE TEMP TABLE \(copy) AS SELECT \(table.columnList) FROM \(named(table.name))")
            try connection.write("ANALYZE \(copy)")
        }
    }

    /// Throws why a question cannot be asked.
    func checkQuestions() throws(Failure) {
        for question in use.questions { try asked.check(question) }
    }

    /// Throws why questions cannot be asked of any store of a model: they are tried in tables that are empty, and gone
    /// then.
    package static func rehearse(
        _ questions: [Question], _ location: ServerLocation, _ model: Model, pipeline: String,
        place: @escaping ([String]) -> Failure.Place?
    ) throws(Failure) {
        guard !questions.isEmpty else { return }
        let connection = try location.connectForReading(pipeline)
        let schema = Schema(model: model, dialect: ServerDialect(namespace: "pg_temp"))
        let sql = ServerSchema(schema: schema, namespace: "pg_temp")
        try connection.write("BEGIN")
        for entity in model.entities {
            try connection.write(sql.createTable(entity))
            for links in schema.linkTables(of: entity) { try connection.write(sql.createTable(links)) }
        }
        let asked = ServerQuestions(
            connection: connection, schema: schema, namespace: quoted(location.schema),
            previous: { "pg_temp." + quoted($0) }, place: place)
        for question in questions { try asked.check(question) }
        try connection.execute("ROLLBACK")
    }

    /// Asks a store that no run has open; what was before is what is there.
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
