import SluiceRecords

/// A statement that is prepared when it is first needed, and kept: most runs need few of those that they could.
struct PreparedStatement {
    private var made: Statement?

    /// - Parameter sql: the same at each call.
    @inline(__always)
    mutating func get(_ connection: Connection, _ sql: @autoclosure () -> String) throws(Failure) -> Statement {
        if let made { return made }
        let statement = try connection.prepare(sql())
        made = statement
        return statement
    }
}
