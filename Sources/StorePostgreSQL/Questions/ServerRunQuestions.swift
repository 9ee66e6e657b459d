import SluiceLoad
import SluicePostgreSQL
import SluiceRecords
import SluiceSchema

/// The questions of a run to its store: what must be there so that they can be asked, and the asking.
final class ServerRunQuestions {
    private let store: PostgreSQLStore
    private let history: ServerRunHistory
    /// Of a dry run that asks questions: the temporary copies that stand for parts of the store.
    private let copies: TemporaryCopies?

    init(_ store: PostgreSQLStore, _ history: ServerRunHistory, copies: TemporaryCopies?) {
        (self.store, self.history, self.copies) = (store, history, copies)
    }

    /// Makes what queries of a dry run may name besides tables, such as views: over the copies, as a run makes them
    /// over the tables.
    convenience init(makingCopiesOf store: PostgreSQLStore, _ history: ServerRunHistory) throws(Failure) {
        if store.use.questions.isEmpty {
            self.init(store, history, copies: nil)
            return
        }
        let connection = store.connection
        let temporary = try TemporaryCopies.schemaName(connection)
        if !store.found.hasLedger {
            try ServerLedgerTable(connection, store.named("sluice_run"), store.pipeline).create()
        } else if history.isFirst {
            // The views of the past are over it.
            try connection.write(
                "CREATE TEMP VIEW sluice_run AS SELECT * FROM \(store.stored("sluice_run"))")
        }
        try ServerViews(
            connection: connection, schema: temporary, namespace: store.namespace,
            descriptions: store.check.modelRows.descriptions
        ).make()
        try WantedServerSideIndexes(store).makeFunctions(in: temporary)
        try history.makeFirst(in: temporary)
        self.init(store, history, copies: try TemporaryCopies(connection, of: store.location.schema))
    }

    private var connection: ServerConnection { store.connection }
    private var use: StoreUse { store.use }
    private var asked: ServerQuestions {
        ServerQuestions(
            connection: connection, schema: store.schema, namespace: store.namespace,
            previous: ServerRunQuestions.previous,
            place: use.place, copies: copies)
    }

    /// What the copy of a table is called.
    private static func previous(_ table: String) -> String {
        ServerNamespace.temporary.named("\(Question.previous).\(table)")
    }

    /// Copies the rows of before the run that questions ask for: a transaction cannot see rows as they were before it
    /// changed them.
    func keepPrevious() throws(Failure) {
        let tables = PreviousTable.named(by: use.questions, store.schema, isMeant: ServerQuestions.isMeant)
        for table in tables {
            let copy = ServerRunQuestions.previous(table.name)
            try connection.write(
                "CREATE TEMP TABLE \(copy) AS SELECT \(table.columnList) FROM \(store.named(table.name))")
            try connection.write("ANALYZE \(copy)")
        }
    }

    /// Throws why a question cannot be asked of the store as it will be when the run has loaded all.
    func tryQuestions() throws(Failure) {
        if use.questions.isEmpty { return }
        if store.isDry { return try check(use.questions) }
        // The questions are tried with what the run makes only at its end.
        try connection.execute("SAVEPOINT sluice_rehearsal")
        try store.views.make()
        try WantedServerSideIndexes(store).makeFunctions()
        try history.makeNewViews()
        try check(use.questions)
        try connection.execute("ROLLBACK TO SAVEPOINT sluice_rehearsal")
        try connection.execute("RELEASE SAVEPOINT sluice_rehearsal")
    }

    private func check(_ questions: [Question]) throws(Failure) {
        for question in questions { try asked.check(question) }
    }
}

extension ServerRunQuestions: QuestionStore {
    package func ask(_ question: Question, each: (Answer) throws(Failure) -> Void) throws(Failure) -> Bool {
        try history.makeNewViews()
        return try asked.ask(question, each: each)
    }
}
