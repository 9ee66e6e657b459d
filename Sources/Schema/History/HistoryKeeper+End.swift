import SluiceRecords

// The end of a run: what it has made and changed is settled, and what is too old is forgotten.
extension HistoryKeeper {
    /// Ends a run: records which objectIDs it gave out. From then on, all changes belong to the next one.
    package func settle(run: Int) throws(Failure) {
        // A run that fails before it saves anything is undone together with what it settled of one that had died.
        if let now = try state(), now.isOpen, now.run < run { try settle(run: now.run) }
        let shapes = try store.shapes()
        var present: [HistoryTable] = []
        for table in try openTables() where try shapes.columns(of: table.name) != nil {
            present.append(table)
            if table.hasLinks { continue }
            // What a program has given another shape since the last run, the next one settles.
            guard try shapes.hasShape(table, dialect) else { continue }
            try store.dropUnchanged(table, run: run)
            try recordMade(table, run: run)
        }
        try store.createTriggers(of: present)
        try store.write("UPDATE \(ownTable("sluice_history_object")) SET before = \(Int64.max)")
        try store.write("UPDATE \(ownTable("sluice_history")) SET run = \(run + 1), is_open = 0")
    }

    private func recordMade(_ table: HistoryTable, run: Int) throws(Failure) {
        let highest = "coalesce((SELECT max(\"objectID\") FROM \(dialect.table(table.name))), 0)"
        let objects = ownTable("sluice_history_object")
        try store.write(
            """
            INSERT INTO \(ownTable("sluice_history_made")) (object, first, last, run)
            SELECT number, highest + 1, \(highest), \(run) FROM \(objects)
            WHERE number = \(table.object) AND highest < \(highest)
            """)
        try store.write(
            "UPDATE \(objects) SET highest = \(dialect.greatest)(highest, \(highest)) WHERE number = \(table.object)")
    }

    // MARK: What is forgotten

    /// Forgets all of the past, and keeps nothing of it any more.
    package func forget() throws(Failure) {
        try removeViews()
        try drop(store.historyTables(), of: objectTables().map(\.number))
        for table in OwnTable.history(hasTypes: store.keepsTypes) {
            try store.write("DROP TABLE \(ownTable(table.name))")
        }
    }

    /// Forgets the past of a pipeline's tables, and keeps nothing of it any more; what is kept of other pipelines'
    /// stays.
    ///
    /// - Returns: whether that was all.
    package func forget(ofPipeline names: [String]) throws(Failure) -> Bool {
        let others = try objectTables().filter { !dialect.has($0.name, in: names) }
        if others.isEmpty { try forget() } else { try forget(names) }
        return others.isEmpty
    }

    /// Forgets the past of some tables of objects, and of their links, and keeps nothing of it any more.
    package func forget(_ names: [String]) throws(Failure) {
        let gone = try objectTables().filter { dialect.has($0.name, in: names) }.map(\.number)
        if gone.isEmpty { return }
        try removeViews()
        try drop(store.historyTables().filter { gone.contains($0.object) }, of: gone)
        for object in gone {
            for name in ["sluice_history_table", "sluice_history_made", "sluice_history_given"] {
                try store.write("DELETE FROM \(ownTable(name)) WHERE object = \(object)")
            }
            try store.write("DELETE FROM \(ownTable("sluice_history_object")) WHERE number = \(object)")
        }
    }

    /// Drops the triggers and the past rows of tables, and the places of objects.
    private func drop(_ tables: [HistoryTable], of objects: [Int64]) throws(Failure) {
        let shapes = try store.shapes()
        for table in tables {
            if table.until == nil {
                let isThere = try shapes.columns(of: table.name) != nil
                try store.write(store.triggers(of: table).drop(isThere: isThere))
            }
            try store.write("DROP TABLE IF EXISTS \(ownTable(table.past))")
        }
        for object in objects { try store.write("DROP TABLE IF EXISTS \(ownTable(HistoryTable.place(object)))") }
    }

    /// Forgets what ended before the part of the past that is to stay.
    ///
    /// - Parameter now: when the run started: RFC 3339, UTC.
    package func trim(_ keep: HistoryKeep, run: Int, now: String) throws(Failure) {
        let floor =
            switch keep {
            case .runs(let count): run - count
            case .days(let count): try lastRun(endedDays: count, before: now)
            }
        guard floor > 0 else { return }
        let tables = try store.historyTables()
        let isForgotten = { (table: HistoryTable) in
            store.dropsForgottenShapes && table.until.map { $0 <= floor } ?? false
        }
        if tables.contains(where: isForgotten) { try removeViews() }
        try keepBeginnings(tables.filter { $0.until.map { $0 > floor } ?? true }, before: floor)
        for table in tables {
            if !table.hasLinks {
                try store.write(
                    """
                    DELETE FROM \(ownTable(HistoryTable.place(table.object))) WHERE (r, o) IN (
                      SELECT f, o FROM \(ownTable(table.past)) WHERE r <= \(floor))
                    """)
            }
            if isForgotten(table) {
                try store.write("DROP TABLE \(ownTable(table.past))")
                try store.write("DELETE FROM \(ownTable("sluice_history_table")) WHERE number = \(table.number)")
            } else {
                try store.write("DELETE FROM \(ownTable(table.past)) WHERE r <= \(floor)")
            }
        }
        // The notes of which run has made an object stay: the object, or a row of its past, is still there.
        for name in ["sluice_history_model", "sluice_history_change"] {
            try store.write("DELETE FROM \(ownTable(name)) WHERE run <= \(floor)")
        }
        try store.write("UPDATE \(ownTable("sluice_history")) SET floor = \(dialect.greatest)(floor, \(floor))")
    }

    /// Records from which run on it is known what objects are whose versions of before are about to be deleted: it
    /// follows from these alone.
    ///
    /// - Parameter floor: what ended with this run, or before, is deleted.
    private func keepBeginnings(_ tables: [HistoryTable], before floor: Int) throws(Failure) {
        let given = ownTable("sluice_history_given")
        for object in Set(tables.map(\.object)).sorted() {
            let rows = tables.filter { $0.object == object }.map { table in
                "SELECT o, r, \(table.hasLinks ? dialect.null(dialect.objectID) : "d") AS d FROM \(ownTable(table.past)) WHERE r <= \(floor)"
            }.joined(separator: " UNION ALL ")
            try store.write(
                """
                DELETE FROM \(given) WHERE object = \(object) AND is_new = \(HistoryTable.trimmed)
                AND o IN (SELECT o FROM (\(rows)) p)
                """)
            // Of an object that went, nothing is left.
            try store.write(
                """
                INSERT INTO \(given) (object, o, run, is_new)
                SELECT \(object), o, max(r), \(HistoryTable.trimmed) FROM (\(rows)) p WHERE true GROUP BY o
                HAVING max(d) IS NULL ON CONFLICT DO NOTHING
                """)
        }
    }

    /// The last run that had ended so many days before; 0: there is none that the ledger knows.
    private func lastRun(endedDays count: Int, before now: String) throws(Failure) -> Int {
        let isOlder = dialect.precedes("finished", dialect.parameter(1), days: count)
        let runs = try store.integers(
            "SELECT coalesce(max(run), 0) FROM \(ownTable("sluice_run")) WHERE \(isOlder)", [.text(now)])
        return Int(runs.first ?? 0)
    }
}
