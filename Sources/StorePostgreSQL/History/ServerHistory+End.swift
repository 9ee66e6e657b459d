import SluicePostgreSQL
import SluiceRecords
import SluiceSchema

// The end of a run: what it has made and changed is settled, and what is too old is forgotten.
extension ServerHistory {
    /// Ends a run: notes which objectIDs it gave out. From then on, all changes belong to the next one.
    func settle(run: Int) throws(Failure) {
        let shapes = try ServerShapes(connection, schema)
        let signs = try triggerNames()
        for table in try openTables() where shapes[table.name] != nil {
            if !table.hasLinks, shapes.hasShape(table) {
                try dropUnchanged(table, run: run)
                try noteMade(table, run: run)
            }
            if !signs.contains(ExactText(triggers(table).sign)) { try write(triggers(table).create) }
        }
        try connection.write("UPDATE \(named("sluice_history_object")) SET before = \(Int64.max)")
        try connection.write("UPDATE \(named("sluice_history")) SET run = \(run + 1), is_open = 0")
    }

    private func triggerNames() throws(Failure) -> Set<ExactText> {
        let found = try connection.query(
            """
            SELECT t.tgname::text FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
            JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND t.tgname LIKE 'sluice\\_history\\_%'
            """, .text(schema))
        return Set((0..<found.count).map { ExactText(found.text($0, 0)) })
    }

    private func noteMade(_ table: HistoryTable, run: Int) throws(Failure) {
        let highest = "coalesce((SELECT max(\"objectID\") FROM \(dialect.table(table.name))), 0)"
        let objects = named("sluice_history_object")
        try connection.write(
            """
            INSERT INTO \(named("sluice_history_made")) (object, first, last, run)
            SELECT number, highest + 1, \(highest), \(run) FROM \(objects)
            WHERE number = \(table.object) AND highest < \(highest)
            """)
        try connection.write(
            "UPDATE \(objects) SET highest = greatest(highest, \(highest)) WHERE number = \(table.object)")
    }

    /// Forgets rows that are in the end as they were before the run.
    private func dropUnchanged(_ table: HistoryTable, run: Int) throws(Failure) {
        let pairs = zip(zip(table.pastColumns, table.columns), table.types).map { names, type in
            // JSON has no equality of its own.
            let text = type == "json" ? "::text" : ""
            return " AND t.\(quoted(names.1))\(text) IS NOT DISTINCT FROM p.\(names.0)\(text)"
        }
        try connection.write(
            """
            DELETE FROM \(named(table.past)) p USING \(dialect.table(table.name)) t
            WHERE p.r = \(run) AND t."objectID" = p.o\(pairs.joined()) AND NOT EXISTS (
              SELECT 1 FROM \(named("sluice_history_given")) g WHERE g.object = \(table.object) AND g.o = p.o
              AND g.run = \(run))
            """)
    }

    // MARK: What is forgotten

    /// Forgets all of the past, and keeps nothing of it any more.
    func forget() throws(Failure) {
        let shapes = try ServerShapes(connection, schema)
        for table in try tables.all() {
            if table.until == nil { try write(triggers(table).drop(isThere: shapes[table.name] != nil)) }
            try connection.write("DROP TABLE IF EXISTS \(named(table.past))")
        }
        for object in try objectTables() {
            try connection.write("DROP TABLE IF EXISTS \(named(HistoryTable.place(object.number)))")
        }
        for name in ServerHistoryTables.names { try connection.write("DROP TABLE \(named(name))") }
    }

    /// Forgets the past of some tables of objects, and of their links, and keeps nothing of it any more.
    func forget(_ names: [String]) throws(Failure) {
        let shapes = try ServerShapes(connection, schema)
        let gone = try objectTables().filter { names.containsExactly($0.name) }.map(\.number)
        for table in try tables.all() where gone.contains(table.object) {
            if table.until == nil { try write(triggers(table).drop(isThere: shapes[table.name] != nil)) }
            try connection.write("DROP TABLE IF EXISTS \(named(table.past))")
        }
        for object in gone {
            try connection.write("DROP TABLE IF EXISTS \(named(HistoryTable.place(object)))")
            for name in ["sluice_history_table", "sluice_history_made", "sluice_history_given"] {
                try connection.write("DELETE FROM \(named(name)) WHERE object = \(object)")
            }
            try connection.write("DELETE FROM \(named("sluice_history_object")) WHERE number = \(object)")
        }
    }

    /// Forgets what ended before the part of the past that is to stay. Tables of old shapes stay, empty: to drop one
    /// would wait for the readers of its view.
    ///
    /// - Parameter now: when the run started: RFC 3339, UTC.
    func trim(_ keep: HistoryKeep, run: Int, now: String) throws(Failure) {
        let floor =
            switch keep {
            case .runs(let count): run - count
            case .days(let count): try lastRun(endedDays: count, before: now)
            }
        guard floor > 0 else { return }
        for table in try tables.all() {
            let past = named(table.past)
            if !table.hasLinks {
                try connection.write(
                    """
                    DELETE FROM \(named(HistoryTable.place(table.object))) WHERE (r, o) IN (
                      SELECT f, o FROM \(past) WHERE r <= \(floor))
                    """)
            }
            try connection.write("DELETE FROM \(past) WHERE r <= \(floor)")
        }
        // Which run has made an object stays: it is there, or a row of its past is.
        for name in ["sluice_history_model", "sluice_history_change"] {
            try connection.write("DELETE FROM \(named(name)) WHERE run <= \(floor)")
        }
        try connection.write("UPDATE \(named("sluice_history")) SET floor = greatest(floor, \(floor))")
    }

    /// The last run that had ended so many days before; 0: there is none that the ledger knows.
    private func lastRun(endedDays count: Int, before now: String) throws(Failure) -> Int {
        return Int(
            try connection.query(
                """
                SELECT coalesce(max(run), 0) FROM \(named("sluice_run"))
                WHERE finished::timestamptz <= $1::timestamptz - interval '\(count) days'
                """, .text(now)
            ).integer(0, 0))
    }
}
