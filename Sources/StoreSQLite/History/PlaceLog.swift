import SluiceLoad
import SluiceRecords
import SluiceSchema

/// Keeps where the records stood that created or changed objects of one entity.
final class PlaceLog {
    private let connection: Connection
    private let object: Int64
    private let run: Int
    private var insertion = PreparedStatement()

    init(_ connection: Connection, object: Int64, run: Int) {
        self.connection = connection
        self.object = object
        self.run = run
    }

    /// Records the places for the objects of rows; of each object, the last record counts.
    func record(
        _ rows: [Int], _ section: EntityRecords, _ work: RowScratch, _ batchTable: BatchTable
    ) throws(Failure) {
        if rows.isEmpty { return }
        let statement = try insertion.get(
            connection,
            """
            INSERT OR REPLACE INTO \(HistoryTable.place(object)) (r, o, at, line, "column", "offset")
            SELECT \(run), \(BatchTable.columnList(BatchTable.placeColumns.count)) FROM \(BatchTable.name)
            """)
        try batchTable.run(statement, rows[...], placesOf: section, work)
    }
}
