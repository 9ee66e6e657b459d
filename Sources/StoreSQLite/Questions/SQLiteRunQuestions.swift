import SluiceLoad
import SluiceRecords
import SluiceSchema

/// The questions of a run to its store: what must be there so that they can be asked.
struct SQLiteRunQuestions {
    private let connection: Connection
    private let schema: Schema
    private let use: StoreUse

    init(_ store: SQLiteStore) { (connection, schema, use) = (store.connection, store.schema, store.use) }

    var asked: StoreQuestions { StoreQuestions(connection: connection, model: schema.model, place: use.place) }

    /// The tables whose rows of before the run the questions ask for.
    private var previousTables: [PreviousTable] {
        PreviousTable.named(by: use.questions, schema, isMeant: SQLiteRunQuestions.isMeant)
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
    func begin() throws(Failure) {
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
