import CSluiceSQLite
import SluiceRecords
import SluiceSchema

/// Looks at the values of a table whose form changes. Changes nothing.
struct SQLiteFormScan {
    let connection: Connection
    /// As they are called now.
    let table: String
    let columns: [FormColumn]

    func run() throws(Failure) -> FormScan {
        var scan = FormScan(counts: columns.map { _ in 0 })
        let looked = columns.indices.filter { !columns[$0].conversion.changesNothing }
        guard !looked.isEmpty else { return scan }
        let names = looked.map { quoted(columns[$0].name) }.joined(separator: ", ")
        let rows = try connection.prepare("SELECT \"objectID\", \(names) FROM \(quoted(table)) ORDER BY \"objectID\"")
        defer { rows.reset() }
        while try rows.step() {
            for (place, column) in looked.enumerated() {
                guard let value = rows.storedValue(place + 1) else { continue }
                guard let converted = columns[column].conversion.convert(value) else {
                    scan.misfit = .init(column: column, objectID: rows.integer(0), value: value)
                    return scan
                }
                if converted != value { scan.counts[column] += 1 }
            }
        }
        return scan
    }
}

extension Statement {
    /// The value of a column; nil: null.
    func storedValue(_ column: Int) -> StoredValue? {
        unsafe StoredValue(sqlite3_column_value(handle, Int32(column)))
    }
}
