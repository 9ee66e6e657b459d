import SluiceRecords
import SluiceSchema

// Forgetting the past: all of it, or what is too old.
extension StoreHistory {
    /// Forgets all of the past, and keeps nothing of it any more.
    func forget() throws(Failure) {
        guard try HistoryTables.areThere(connection) else { return }
        try PastViews(connection: connection).remove()
        for table in try HistoryTable.all(connection) {
            try connection.execute(SQLiteHistoryTriggers(table: table).drop + "\nDROP TABLE IF EXISTS \(table.past)")
        }
        for (number, _) in try objectTables() {
            try connection.execute("DROP TABLE IF EXISTS \(HistoryTable.place(number))")
        }
        for name in HistoryTables.names { try connection.execute("DROP TABLE \(name)") }
    }

    /// Forgets the past of some tables of objects, and of their links, and keeps nothing of it any more.
    func forget(_ tables: [String]) throws(Failure) {
        for name in tables {
            guard let object = try number(of: name) else { continue }
            try PastViews(connection: connection).remove()
            for table in try HistoryTable.all(connection, where: "object = \(object)") {
                let drop = SQLiteHistoryTriggers(table: table).drop
                try connection.execute(drop + "\nDROP TABLE IF EXISTS \(table.past)")
            }
            try connection.execute(
                """
                DROP TABLE IF EXISTS \(HistoryTable.place(object));
                DELETE FROM sluice_history_table WHERE object = \(object);
                DELETE FROM sluice_history_made WHERE object = \(object);
                DELETE FROM sluice_history_given WHERE object = \(object);
                DELETE FROM sluice_history_object WHERE number = \(object);
                """)
        }
    }

    /// Forgets what ended before the part of the past that is to stay.
    ///
    /// - Parameter now: when the run started: RFC 3339, UTC.
    func trim(_ keep: HistoryKeep, run: Int, now: String) throws(Failure) {
        let floor =
            switch keep {
            case .runs(let count): run - count
            case .days(let count): try lastRun(endedDays: count, before: now)
            }
        guard floor > 0 else { return }
        let tables = try HistoryTable.all(connection)
        if tables.contains(where: { $0.until.map { $0 <= floor } ?? false }) {
            try PastViews(connection: connection).remove()
        }
        for table in tables {
            try forgetPlaces(of: table, upTo: floor)
            if let until = table.until, until <= floor {
                try connection.execute(
                    """
                    DROP TABLE \(table.past);
                    DELETE FROM sluice_history_table WHERE number = \(table.number);
                    """)
            } else {
                try connection.execute("DELETE FROM \(table.past) WHERE r <= \(floor)")
            }
        }
        // The notes of which run has made an object stay: the object, or a row of its past, is still there.
        try connection.execute(
            """
            DELETE FROM sluice_history_model WHERE run <= \(floor);
            DELETE FROM sluice_history_change WHERE run <= \(floor);
            UPDATE sluice_history SET floor = max(floor, \(floor));
            """)
    }

    /// Forgets where the records stood of what is forgotten.
    private func forgetPlaces(of table: HistoryTable, upTo floor: Int) throws(Failure) {
        if table.hasLinks { return }
        try connection.execute(
            """
            DELETE FROM \(HistoryTable.place(table.object)) WHERE (r, o) IN (
              SELECT f, o FROM \(table.past) WHERE r <= \(floor))
            """)
    }

    /// The last run that had ended so many days before; 0: there is none that the ledger knows.
    private func lastRun(endedDays count: Int, before now: String) throws(Failure) -> Int {
        let run = try connection.integer(
            """
            SELECT coalesce(max(run), 0) FROM sluice_run
            WHERE julianday(finished) <= julianday(?) - \(count)
            """, now)
        return Int(run ?? 0)
    }
}
