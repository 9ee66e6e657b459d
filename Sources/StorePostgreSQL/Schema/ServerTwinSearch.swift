import SluicePostgreSQL
import SluiceRecords
import SluiceSchema

/// Looks for two objects of a table on a server whose values in a key would be the same in their new form.
@safe
struct ServerTwinSearch {
    let connection: ServerConnection
    /// As SQL has it.
    let table: String
    let key: ChangingKey

    func run() throws(Failure) -> FormTwins? {
        let found = try connection.query(key.query(of: table) { key.changing[$0].conversion.sql(of: $1) })
        if found.count == 0 { return nil }
        let objectIDs = [found.integer(0, 0), found.integer(0, 1)]
        let names = key.changing.map { quoted($0.name) }.joined(separator: ", ")
        let rows = try connection.query(
            "SELECT \(names) FROM \(table) WHERE \"objectID\" IN ($1, $2) ORDER BY \"objectID\"",
            .integer(objectIDs[0]), .integer(objectIDs[1]))
        return FormTwins(objectIDs: objectIDs, values: (0..<rows.count).map { values(rows, $0) })
    }

    private func values(_ rows: ServerRows, _ row: Int) -> [StoredValue?] {
        var arena = Arena()
        defer { arena.deallocate() }
        return key.changing.indices.map { column in
            unsafe key.changing[column].conversion.from.storedValue(rows.bytes(row, column), in: &arena)
        }
    }
}
