import SluiceLoad
import SluicePostgreSQL
import SluiceRecords
import SluiceSchema

/// Asks a store what the checks of a definition ask, by a connection that is in a transaction.
struct ServerQuestions {
    let connection: ServerConnection
    let schema: Schema
    /// Where the tables are, as SQL has it: unqualified names are looked for there first.
    let namespace: ServerNamespace
    /// What a table is called as it was before the run, as SQL has it.
    let previous: (_ table: String) -> String
    /// Where in the definition a list of keys leads.
    let place: ([String]) -> Failure.Place?
    /// The copies that stand for parts of the store; nil: the store itself is asked.
    var copies: TemporaryCopies?

    private static let name = "sluice_question"
    /// Rows that are read together.
    private static let chunk = 1000

    /// Throws why a question cannot be asked.
    func check(_ question: Question) throws(Failure) {
        _ = try within(question) { () throws(Failure) in _ = try open(question) }
    }

    /// As `QuestionStore.ask`.
    func ask(_ question: Question, each: (Answer) throws(Failure) -> Void) throws(Failure) -> Bool {
        let end = ContinuousClock.now + .seconds(question.timeout)
        return try within(question) { () throws(Failure) in
            let (columns, identifying) = try open(question)
            let forms = forms(of: columns, question, identifying)
            while true {
                guard end > .now else { throw ServerQuestions.late }
                let rows = try connection.query("FETCH \(ServerQuestions.chunk) FROM \(ServerQuestions.name)")
                for index in 0..<rows.count {
                    let values = zip(columns, ServerQuestions.values(rows, index, forms)).map { ($0, $1) }
                    try each(Answer(values, identifying: identifying))
                }
                if rows.count < ServerQuestions.chunk { break }
            }
        }
    }

    /// How the columns that identify objects have their values, as everywhere else; nil: their types tell.
    private func forms(of columns: [String], _ question: Question, _ identifying: [Int]?) -> [StoredForm?] {
        var forms: [StoredForm?] = Array(repeating: nil, count: columns.count)
        guard let entity = question.entity.map({ schema.model.entities[$0] }) else { return forms }
        for (column, attribute) in zip(identifying ?? [], entity.identifier) {
            forms[column] = entity.attributes[attribute].conversion.stored
        }
        return forms
    }

    /// The values of a row as JSON: of types that stores have as everywhere, of others as the server writes them.
    private static func values(_ rows: ServerRows, _ index: Int, _ forms: [StoredForm?]) -> [String] {
        let row = ServerPastRow(rows: rows, place: index)
        let whole = StoredJSON(row.text(rows.width - 1))?.members ?? []
        return (0..<rows.width - 1).map { column in
            if ServerPastRow.isKnown(rows.type(column)) || whole.count < rows.width - 1 {
                return row.json(column, forms[column])
            }
            return whole[column].value.text
        }
    }

    /// The failure that means that an answer takes too long.
    private static let late = Failure(.defect, "a question takes too long")

    /// Lets a question change nothing, and take no longer than it may; false: it takes longer.
    private func within(_ question: Question, _ body: () throws(Failure) -> Void) throws(Failure) -> Bool {
        let at = place(question.keys("sql"))
        guard QuestionText(question.sql).isQuery else {
            throw question.refusal("it must be one query, which begins with SELECT or WITH", at: at)
        }
        let milliseconds = Int(min(max(question.timeout * 1000, 1), 1e9))
        try connection.execute("SAVEPOINT \(ServerQuestions.name)")
        try connection.execute("SET LOCAL transaction_read_only = on")
        try connection.execute("SET LOCAL statement_timeout = \(milliseconds)")
        try connection.execute("SET LOCAL search_path = \(path), public")
        connection.explanation = { complaint in explained(complaint, question, at) }
        defer { connection.explanation = nil }
        var isAnswered = true
        do throws(Failure) {
            try body()
        } catch {
            guard error == ServerQuestions.late else { throw error }
            isAnswered = false
        }
        connection.explanation = nil
        try connection.execute("ROLLBACK TO SAVEPOINT \(ServerQuestions.name)")
        try connection.execute("RELEASE SAVEPOINT \(ServerQuestions.name)")
        return isAnswered
    }

    /// The search path of names without a schema: the copies first, then the store.
    private var path: String { copies.map { "\(namespace), \(quoted($0.schema))" } ?? namespace.description }

    /// Has the server understand a question; the names of its columns, and which identify an object.
    private func open(_ question: Question) throws(Failure) -> (columns: [String], identifying: [Int]?) {
        try connection.execute(statement(question))
        let none = try connection.query("FETCH FORWARD 0 FROM \(ServerQuestions.name)")
        let columns = (0..<none.width - 1).map(none.name)
        let at = place(question.keys("sql"))
        return (columns, try question.identifying(columns, schema.model, at: at))
    }

    /// A cursor for the rows, each with all of it as JSON.
    private func statement(_ question: Question) -> String {
        let tables = PreviousTable.all(schema).map(\.name)
        let sql = QuestionText(question.sql).replacing { name in
            guard name.isPrevious else { return copies?.replacement(for: name) }
            return tables.first { ServerQuestions.isMeant(name, $0) }.map(previous)
        }
        let end = sql.lastIndex { !$0.isWhitespace && $0 != ";" }.map { sql.index(after: $0) } ?? sql.endIndex
        return
            "DECLARE \(ServerQuestions.name) NO SCROLL CURSOR FOR SELECT q.*, row_to_json(q) FROM (\(sql[..<end])\n) q"
    }

    /// As PostgreSQL compares names.
    static func isMeant(_ name: QuestionText.Name, _ table: String) -> Bool { name.word.folded.isIdentical(to: table) }

    /// The failure where the question itself is wrong; nil: the complaint is about the store.
    private func explained(_ complaint: ServerComplaint, _ question: Question, _ at: Failure.Place?) -> Failure? {
        if complaint.code == "57014" { return connection.isEnding ? nil : ServerQuestions.late }
        guard ["22", "42", "0A", "21", "25", "26", "2F", "54", "P0"].contains(complaint.code.prefix(2)) else {
            return nil
        }
        let rest = complaint.place.map { statement(question).dropFirst($0) } ?? ""
        let hint = complaint.hint.hasSuffix(".") ? String(complaint.hint.dropLast()) : complaint.hint
        return question.refusal(complaint.message + Question.excerpt(rest) + hint, at: at)
    }
}
