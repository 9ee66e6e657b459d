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

    /// The tables whose rows of before the run the questions ask for.
    private var previousTables: [PreviousTable] {
        PreviousTable.named(by: use.questions, schema, isMeant: SQLiteStore.isMeant)
    }

    /// As SQLite compares names.
    private static func isMeant(_ name: QuestionText.Name, _ table: String) -> Bool {
        FoldedName(name.word.text) == FoldedName(table)
    }

    /// Attaches a database of this connection's own for the earlier rows: must be done before a transaction begins.
    func attachPrevious() throws(Failure) {
        guard !use.questions.isEmpty else { return }
        try connection.attachPrevious()
    }

    /// Checks that all questions can be asked, and keeps what they need, before anything is loaded.
    func beginQuestions() throws(Failure) {
        for table in previousTables {
            try connection.createPrevious(table)
            if use.isRehearsal { continue }
            let list = table.columnList
            try connection.execute(
                "INSERT INTO \(quoted(Question.previous)).\(quoted(table.name)) (\(list)) "
                    + "SELECT \(list) FROM main.\(quoted(table.name))")
        }
        // Views with lists call functions that SQLite 3.40 lets only trusted ones call.
        if !use.questions.isEmpty { connection.trustSchema() }
        for question in use.questions { try asked.check(question) }
    }

    /// Whether a question may name one of these. Where the word means something else in the question, the thing is made
    /// in vain.
    func mayAsk(for names: [String]) -> Bool {
        // In quotes, a quotation mark is two.
        func plain(_ text: String) -> String { text.lowercased().replacingExactly("\"\"", with: "\"") }
        let questions = use.questions.map { plain($0.sql) }
        return names.contains { name in questions.contains { $0.contains(plain(name)) } }
    }

    /// Throws why questions cannot be asked by the next run: they are tried as a dry run would try them.
    package static func rehearse(_ path: String, _ use: StoreUse) throws(Failure) {
        var use = use
        (use.isDry, use.isRehearsal) = (true, true)
        let store = try SQLiteStore(path, use)
        defer {
            store.forgetTables()
            store.connection.close()
            store.file.abandon()
        }
        _ = try store.begin(RunStart(started: ""))
    }

    /// Asks a store that no run has open: the present rows also stand for those of before the run.
    package static func ask(
        _ questions: [Question], path: String, _ model: Model, place: @escaping ([String]) -> Failure.Place?,
        isCancelled: @escaping @Sendable () -> Bool, each: (Question, StoredQuestion) throws(Failure) -> Void
    ) throws(Failure) {
        let reader = try StoreReader(path, patience: lockPatience)
        try reader.read { connection throws(Failure) in
            // As a run does; nothing is written.
            connection.trustSchema()
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
