import SluiceLoad
import SluiceRecords
import SluiceSchema

/// The table `sluice_changed`: which objects the last runs have changed, and the last writes of programs. It has a row
/// for each range of objects that follow one another; and, for each run and write whose changes are completely
/// recorded, a row without an entity.
package struct ChangeTable {
    let connection: Connection

    /// The number of the next commit: the changes have an order.
    package static let next = "SELECT coalesce(max(number), 0) + 1 FROM main.sluice_changed"

    func make() throws(Failure) { try connection.create(.changed) }

    /// Records what a run has changed. Of an object that is recorded twice, the last kind counts.
    func record(_ objects: [ChangedObjects], _ entity: String, run: Int) throws(Failure) {
        let statement = try connection.prepare(
            """
            INSERT OR REPLACE INTO sluice_changed (number, run, change, entity, first, last, kind)
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

    /// Records that all changes of a run are in the table, if that is so, and forgets earlier runs.
    ///
    /// - Parameter keep: how many runs stay, with this one.
    func finish(_ run: Int, keep: Int, areAll: Bool) throws(Failure) {
        if areAll {
            try connection.execute(
                "INSERT INTO sluice_changed VALUES (\(try number(run)), \(run), 0, '', 0, 0, 'all')")
        }
        try connection.execute("DELETE FROM sluice_changed WHERE run > 0 AND run <= \(run - keep)")
    }

    /// The number of the run, if it has one, or the next number.
    private func number(_ run: Int) throws(Failure) -> Int64 {
        if let own = try connection.integer("SELECT max(number) FROM sluice_changed WHERE run = \(run)"), own > 0 {
            return own
        }
        return try connection.integer(ChangeTable.next) ?? 1
    }
}
