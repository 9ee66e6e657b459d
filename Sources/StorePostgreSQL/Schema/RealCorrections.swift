import SluicePostgreSQL
import SluiceRecords
import SluiceSchema

/// The doubles of a column for which a server knows another shortest decimal than Swift, and SQLite's stores with it:
/// of several equally short ones, the server does not always take the nearest. They are few.
struct RealCorrections {
    /// As SQL has them.
    private let table: String
    private let column: String
    private let type: ServerType
    private var objectIDs: [Int64] = []
    private var values: [String?] = []

    /// Rows that are asked for at a time.
    private static let chunk = 10_000

    /// Compares what SQL makes of the column with what it is to become.
    init(
        _ connection: ServerConnection, _ table: String, _ column: String, _ conversion: FormConversion
    ) throws(Failure) {
        self.table = table
        self.column = column
        type = ServerType(conversion.to)
        var last: Int64 = 0
        var isDone = false
        while !isDone {
            let rows = try connection.query(
                """
                SELECT "objectID", \(column), CAST((\(conversion.sql(of: column))) AS \(type.name))::text FROM \(table)
                WHERE "objectID" > $1 AND \(column) IS NOT NULL ORDER BY "objectID" LIMIT \(RealCorrections.chunk)
                """, .integer(last))
            for row in 0..<rows.count { note(rows, row, conversion) }
            isDone = rows.count < RealCorrections.chunk
            if !isDone { last = rows.integer(rows.count - 1, 0) }
        }
    }

    private mutating func note(_ rows: ServerRows, _ row: Int, _ conversion: FormConversion) {
        let text: String? =
            switch conversion.convert(.real(rows.real(row, 1))) {
            case .integer(let value): String(value)
            case .text(let text): text
            default: nil
            }
        guard let text, !text.isIdentical(to: rows.text(row, 2)) else { return }
        objectIDs.append(rows.integer(row, 0))
        values.append(text)
    }

    /// Writes them into the converted column.
    func write(_ connection: ServerConnection) throws(Failure) {
        if objectIDs.isEmpty { return }
        try connection.query(
            """
            UPDATE \(table) t SET \(column) = k.value::\(type.name) FROM unnest($1, $2) k("objectID", value)
            WHERE t."objectID" = k."objectID"
            """, .integers(objectIDs), .texts(values))
    }
}
