import SluiceRecords
import SluiceSchema

// The end of a run: what it has made and changed is settled.
extension StoreHistory {
    /// Ends a run: notes which objectIDs it gave out. From then on, all changes belong to the next one.
    ///
    /// - Parameter written: which objects it has written, where that is known.
    func settle(run: Int, _ written: WrittenObjects? = nil) throws(Failure) {
        guard try HistoryTables.areThere(connection) else { return }
        for table in try openTables() where try connection.hasTable(table.name) {
            let triggers = SQLiteHistoryTriggers(table: table)
            if !table.hasLinks {
                try dropUnchanged(table, run: run, among: written?.writtenAgain(in: table.name))
                try noteMade(table, run: run)
            }
            try connection.execute(triggers.create + triggers.createOfNew)
        }
        try connection.execute(
            """
            UPDATE sluice_history_object SET before = \(Int64.max);
            UPDATE sluice_history SET run = \(run + 1), is_open = 0;
            """)
    }

    private func noteMade(_ table: HistoryTable, run: Int) throws(Failure) {
        let highest = "coalesce((SELECT max(\"objectID\") FROM \(quoted(table.name))), 0)"
        try connection.execute(
            """
            INSERT INTO sluice_history_made (object, first, last, run)
            SELECT number, highest + 1, \(highest), \(run) FROM sluice_history_object
            WHERE number = \(table.object) AND highest < \(highest);
            UPDATE sluice_history_object SET highest = max(highest, \(highest)) WHERE number = \(table.object);
            """)
    }

    /// Forgets rows that are in the end as they were before the run.
    ///
    /// - Parameter objects: those that may be unchanged; nil: all.
    private func dropUnchanged(_ table: HistoryTable, run: Int, among objects: [Int64]?) throws(Failure) {
        let pairs = zip(table.pastColumns, table.columns).map { " AND t.\(quoted($1)) IS \(table.past).\($0)" }
        let deletion = try connection.prepare(
            """
            DELETE FROM \(table.past) WHERE r = \(run)\(objects == nil ? "" : " AND o = ?") AND EXISTS (
              SELECT 1 FROM \(quoted(table.name)) t WHERE t."objectID" = o\(pairs.joined()))
            AND NOT EXISTS (
              SELECT 1 FROM sluice_history_given g WHERE g.object = \(table.object) AND g.o = \(table.past).o
              AND g.run = \(run))
            """)
        guard let objects else { return try deletion.run() }
        for object in objects {
            deletion.bind(1, object)
            try deletion.run()
        }
    }
}
