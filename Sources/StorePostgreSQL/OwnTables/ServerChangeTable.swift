import SluiceLoad
import SluicePostgreSQL
import SluiceRecords

/// The table `sluice_changed`: which objects the last runs have changed. It has a row for each range of objects that
/// follow one another; and, for each run whose changes are completely recorded, a row without an entity.
struct ServerChangeTable {
    let connection: ServerConnection
    /// As SQL has it.
    let table: String
    /// The number of the run, in the order of commits.
    private let number: Int64

    /// - Parameter run: the run of which something is to be recorded.
    init(_ connection: ServerConnection, _ table: String, run: Int) throws(Failure) {
        self.connection = connection
        self.table = table
        number = try connection.query(
            """
            SELECT coalesce(max(number) FILTER (WHERE run = \(run)), max(number) + 1, 1) FROM \(table)
            """
        ).integer(0, 0)
    }

    /// Records what a run has changed. Of an object that is recorded twice, the last kind counts.
    func record(_ objects: [ChangedObjects], _ entity: String, run: Int) throws(Failure) {
        if objects.isEmpty { return }
        try connection.write(
            """
            INSERT INTO \(table) (number, run, change, entity, first, last, kind)
            SELECT \(number), \(run), 0, $1, k.first, k.last, k.kind FROM unnest($2, $3, $4) k(first, last, kind)
            ON CONFLICT (number, entity, first, last) DO UPDATE SET kind = EXCLUDED.kind
            """, .text(entity), .integers(objects.map(\.first)), .integers(objects.map(\.last)),
            .texts(objects.map(\.kind.rawValue)))
    }

    /// Records that all changes of a run are in the table, if that is so, and forgets earlier runs.
    ///
    /// - Parameter keep: how many runs stay, with this one.
    func finish(_ run: Int, keep: Int, areAll: Bool) throws(Failure) {
        if areAll { try connection.write("INSERT INTO \(table) VALUES (\(number), \(run), 0, '', 0, 0, 'all')") }
        try connection.write("DELETE FROM \(table) WHERE run > 0 AND run <= \(run - keep)")
    }
}
