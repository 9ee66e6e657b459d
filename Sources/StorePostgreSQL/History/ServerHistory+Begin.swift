import SluicePostgreSQL
import SluiceRecords
import SluiceSchema

// The beginning of a run: the rows of tables that get another shape are kept in the old shape.
extension ServerHistory {
    /// Notes that changes belong to a run from now on, and keeps the descriptions of entities before any of them
    /// changes.
    func begin(run: Int, _ check: SchemaCheck) throws(Failure) {
        let history = named("sluice_history")
        let now = try connection.query("SELECT run, is_open FROM \(history)")
        guard now.count > 0 else { return }
        if now.integer(0, 1) == 1 {
            if now.integer(0, 0) == Int64(run) { return }
            try settle(run: Int(now.integer(0, 0)))
        }
        try connection.write("UPDATE \(history) SET run = \(run), is_open = 1")
        try keepModel(run, check)
    }

    /// Keeps what `sluice_model` holds, where that is to change.
    private func keepModel(_ run: Int, _ check: SchemaCheck) throws(Failure) {
        guard check.modelRows.rows.contains(where: \.isChanged) || !check.modelRows.dropped.isEmpty else { return }
        try connection.write(
            "INSERT INTO \(named("sluice_history_change")) (run) VALUES (\(run)) ON CONFLICT DO NOTHING")
        try connection.write(
            """
            INSERT INTO \(named("sluice_history_model")) (run, pipeline, name, description, since)
            SELECT \(run), pipeline, entity, description, run FROM \(named("sluice_model")) ON CONFLICT DO NOTHING
            """)
    }

    /// The tables of the past that get another shape with a run, or have got one by others.
    func closing(_ check: SchemaCheck, _ model: Model) throws(Failure) -> [HistoryTable] {
        let names = Set(changing(check, model).map { ExactText($0) })
        let shapes = try ServerShapes(connection, schema)
        return try openTables().filter { table in
            !check.renaming.isEmpty || names.contains(ExactText(table.name)) || !shapes.hasShape(table)
        }
    }

    /// The tables that a run gives another shape.
    private func changing(_ check: SchemaCheck, _ model: Model) -> [String] {
        check.convertedAttributes.map { model.entities[$0.entity].table }
            + check.missing.columns.map { model.entities[$0.entity].table }
            + check.missing.linkColumns.map(\.table.name)
    }

    /// Keeps all rows of tables that get another shape.
    func close(_ closing: [HistoryTable], run: Int) throws(Failure) {
        let shapes = try ServerShapes(connection, schema)
        for table in closing {
            let present = shapes[table.name]?.map(\.name)
            // The lock keeps others from writing to the table between this and the change.
            if present != nil {
                try connection.write("LOCK TABLE \(dialect.table(table.name)) IN ACCESS EXCLUSIVE MODE")
            }
            var sql = ""
            if let present {
                if shapes.hasShape(table) { sql = try ServerTableText(connection, schema).text(of: table.name) }
                var kept = table
                // Where a program has dropped a column of the identifier, objects can no longer be found by it.
                if !table.identifier.allSatisfy(present.containsExactly) { kept.identifier = [] }
                let isWhole = !table.hasLinks || ["source", "position"].allSatisfy(present.containsExactly)
                if isWhole { try write(triggers(kept).keepAll(columns: present)) }
            }
            try write(triggers(table).drop(isThere: present != nil))
            try tables.close(table.number, until: run, sql: sql)
        }
    }

    func rename(_ renaming: Renaming) throws(Failure) {
        if renaming.isEmpty { return }
        for move in Renaming.Move.inSteps(renaming.tables) {
            try connection.write(
                "UPDATE \(named("sluice_history_object")) SET name = $2 WHERE name = $1", .text(move.from),
                .text(move.to))
        }
        for var table in try tables.all() {
            table.rename(renaming)
            try tables.noteNames(table)
        }
    }
}
