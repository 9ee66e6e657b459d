import SluiceRecords
import SluiceSchema

// The beginning of a run: the rows of tables that get another shape are kept in the old shape.
extension StoreHistory {
    /// Begins a run before anything of the store changes: the rows of tables that get another shape are kept in the old
    /// one.
    func begin(run: Int, _ check: SchemaCheck, _ model: Model) throws(Failure) {
        guard try HistoryTables.areThere(connection) else { return }
        if let last = try openRun() { try settle(run: last) }
        try connection.execute("UPDATE sluice_history SET run = \(run), is_open = 1")
        try keepModel(run, check)
        let names = Set(changing(check, model).map { FoldedName($0) })
        var closing: [HistoryTable] = []
        for table in try openTables() {
            try connection.execute(SQLiteHistoryTriggers(table: table).dropOfNew)
            let keepsShape = check.renaming.isEmpty && !names.contains(FoldedName(table.name))
            if keepsShape, try connection.hasTable(table.name), try hasShape(table) { continue }
            closing.append(table)
        }
        if !closing.isEmpty { try PastViews(connection: connection).remove() }
        for table in closing { try close(table, run: run, isThere: connection.hasTable(table.name)) }
        try rename(check.renaming)
    }

    /// The run that was under way, and has not noted that it has ended.
    private func openRun() throws(Failure) -> Int? {
        try connection.integer("SELECT run FROM sluice_history WHERE is_open = 1").map { Int($0) }
    }

    /// The tables of objects in which nothing was changed since the last run.
    func untouchedTables(run: Int) throws(Failure) -> [String] {
        var names: [String] = []
        for table in try openTables() where !table.hasLinks {
            let isTouched = try connection.integer("SELECT 1 FROM \(table.past) WHERE r = \(run) LIMIT 1") != nil
            if !isTouched { names.append(table.name) }
        }
        return names
    }

    /// The tables that a run gives another shape.
    private func changing(_ check: SchemaCheck, _ model: Model) -> [String] {
        check.convertedAttributes.map { model.entities[$0.entity].table }
            + check.missing.columns.map { model.entities[$0.entity].table }
            + check.missing.linkColumns.map(\.table.name)
    }

    private func close(_ table: HistoryTable, run: Int, isThere: Bool) throws(Failure) {
        try connection.execute(SQLiteHistoryTriggers(table: table).drop)
        if isThere {
            if try hasShape(table) { try note(sql: sql(table.name), of: table) }
            let present = try connection.storedColumns(of: table.name)
            var kept = table
            // Where a program has dropped a column of the identifier, objects can no longer be found by it.
            if !table.identifier.allSatisfy({ name in present.contains { $0.isSameName(as: name) } }) {
                kept.identifier = []
            }
            try connection.execute(SQLiteHistoryTriggers(table: kept).keepAll(columns: present))
        }
        try connection.execute("UPDATE sluice_history_table SET until = \(run) WHERE number = \(table.number)")
    }

    private func note(sql: String, of table: HistoryTable) throws(Failure) {
        let statement = try connection.prepare("UPDATE sluice_history_table SET sql = ? WHERE number = ?")
        statement.bind(1, sql)
        statement.bind(2, table.number)
        try statement.run()
    }

    /// Keeps what `sluice_model` holds, where that is to change.
    private func keepModel(_ run: Int, _ check: SchemaCheck) throws(Failure) {
        guard check.modelRows.rows.contains(where: \.isChanged) || !check.modelRows.dropped.isEmpty else { return }
        try connection.execute(
            """
            INSERT INTO sluice_history_change (run) VALUES (\(run));
            INSERT INTO sluice_history_model (run, pipeline, name, description, since)
            SELECT \(run), pipeline, entity, description, run FROM sluice_model;
            """)
    }

    private func rename(_ renaming: Renaming) throws(Failure) {
        if renaming.isEmpty { return }
        let statement = try connection.prepare(
            "UPDATE sluice_history_object SET name = ?2 WHERE name = ?1 COLLATE NOCASE")
        for move in Renaming.Move.inSteps(renaming.tables) {
            statement.bind(1, move.from)
            statement.bind(2, move.to)
            try statement.run()
        }
        for var table in try HistoryTable.all(connection) {
            table.rename(renaming)
            try table.noteNames(connection)
        }
    }
}
