import SluiceLoad
import SluicePostgreSQL
import SluiceRecords
import SluiceSchema

// Where records stood that created or changed objects.
extension ServerRun: HistoryStore {
    package var historyStore: (any HistoryStore)? { self }

    package func recordsPlaces(of entity: Int) -> Bool { history.placeNumbers[entity] != nil }

    package func recordPlaces(_ rows: [Int], _ section: EntityRecords, _ work: RowScratch) throws(Failure) {
        guard let object = history.placeNumbers[section.entity], !rows.isEmpty else { return }
        // Of an object, the last record counts.
        var last: [Int64: Int] = [:]
        for row in rows { last[work.objectIDs[row]] = row }
        let rows = last.count == rows.count ? rows : rows.filter { last[work.objectIDs[$0]] == $0 }
        for row in rows { history.newPlaces[object]?.insert(work.objectIDs[row]) }
        let table = named(HistoryTable.place(object))
        if history.newPlaces[object] != nil, rows.count > ServerRun.mostInserted {
            return try copyPlaces(rows, section, work, to: table)
        }
        parameters.removeAll()
        parameters.addList(of: .bigint, rows.count) { $0.appendField(work.objectIDs[rows[$1]]) }
        parameters.addList(of: .bigint, rows.count) { $0.appendField(file(section.positions[rows[$1]])) }
        for field in ServerRun.placeFields {
            parameters.addList(of: .bigint, rows.count) {
                $0.appendField(Int64(bitPattern: section.positions[rows[$1]][keyPath: field]))
            }
        }
        let conflict = """
             ON CONFLICT (r, o) DO UPDATE SET at = excluded.at, line = excluded.line, "column" = excluded."column",
            "offset" = excluded."offset"
            """
        try connection.write(
            """
            INSERT INTO \(table) (\(ServerRun.placeColumns))
            SELECT \(number), k.* FROM unnest($1, $2, $3, $4, $5) k\(history.newPlaces[object] == nil ? conflict : "")
            """, parameters)
    }

    private func copyPlaces(
        _ placed: [Int], _ section: EntityRecords, _ work: RowScratch, to table: String
    ) throws(Failure) {
        rows.begin(columns: 6)
        for row in placed {
            rows.appendRow { buffer in
                buffer.appendField(Int64(number))
                buffer.appendField(work.objectIDs[row])
                buffer.appendField(file(section.positions[row]))
                for field in ServerRun.placeFields {
                    buffer.appendField(Int64(bitPattern: section.positions[row][keyPath: field]))
                }
            }
        }
        rows.end()
        try connection.copy("COPY \(table) (\(ServerRun.placeColumns)) FROM STDIN (FORMAT binary)", rows)
    }

    private static let placeColumns = "r, o, at, line, \"column\", \"offset\""
    private static var placeFields: [KeyPath<RecordPosition, UInt64>] { [\.line, \.column, \.offset] }

    /// The file of its source, and the source.
    private func file(_ position: RecordPosition) -> Int64 {
        Int64(position.file) << 16 | Int64(position.source)
    }
}
