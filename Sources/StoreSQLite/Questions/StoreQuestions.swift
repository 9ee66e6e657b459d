import CSluiceSQLite
import SluiceLoad
import SluiceRecords
import SluiceSchema

/// Asks a store what the checks of a definition ask, by a connection on which `previous` has what was there before.
struct StoreQuestions {
    let connection: Connection
    let model: Model
    /// Where in the definition a list of keys leads.
    let place: ([String]) -> Failure.Place?

    /// A question that SQLite has understood.
    private struct Prepared {
        let statement: Statement
        let columns: [String]
        let identifying: [Int]?
    }

    /// Throws why a question cannot be asked.
    func check(_ question: Question) throws(Failure) { _ = try prepare(question) }

    /// As `QuestionStore.ask`.
    func ask(_ question: Question, each: (Answer) throws(Failure) -> Void) throws(Failure) -> Bool {
        let prepared = try prepare(question)
        let interruption = connection.interruption
        interruption?.giveUp(after: question.timeout)
        defer { interruption?.giveUp(after: nil) }
        let statement = prepared.statement
        defer { statement.reset() }
        while true {
            let code = unsafe sqlite3_step(statement.handle)
            switch code & 0xff {
            case SQLITE_ROW: try each(answer(prepared))
            case SQLITE_DONE: return true
            case SQLITE_INTERRUPT where interruption?.isGivenUp == true: return false
            default: throw failure(code, question)
            }
        }
    }

    private func answer(_ prepared: Prepared) -> Answer {
        var values: [(name: String, value: String)] = []
        for (index, name) in prepared.columns.enumerated() {
            var arena = Arena()
            defer { arena.deallocate() }
            values.append((name, arena.json(of: prepared.statement.cell(index, in: &arena))))
        }
        return Answer(values, identifying: prepared.identifying)
    }

    private func prepare(_ question: Question) throws(Failure) -> Prepared {
        let at = place(question.keys("sql"))
        guard QuestionText(question.sql).isQuery else {
            throw question.refusal("it must be one query, which begins with SELECT or WITH", at: at)
        }
        let statement = try understood(question)
        guard unsafe sqlite3_stmt_readonly(statement.handle) != 0 else {
            throw question.refusal("a check may only read", at: at)
        }
        if unsafe sqlite3_bind_parameter_count(statement.handle) > 0 {
            throw question.refusal("it has a parameter, and nobody gives it a value", at: at)
        }
        let columns = (0..<(unsafe sqlite3_column_count(statement.handle))).map {
            unsafe sqlite3_column_name(statement.handle, $0).map { unsafe String(cString: $0) } ?? ""
        }
        return Prepared(
            statement: statement, columns: columns, identifying: try question.identifying(columns, model, at: at))
    }

    /// The only statement of a question.
    private func understood(_ question: Question) throws(Failure) -> Statement {
        var (handle, code, isOnly): (OpaquePointer?, Int32, Bool) = (nil, SQLITE_OK, true)
        unsafe question.sql.withCString { sql in
            var tail: UnsafePointer<CChar>?
            code = unsafe sqlite3_prepare_v2(connection.handle, sql, -1, &handle, &tail)
            guard code == SQLITE_OK, let rest = unsafe tail else { return }
            isOnly = unsafe QuestionText(String(cString: rest)).isEmpty
        }
        guard code == SQLITE_OK, let handle = unsafe handle else { throw failure(code, question) }
        let statement = unsafe Statement(connection, prepared: handle)
        guard isOnly else {
            throw question.refusal(
                "it must be one query, and there is another statement", at: place(question.keys("sql")))
        }
        return statement
    }

    /// The failure of a question: an error in the question itself, or one of the store.
    private func failure(_ code: Int32, _ question: Question) -> Failure {
        switch code & 0xff {
        case SQLITE_ERROR, SQLITE_AUTH, SQLITE_TOOBIG, SQLITE_MISMATCH, SQLITE_RANGE, SQLITE_READONLY, SQLITE_OK:
            let message = unsafe String(cString: sqlite3_errmsg(connection.handle))
            let offset = Int(unsafe sqlite3_error_offset(connection.handle))
            let rest = offset < 0 ? "" : String(decoding: question.sql.utf8.dropFirst(offset), as: UTF8.self)
            return question.refusal(message + Question.excerpt(rest), at: place(question.keys("sql")))
        default: return connection.failure(code, doing: "read", question.sql)
        }
    }
}
