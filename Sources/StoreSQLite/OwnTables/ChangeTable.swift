import SluiceLoad
import SluiceRecords

/// The table `sluice_changed`: which objects the last runs have changed, and the last writes of programs. A row for
/// objects that follow one another; and one without an entity for each run and write of which all is known.
package struct ChangeTable {
    let connection: Connection

    private static let create = """
        CREATE TABLE IF NOT EXISTS sluice_changed (
          number INTEGER NOT NULL, run INTEGER NOT NULL, change INTEGER NOT NULL, entity TEXT NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,
          kind TEXT NOT NULL, PRIMARY KEY (number, entity, first, last)
        ) STRICT, WITHOUT ROWID
        """

    /// The number of what is committed next: all that is changed has an order.
    package static let next = "SELECT coalesce(max(number), 0) + 1 FROM main.sluice_changed"

    func make() throws(Failure) { try connection.execute(ChangeTable.create) }

    /// Notes what a run has changed.
    func note(_ objects: [ChangedObjects], _ entity: String, run: Int) throws(Failure) {
        let statement = try connection.prepare(
            """
            INSERT INTO sluice_changed (number, run, change, entity, first, last, kind)
            VALUES (\(try number(run)), \(run), 0, ?, ?, ?, ?)
            """)
        for objects in objects {
            statement.bind(1, entity)
            statement.bind(2, objects.first)
            statement.bind(3, objects.last)
            statement.bind(4, objects.kind.rawValue)
            try statement.run()
        }
    }

    /// Says that all of a run is there, and forgets earlier ones.
    ///
    /// - Parameter keep: how many runs stay, with this one.
    func finish(_ run: Int, keep: Int) throws(Failure) {
        try connection.execute("INSERT INTO sluice_changed VALUES (\(try number(run)), \(run), 0, '', 0, 0, 'all')")
        try connection.execute("DELETE FROM sluice_changed WHERE run > 0 AND run <= \(run - keep)")
    }

    /// That of the run, if it has one, or the next.
    private func number(_ run: Int) throws(Failure) -> Int64 {
        if let own = try connection.integer("SELECT max(number) FROM sluice_changed WHERE run = \(run)"), own > 0 {
            return own
        }
        return try connection.integer(ChangeTable.next) ?? 1
    }
}
