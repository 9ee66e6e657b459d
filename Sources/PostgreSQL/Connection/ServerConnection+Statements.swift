import CSluicePostgreSQL
import SluiceRecords

// Statements, in the order in which they are sent. Each wait for an answer is a way to the server and back, and so many
// statements as can be go together: those whose answers nobody needs yet are sent and left to the server, and what it
// says of them is taken with the next answer that somebody waits for.
extension ServerConnection {
    /// Looks at what a statement gave that was not waited for.
    package typealias Check = (ServerRows) throws(Failure) -> Void

    /// Statements that are kept prepared: each set of changed columns has one of its own.
    private static let mostPrepared = 256

    // MARK: Waiting for what they give

    /// Runs statements that return nothing.
    package func execute(_ sql: String) throws(Failure) { _ = try runUnprepared(sql) }

    /// Runs statements that are not prepared, and gives rows of texts.
    func runUnprepared(_ sql: String) throws(Failure) -> ServerRows {
        try leavePipeline()
        guard unsafe PQsendQuery(handle, sql) == 1 else { throw lostConnection() }
        return try results(sql)
    }

    /// Runs a statement, which is prepared when it is first met.
    @discardableResult
    package func query(_ sql: String, _ parameters: Parameters) throws(Failure) -> ServerRows {
        try rows(of: sendQuery(sql, parameters))
    }

    /// As `query`, and does not wait for what it gives: `rows(of:)` does. It goes with what is waited for next, or at
    /// once with `hurry`.
    package func sendQuery(_ sql: String, _ parameters: Parameters) throws(Failure) -> ServerAnswer {
        let answer = ServerAnswer()
        try send(sql, parameters, answer, nil)
        return answer
    }

    /// What was asked for.
    package func rows(of answer: ServerAnswer) throws(Failure) -> ServerRows {
        if answer.rows == nil {
            if pipeline.isUnrequested { try awaitAnswers() }
            try takeAnswers { answer.rows == nil }
        }
        guard let rows = answer.rows else { throw lostConnection() }
        return rows
    }

    /// Has the server say soon what it was asked for: it is needed later.
    package func requestFlush() throws(Failure) {
        guard pipeline.isOn, pipeline.isUnrequested else { return }
        guard unsafe PQsendFlushRequest(handle) == 1 else { throw lostConnection() }
        pipeline.isUnrequested = false
        takeIn()
    }

    /// Takes what the server has sent by now of what is not waited for, so that it need not wait until somebody does.
    package func takeIn() {
        guard !pipeline.sent.isEmpty else { return }
        _ = unsafe PQflush(handle)
        _ = unsafe PQconsumeInput(handle)
    }

    // MARK: Not waiting

    /// Runs a statement whose success shows with what is waited for next, and looks at what it gave then.
    package func write(_ sql: String, _ parameters: Parameters, check: Check? = nil) throws(Failure) {
        try send(sql, parameters, nil, check)
    }

    /// As before, of one that is met once, and not prepared.
    package func write(_ sql: String, check: Check? = nil) throws(Failure) {
        try sendOnce(sql, Parameters(), nil, check)
    }

    /// As before, with parameters.
    package func writeOnce(_ sql: String, _ parameters: Parameters) throws(Failure) {
        try sendOnce(sql, parameters, nil, nil)
    }

    /// As `query`, of a statement that is met once, and not prepared.
    package func queryOnce(_ sql: String) throws(Failure) -> ServerRows {
        let answer = ServerAnswer()
        try sendOnce(sql, Parameters(), answer, nil)
        return try rows(of: answer)
    }

    /// Sends rows to a table, see `CopyBuffer`. Whether the server could take them shows with the next statement.
    package func copy(_ sql: String, _ rows: borrowing CopyBuffer, check: Check? = nil) throws(Failure) {
        try leavePipeline()
        guard unsafe PQsendQuery(handle, sql) == 1 else { throw lostConnection() }
        _ = try results(sql)
        let isPut = unsafe rows.withBytes { bytes in
            unsafe PQputCopyData(
                handle, UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self), Int32(bytes.count))
        }
        guard isPut == 1, unsafe PQputCopyEnd(handle, nil) == 1 else { throw lostConnection() }
        pipeline.sent.append(.init(kind: .copy, sql: sql, check: check))
        takeIn()
    }

    /// Waits for all that was sent before, and throws what of it has failed.
    package func awaitAnswers() throws(Failure) {
        if pipeline.sent.isEmpty { return }
        if pipeline.isOn { try endPart() }
        try takeAnswers { true }
    }

    // MARK: Sending

    private func send(
        _ sql: String, _ parameters: Parameters, _ answer: ServerAnswer?, _ check: Check?
    ) throws(Failure) {
        try enterPipeline()
        let name = try statement(sql, parameters)
        let isSent = unsafe parameters.withPointers { values, lengths, formats in
            unsafe PQsendQueryPrepared(handle, name, Int32(parameters.count), values, lengths, formats, 1)
        }
        guard isSent == 1 else { throw lostConnection() }
        try note(.init(kind: .statement, sql: sql, answer: answer, check: check), parameters.byteCount)
    }

    private func sendOnce(
        _ sql: String, _ parameters: Parameters, _ answer: ServerAnswer?, _ check: Check?
    ) throws(Failure) {
        try enterPipeline()
        let isSent = unsafe parameters.withPointers { values, lengths, formats in
            unsafe parameters.types.withUnsafeBufferPointer { types in
                unsafe PQsendQueryParams(
                    handle, sql, Int32(parameters.count), types.baseAddress, values, lengths, formats, 1)
            }
        }
        guard isSent == 1 else { throw lostConnection() }
        try note(.init(kind: .statement, sql: sql, answer: answer, check: check), sql.utf8.count + parameters.byteCount)
    }

    /// The name under which a statement is prepared; a new one is sent to be.
    private func statement(_ sql: String, _ parameters: Parameters) throws(Failure) -> String {
        if let name = prepared[ExactText(sql)] { return name }
        if prepared.count == ServerConnection.mostPrepared {
            try write("DEALLOCATE ALL")
            prepared.removeAll(keepingCapacity: true)
        }
        // Never the same: of those that were to be forgotten, the server may have kept some.
        pipeline.prepared += 1
        let name = "s\(pipeline.prepared)"
        let isSent = unsafe parameters.types.withUnsafeBufferPointer { types in
            unsafe PQsendPrepare(handle, name, sql, Int32(types.count), types.baseAddress)
        }
        guard isSent == 1 else { throw lostConnection() }
        pipeline.sent.append(.init(kind: .preparation, sql: sql))
        prepared[ExactText(sql)] = name
        return name
    }

    /// Notes a statement that was sent. What the server has not taken is bounded, and so is what it has not said.
    private func note(_ sent: ServerPipeline.Sent, _ bytes: Int) throws(Failure) {
        pipeline.sent.append(sent)
        pipeline.isUnrequested = true
        pipeline.unsent += bytes
        if unsafe PQflush(handle) == 0 { pipeline.unsent = 0 }
        if pipeline.unsent > ServerPipeline.mostUnsent {
            try abandoning { () throws(Failure) in try awaitSending() }
            pipeline.unsent = 0
        }
        if pipeline.sent.count > ServerPipeline.mostSent { try awaitAnswers() }
    }

    /// Ends what fails together.
    private func endPart() throws(Failure) {
        if pipeline.sent.last?.kind == .end { return }
        guard unsafe PQpipelineSync(handle) == 1 else { throw lostConnection() }
        pipeline.sent.append(.init(kind: .end, sql: ""))
        pipeline.isUnrequested = false
    }

    private func enterPipeline() throws(Failure) {
        if pipeline.isOn { return }
        try awaitAnswers()
        guard !pipeline.isAbandoned, unsafe PQenterPipelineMode(handle) == 1 else { throw lostConnection() }
        pipeline.isOn = true
    }

    private func leavePipeline() throws(Failure) {
        try awaitAnswers()
        if pipeline.isAbandoned { throw lostConnection() }
        guard pipeline.isOn else { return }
        guard unsafe PQexitPipelineMode(handle) == 1 else { throw lostConnection() }
        pipeline.isOn = false
    }

    // MARK: Answers

    /// Takes the answers of what was sent, the oldest first, while they are wanted. What follows a statement that
    /// failed is left out by the server: then all is taken, and the failure thrown that was the first.
    private func takeAnswers(while isWanted: () -> Bool) throws(Failure) {
        var refused: Failure?
        while let next = pipeline.sent.first, refused != nil || isWanted() {
            pipeline.sent.removeFirst()
            do throws(Failure) {
                guard let rows = try results(next) else { continue }
                next.answer?.rows = rows
                try next.check?(rows)
            } catch {
                if next.kind == .preparation { prepared[ExactText(next.sql)] = nil }
                refused = refused ?? error
                if pipeline.isAbandoned { break }
                do throws(Failure) { if pipeline.isOn { try endPart() } } catch { break }
            }
        }
        if let refused { throw refused }
    }

    /// Nil: it is none of a statement.
    private func results(_ sent: ServerPipeline.Sent) throws(Failure) -> ServerRows? {
        if sent.kind != .end { return try results(sent.sql) }
        try abandoning { () throws(Failure) in try awaitResult() }
        unsafe PQclear(PQgetResult(handle))
        return nil
    }

    /// Waits for what a statement gives: its last result.
    private func results(_ sql: String) throws(Failure) -> ServerRows {
        var last: OpaquePointer?
        var refused: Failure?
        while true {
            do throws(Failure) {
                try abandoning { () throws(Failure) in try awaitResult() }
            } catch {
                // A server that ends says why first.
                if let last = unsafe last { unsafe PQclear(last) }
                throw refused ?? error
            }
            guard let result = unsafe PQgetResult(handle) else { break }
            let status = unsafe PQresultStatus(result)
            switch status {
            case PGRES_TUPLES_OK, PGRES_COMMAND_OK:
                if let last = unsafe last { unsafe PQclear(last) }
                unsafe last = result
            case PGRES_COPY_IN:
                // It has no end before the rows are sent.
                return unsafe ServerRows(result)
            default:
                if refused == nil { refused = unsafe failure(result, sql) }
                unsafe PQclear(result)
            }
        }
        if let refused {
            if let last = unsafe last { unsafe PQclear(last) }
            throw refused
        }
        guard let last = unsafe last else { throw lostConnection() }
        return unsafe ServerRows(last)
    }

    /// Once a wait has failed, nobody knows which statement the server answers next.
    private func abandoning(_ wait: () throws(Failure) -> Void) throws(Failure) {
        do throws(Failure) {
            try wait()
        } catch {
            pipeline.isAbandoned = true
            pipeline.sent.removeAll()
            throw error
        }
    }
}
