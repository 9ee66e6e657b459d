import CSluiceSQLite
import SluiceRecords
import SluiceSchema

/// Writes a table anew, with columns in another form: row by row, within a transaction, in the memory of the page
/// cache.
struct TableRebuild {
    let connection: Connection
    let table: String
    /// By name.
    let conversions: [FoldedName: FormConversion]

    private static let old = "sluice_moved"

    func perform() throws(Failure) {
        let indexesAndTriggers = try statements("type IN ('index', 'trigger')")
        guard let sql = try statements("type = 'table'").first else {
            throw Failure(.defect, "the store \(connection.path) has no table \(table)")
        }
        // With the old way of renaming, references to the table keep its name: a table of that name is there again
        // soon.
        try connection.execute("PRAGMA legacy_alter_table = ON")
        try connection.execute("ALTER TABLE \(quoted(table)) RENAME TO \(TableRebuild.old)")
        try connection.execute("PRAGMA legacy_alter_table = OFF")
        var changed = TableSQL(sql)
        changed.set(conversions.mapValues(\.to.column))
        try connection.execute(changed.sql)
        try checkTypes()
        try copy()
        try connection.execute("DROP TABLE \(TableRebuild.old)")
        for sql in indexesAndTriggers { try makeAgain(sql) }
    }

    /// Runs a statement that may fail as two different values are equal in the new form: `1` and `1.0`.
    private func makeAgain(_ sql: String) throws(Failure) {
        do throws(Failure) {
            try connection.execute(sql)
        } catch {
            guard error.message.contains("UNIQUE constraint failed") else { throw error }
            throw FormChange.refusal(ofTwins: table, in: connection.path, error.message)
        }
    }

    private func statements(_ condition: String) throws(Failure) -> [String] {
        try connection.texts(
            """
            SELECT sql FROM sqlite_schema WHERE tbl_name = ? COLLATE NOCASE AND sql IS NOT NULL AND \(condition)
            ORDER BY rowid
            """, table)
    }

    private func checkTypes() throws(Failure) {
        let new = try StoredTable(connection, table)
        for (name, conversion) in conversions {
            guard let column = new?.columns.first(where: { FoldedName($0.name) == name }),
                column.type == conversion.to.column.rawValue
            else {
                throw Failure(
                    .definition,
                    "the table \(table) of the store \(connection.path) cannot be given a column of another type, as it"
                        + " was not made by sluice")
            }
        }
    }

    private func copy() throws(Failure) {
        let names = try connection.storedColumns(of: TableRebuild.old)
        let list = names.map(quoted).joined(separator: ", ")
        let rows = try connection.prepare("SELECT \(list) FROM \(TableRebuild.old) ORDER BY \"objectID\"")
        let values = names.map { _ in "?" }.joined(separator: ", ")
        let insertion = try connection.prepare("INSERT INTO \(quoted(table)) (\(list)) VALUES (\(values))")
        let conversions = names.map { self.conversions[FoldedName($0)] }
        defer { rows.reset() }
        while try rows.step() {
            for (column, conversion) in conversions.enumerated() {
                if let conversion, let value = rows.storedValue(column) {
                    insertion.bind(column + 1, stored: conversion.convert(value))
                } else {
                    insertion.bind(column + 1, rows, column)
                }
            }
            try insertion.run()
        }
    }
}

extension Statement {
    /// Binds what a row of another statement has in a column.
    fileprivate func bind(_ index: Int, _ row: Statement, _ column: Int) {
        _ = unsafe sqlite3_bind_value(handle, Int32(index), sqlite3_column_value(row.handle, Int32(column)))
    }

    func bind(_ index: Int, stored value: StoredValue?) {
        switch value {
        case .integer(let value): bind(index, value)
        case .real(let value): _ = unsafe sqlite3_bind_double(handle, Int32(index), value)
        case .text(let text): bind(index, text)
        case .blob, nil: bind(index, nil as String?)
        }
    }
}
