import CSluiceSQLite
import SluiceRecords

/// A row whose values are there, each in the form that SQLite has it in. The connection fills it again for each row.
package final class GivenRow {
    package var values: [SQLValue] = []
    /// The names of its columns.
    package let names: [String]
    /// The statement that gives it, for messages.
    let sql: String

    package init(names: [String], sql: String) {
        self.names = names
        self.sql = sql
        values.reserveCapacity(names.count)
    }

    /// What SQLite calls the type of a value.
    func type(_ column: Int) -> Int32 {
        switch values[column] {
        case .null: SQLITE_NULL
        case .integer: SQLITE_INTEGER
        case .real: SQLITE_FLOAT
        case .text: SQLITE_TEXT
        case .blob: SQLITE_BLOB
        }
    }
}
