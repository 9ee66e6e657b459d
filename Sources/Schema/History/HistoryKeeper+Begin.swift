import SluiceRecords

// The beginning of a run: the rows of tables that get another shape are kept in the old shape.
extension HistoryKeeper {
    /// Records that changes belong to a run from now on, and keeps the descriptions of entities before any of them
    /// changes.
    package func begin(run: Int, _ check: SchemaCheck) throws(Failure) {
        guard let now = try state() else { return }
        if now.isOpen {
            if now.run == run { return }
            // That run has not recorded that it has ended.
            try settle(run: now.run)
        }
        try store.write("UPDATE \(ownTable("sluice_history")) SET run = \(run), is_open = 1")
        try keepModel(run, check)
    }

    /// The run to which changes belong, and whether it has begun and not recorded that it has ended.
    func state() throws(Failure) -> (run: Int, isOpen: Bool)? {
        var now: (run: Int, isOpen: Bool)?
        try store.fewRows("SELECT run, is_open FROM \(ownTable("sluice_history"))", []) { row in
            now = (Int(row.integer(0)), row.integer(1) == 1)
        }
        return now
    }

    /// Keeps what `sluice_model` holds, where that is to change.
    private func keepModel(_ run: Int, _ check: SchemaCheck) throws(Failure) {
        guard check.modelRows.isChanged else { return }
        try store.write(
            "INSERT INTO \(ownTable("sluice_history_change")) (run) VALUES (\(run)) ON CONFLICT DO NOTHING")
        try store.write(
            """
            INSERT INTO \(ownTable("sluice_history_model")) (run, pipeline, name, description, since)
            SELECT \(run), pipeline, entity, description, run FROM \(ownTable("sluice_model")) WHERE true
            ON CONFLICT DO NOTHING
            """)
    }

    /// The tables of the past that get another shape with a run, or have got one by others.
    package func closing(_ check: SchemaCheck, _ model: Model) throws(Failure) -> [HistoryTable] {
        let open = try openTables()
        if !check.renaming.isEmpty { return open }
        let changing =
            check.convertedAttributes.map { model.entities[$0.entity].table }
            + check.missing.columns.map { model.entities[$0.entity].table }
            + check.missing.linkColumns.map(\.table.name)
        let shapes = try store.shapes()
        var closing: [HistoryTable] = []
        for table in open {
            let keepsShape = dialect.has(table.name, in: changing) ? false : try shapes.hasShape(table, dialect)
            if !keepsShape { closing.append(table) }
        }
        return closing
    }

    /// Keeps all rows of tables that get another shape.
    package func close(_ closing: [HistoryTable], run: Int) throws(Failure) {
        if closing.isEmpty { return }
        let shapes = try store.shapes()
        for table in closing {
            let present = try shapes.columns(of: table.name)?.map(\.name)
            if let present {
                // No other program may write between this and the change.
                try store.lock(table.name)
                if try shapes.hasShape(table, dialect) { try store.record(text: store.text(of: table.name), of: table) }
                let isWhole = !table.hasLinks || ["source", "position"].allSatisfy { dialect.has($0, in: present) }
                if isWhole { try keepAll(table, columns: present) }
            }
            try store.write(store.triggers(of: table).drop(isThere: present != nil))
            try store.close(table, until: run)
        }
    }

    private func keepAll(_ table: HistoryTable, columns present: [String]) throws(Failure) {
        var kept = table
        // Where a program has dropped a column of the identifier, objects can no longer be found by it.
        if !table.identifier.allSatisfy({ dialect.has($0, in: present) }) { kept.identifier = [] }
        try store.write(store.triggers(of: kept).keepAll(columns: present))
    }

    /// Records what tables and columns are called from now on.
    package func rename(_ renaming: Renaming) throws(Failure) {
        if renaming.isEmpty { return }
        for move in Renaming.Move.inSteps(renaming.tables) {
            for object in try objectTables() where dialect.isSame(object.name, move.from) {
                try store.write(
                    """
                    UPDATE \(ownTable("sluice_history_object")) SET name = \(dialect.parameter(1))
                    WHERE number = \(object.number)
                    """, [.text(move.to)])
            }
        }
        for var table in try store.historyTables() {
            table.rename(renaming)
            try store.recordNames(table)
        }
    }
}
