import SluiceRecords

/// How a table, a feed in CSV or TSV, is written.
package struct TableForm: Sendable, Hashable {
    /// What a cell without a character is.
    package enum EmptyCell: String, CaseIterable, Sendable {
        /// Null.
        case null
        /// The empty text.
        case text
        /// The empty text if it is quoted (`""`), and null if it is not, as PostgreSQL writes them.
        case quoted
    }

    /// Which rows are no records, though they look like them.
    package enum Skipped: Sendable, Hashable {
        /// So many, whatever is in them.
        case count(Int)
        /// Those that read so, in this order.
        case written([String])

        package var count: Int {
            switch self {
            case .count(let count): count
            case .written(let rows): rows.count
            }
        }
    }

    /// The delimiters that tables usually have.
    package static let usualDelimiters = Array(",;\t|".utf8)

    /// What stands between two cells: an ASCII character.
    package var delimiter = UInt8(ascii: ",")
    /// Whether quotation marks around a cell are not part of it.
    package var hasQuotes = true
    /// Whether the first row names the columns.
    package var hasHeader = true
    /// The line of the file, from 1 on, in which the header begins, or behind which it follows; what is above is no
    /// record.
    package var headerLine: Int?
    /// The names of the columns, where these are not the header's. A column whose name is empty is passed over.
    package var names: [String]?
    package var emptyCell = EmptyCell.null
    /// The rows under the header, or at the beginning where there is none, that are no records.
    package var skip = Skipped.count(0)

    package init() {}
}
