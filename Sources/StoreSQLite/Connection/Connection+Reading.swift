import SluiceRecords

// Queries that are asked once: prepared, given their parameters, which are texts, and read to the end.
extension Connection {
    /// What each row of a query says.
    package func rows<Row>(
        _ sql: String, _ texts: String..., row: (Statement) throws(Failure) -> Row
    ) throws(Failure) -> [Row] {
        let statement = try bound(sql, texts)
        var rows: [Row] = []
        while try statement.step() { rows.append(try row(statement)) }
        return rows
    }

    /// Hands out the rows of a query.
    package func forEachRow(
        _ sql: String, _ texts: String..., each: (Statement) throws(Failure) -> Void
    ) throws(Failure) {
        let statement = try bound(sql, texts)
        while try statement.step() { try each(statement) }
    }

    /// The first column of all rows.
    package func texts(_ sql: String, _ texts: String...) throws(Failure) -> [String] {
        let statement = try bound(sql, texts)
        var found: [String] = []
        while try statement.step() { found.append(statement.text(0)) }
        return found
    }

    /// The first column of the first row, or nil where there is no row.
    package func integer(_ sql: String, _ texts: String...) throws(Failure) -> Int64? {
        let statement = try bound(sql, texts)
        return try statement.step() ? statement.integer(0) : nil
    }

    /// The first column of the first row, or nil where there is no row.
    package func text(_ sql: String, _ texts: String...) throws(Failure) -> String? {
        let statement = try bound(sql, texts)
        return try statement.step() ? statement.text(0) : nil
    }

    private func bound(_ sql: String, _ texts: [String]) throws(Failure) -> Statement {
        let statement = try prepare(sql)
        for (index, text) in texts.enumerated() { statement.bind(index + 1, text) }
        return statement
    }

    /// Whether there is a table of a name, in whatever case: SQLite has one of them only.
    ///
    /// - Parameter schema: what the connection calls the database.
    package func hasTable(_ name: String, in schema: String = "main") throws(Failure) -> Bool {
        try integer("SELECT 1 FROM \(schema).sqlite_schema WHERE type = 'table' AND name = ? COLLATE NOCASE", name)
            != nil
    }

    /// All columns of a table that hold something: not those that SQLite computes.
    func storedColumns(of table: String) throws(Failure) -> [String] {
        try texts("SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0 ORDER BY cid", table)
    }
}

extension Statement {
    /// Runs a statement that inserts a row and returns its number; nil: a trigger has kept the row out.
    func insertedNumber() throws(Failure) -> Int64? {
        guard try step() else { return nil }
        let number = integer(0)
        while try step() {}
        return number
    }
}
