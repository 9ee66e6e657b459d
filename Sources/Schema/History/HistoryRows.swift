import SluiceRecords

// The rows of `sluice_history_table`.
extension HistoryDatabase {
    private var rows: String { dialect.ownTable("sluice_history_table") }

    /// All tables whose past is kept, in all their shapes, the oldest first.
    package func historyTables() throws(Failure) -> [HistoryTable] {
        var tables: [HistoryTable] = []
        try fewRows(
            """
            SELECT number, object, name, has_links, columns, identifier, sql, since, born, until, name_now,
            columns_now\(keepsTypes ? ", types" : "") FROM \(rows) ORDER BY number
            """, []
        ) { row in
            tables.append(
                HistoryTable(
                    number: row.integer(0), object: row.integer(1), name: row.text(2), hasLinks: row.integer(3) != 0,
                    columns: names(in: row.text(4)), types: keepsTypes ? names(in: row.text(12)) : [],
                    identifier: names(in: row.text(5)), sql: row.text(6), since: row.integer(7),
                    isBorn: row.integer(8) != 0, until: row.isNull(9) ? nil : row.integer(9), nameNow: row.text(10),
                    columnsNow: names(in: row.text(11))))
        }
        return tables
    }

    /// Inserts the row of a table, except for its number; returns the number.
    func insert(_ table: HistoryTable) throws(Failure) -> Int64 {
        var texts = [table.name, joined(table.columns), joined(table.identifier), table.sql]
        if keepsTypes { texts.append(joined(table.types)) }
        let parameters = texts.indices.map { dialect.parameter($0 + 1) }
        let types = keepsTypes ? (", types", ", \(parameters[4])") : ("", "")
        return try insertedNumber(
            """
            INSERT INTO \(rows) (number, object, name, has_links, columns, identifier, sql, since, born, name_now,
            columns_now\(types.0)) SELECT coalesce(max(number), 0) + 1, \(table.object), \(parameters[0]),
            \(table.hasLinks ? 1 : 0), \(parameters[1]), \(parameters[2]), \(parameters[3]), \(table.since),
            \(table.isBorn ? 1 : 0), \(parameters[0]), \(parameters[1])\(types.1) FROM \(rows) RETURNING number
            """, texts)
    }

    func insertedNumber(_ sql: String, _ texts: [String]) throws(Failure) -> Int64 {
        guard let number = try integers(sql, texts.map { .text($0) }).first else {
            throw Failure(.defect, "a table got no number")
        }
        return number
    }

    /// Records what a table is called from now on.
    func recordNames(_ table: HistoryTable) throws(Failure) {
        try write(
            """
            UPDATE \(rows) SET name_now = \(dialect.parameter(1)), columns_now = \(dialect.parameter(2))
            WHERE number = \(table.number)
            """, [.text(table.nameNow), .text(joined(table.columnsNow))])
    }

    /// Records what makes a table again.
    func record(text: String, of table: HistoryTable) throws(Failure) {
        try write(
            "UPDATE \(rows) SET sql = \(dialect.parameter(1)) WHERE number = \(table.number)", [.text(text)])
    }

    /// Records that a table has had another shape until a run.
    func close(_ table: HistoryTable, until run: Int) throws(Failure) {
        try write("UPDATE \(rows) SET until = \(run) WHERE number = \(table.number)")
    }
}
