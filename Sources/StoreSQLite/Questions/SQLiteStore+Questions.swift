import SluiceLoad
import SluiceRecords
import SluiceSchema

extension SQLiteStore: QuestionStore {
    package var questionStore: (any QuestionStore)? { self }

    package func ask(_ question: Question, each: (Answer) throws(Failure) -> Void) throws(Failure) -> Bool {
        // They may ask for words, too.
        try settleWords()
        return try asked.ask(question, each: each)
    }

    private var asked: StoreQuestions { StoreQuestions(connection: connection, model: model, place: use.place) }

    /// The tables of which questions want to know what they held before the run.
    private var previousTables: [PreviousTable] {
        PreviousTable.named(by: use.questions, schema, isMeant: SQLiteStore.isMeant)
    }

    /// As SQLite compares names.
    private static func isMeant(_ name: QuestionText.PreviousName, _ table: String) -> Bool {
        FoldedName(name.name) == FoldedName(table)
    }

    /// Makes room for what was there before: in a database of this connection's own, and before a transaction begins.
    func attachPrevious() throws(Failure) {
        guard !use.questions.isEmpty else { return }
        try connection.attachPrevious()
    }

    /// Checks that all questions can be asked, and keeps what they need, before anything is loaded.
    func beginQuestions() throws(Failure) {
        for table in previousTables {
            try connection.createPrevious(table)
            let list = table.columnList
            try connection.execute(
                "INSERT INTO \(quoted(Question.previous)).\(quoted(table.name)) (\(list)) "
                    + "SELECT \(list) FROM main.\(quoted(table.name))")
        }
        for question in use.questions { try asked.check(question) }
    }

    /// Throws why questions cannot be asked of any store of a model: they are tried in one that is empty.
    package static func rehearse(
        _ questions: [Question], _ model: Model, place: @escaping ([String]) -> Failure.Place?
    ) throws(Failure) {
        guard !questions.isEmpty else { return }
        let schema = Schema(model: model, dialect: SQLiteDialect())
        let connection = try Connection(path: "the questions", access: .memory)
        for entity in model.entities {
            try connection.execute(schema.createTable(entity))
            for table in schema.linkTables(of: entity) { try connection.execute(schema.createTable(table)) }
            if let search = entity.search {
                try connection.execute(SideIndex.words(entity.table, search).statements[0].sql)
            }
        }
        try connection.attachPrevious()
        for table in PreviousTable.named(by: questions, schema, isMeant: isMeant) {
            try connection.createPrevious(table)
        }
        let asked = StoreQuestions(connection: connection, model: model, place: place)
        for question in questions { try asked.check(question) }
    }

    /// Asks a store that no run has open; what was before is what is there.
    package static func ask(
        _ questions: [Question], path: String, _ model: Model, place: @escaping ([String]) -> Failure.Place?,
        isCancelled: @escaping @Sendable () -> Bool, each: (Question, StoredQuestion) throws(Failure) -> Void
    ) throws(Failure) {
        let reader = try StoreReader(path, patience: lockPatience)
        try reader.read { connection throws(Failure) in
            connection.listen(patience: lockPatience, isCancelled: isCancelled)
            try reader.attachToItself(as: Question.previous)
            try connection.execute("BEGIN")
            let asked = StoreQuestions(connection: connection, model: model, place: place)
            for question in questions {
                try each(question) { answer throws(Failure) in try asked.ask(question, each: answer) }
            }
            try connection.execute("COMMIT")
        }
    }
}

extension Connection {
    /// Makes a database for what was there before, which is gone with the connection.
    fileprivate func attachPrevious() throws(Failure) {
        let name = quoted(Question.previous)
        try execute("ATTACH '' AS \(name)")
        try execute("PRAGMA \(name).journal_mode = OFF; PRAGMA \(name).synchronous = OFF")
    }

    fileprivate func createPrevious(_ table: PreviousTable) throws(Failure) {
        let key = table.hasObjectIDs ? ["\"objectID\" INTEGER PRIMARY KEY"] : []
        let columns = table.columns.map { quoted($0.name) + ($0.type.map { " " + $0 } ?? "") }
        try execute(
            "CREATE TABLE \(quoted(Question.previous)).\(quoted(table.name)) (\((key + columns).joined(separator: ", ")))"
        )
    }
}
