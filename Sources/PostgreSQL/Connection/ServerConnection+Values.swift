import SluiceRecords

// Statements with values, as those with `Parameters`, which live as long as the statement is sent.
extension ServerConnection {
    /// Runs a statement, which is prepared when it is first met.
    @discardableResult
    package func query(_ sql: String, _ values: ServerValue...) throws(Failure) -> ServerRows {
        try query(sql, values: values)
    }

    /// As before, with a list of values.
    @discardableResult
    package func query(_ sql: String, values: [ServerValue]) throws(Failure) -> ServerRows {
        try with(values) { parameters throws(Failure) in try query(sql, parameters) }
    }

    /// As `query`, and does not wait for what it gives.
    package func sendQuery(_ sql: String, _ values: ServerValue...) throws(Failure) -> ServerAnswer {
        try sendQuery(sql, values: values)
    }

    /// As before, with a list of values.
    package func sendQuery(_ sql: String, values: [ServerValue]) throws(Failure) -> ServerAnswer {
        try with(values) { parameters throws(Failure) in try sendQuery(sql, parameters) }
    }

    /// Runs a statement whose success shows with what is waited for next, and looks at what it gave then.
    package func write(
        _ sql: String, _ first: ServerValue, _ others: ServerValue..., check: Check? = nil
    ) throws(Failure) {
        try write(sql, values: [first] + others, check: check)
    }

    /// As before, with a list of values.
    package func write(_ sql: String, values: [ServerValue], check: Check? = nil) throws(Failure) {
        try with(values) { parameters throws(Failure) in try write(sql, parameters, check: check) }
    }

    private func with<Result>(
        _ values: [ServerValue], _ body: (Parameters) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var parameters = Parameters(values)
        defer { parameters.deallocate() }
        return try body(parameters)
    }
}
