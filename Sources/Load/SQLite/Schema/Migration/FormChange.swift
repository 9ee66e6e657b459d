import CSluiceSQLite
import SluiceRecords

/// An attribute whose stored values take another form with the next run.
struct FormChange {
    /// The index of the entity in the model.
    var entity: Int
    var attribute: Int
    var conversion: FormConversion
    /// How many values become others; known once they were looked at.
    var count = 0
}

/// Looks at the values of a table whose form changes. Changes nothing.
struct FormScan {
    struct Column {
        var name: String
        var conversion: FormConversion
    }

    /// A value that has no equal in the other form.
    struct Misfit {
        /// The index of its column.
        var column: Int
        var objectID: Int64
        var value: StoredValue
    }

    let connection: Connection
    /// As they are called now.
    let table: String
    let columns: [Column]

    /// For each column how many values become others, and the first that cannot, by objectID.
    func run() throws(Failure) -> (counts: [Int], misfit: Misfit?) {
        var counts = columns.map { _ in 0 }
        let looked = columns.indices.filter { !columns[$0].conversion.changesNothing }
        guard !looked.isEmpty else { return (counts, nil) }
        let names = looked.map { quoted(columns[$0].name) }.joined(separator: ", ")
        let rows = try connection.prepare("SELECT \"objectID\", \(names) FROM \(quoted(table)) ORDER BY \"objectID\"")
        defer { rows.reset() }
        while try rows.step() {
            for (place, column) in looked.enumerated() {
                guard let value = rows.storedValue(place + 1) else { continue }
                guard let converted = columns[column].conversion.convert(value) else {
                    return (counts, Misfit(column: column, objectID: rows.integer(0), value: value))
                }
                if converted != value { counts[column] += 1 }
            }
        }
        return (counts, nil)
    }
}

extension Statement {
    /// The value of a column; nil: null.
    func storedValue(_ column: Int) -> StoredValue? {
        switch unsafe sqlite3_column_type(handle, Int32(column)) {
        case SQLITE_INTEGER: .integer(integer(column))
        case SQLITE_FLOAT: .real(unsafe sqlite3_column_double(handle, Int32(column)))
        case SQLITE_TEXT: .text(text(column))
        case SQLITE_BLOB: .blob
        default: nil
        }
    }
}

extension StoredValue {
    /// As messages show it.
    var shown: String {
        switch self {
        case .integer(let value): String(value)
        case .real(let value): "\(value)"
        case .text(let text): JSONText.quoted(text.count > 80 ? text.prefix(80) + "…" : text)
        case .blob: "of bytes"
        }
    }
}
