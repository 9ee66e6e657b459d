import SluiceDefinition
import SluiceExtract

/// How a feed is written.
struct FeedForm {
    var format: Source.Format
    /// The encoding, where that is not UTF-8.
    var encoding: String?
    var table = Table()

    /// How a table is written.
    struct Table {
        /// What stands between the cells, where that is not what the format says.
        var delimiter: UInt8?
        var header = Header.own
        /// What stands above the header.
        var preamble: TableStart.Preamble?
        /// The cells of the first row below the header, if it has units.
        var units: [String] = []

        /// What names the columns.
        enum Header {
            /// The first row.
            case own
            /// These names in the place of the first row's.
            case renamed([String], Renaming)
            /// These names, as the first row is a record.
            case missing([String])
        }

        /// Why other names stand in the place of those of the first row.
        enum Renaming {
            /// Two are alike.
            case twice
            /// Each begins with a space.
            case spaced
            /// The first column has none, and names the rows.
            case ofRows
        }

        /// The names of the columns that are not those of the first row; nil: they are.
        var names: [String]? {
            switch header {
            case .own: nil
            case .renamed(let names, _), .missing(let names): names
            }
        }

        /// Whether the first row names the columns, be it that `names` stand for its own.
        var hasHeader: Bool { if case .missing = header { false } else { true } }
    }

    /// The row under the header that is no record, as a definition writes it; nil: there is none.
    var skippedRow: String? {
        if table.units.isEmpty { return nil }
        return table.units.map(cell).joined(separator: delimiter)
    }

    private var delimiter: String {
        table.delimiter.map { String(UnicodeScalar($0)) } ?? (format == .tsv ? "\t" : ",")
    }

    /// A cell of a row, in quotation marks where it needs these.
    private func cell(_ text: String) -> String {
        let needsQuotes = text.hasPrefix("\"") || text.contains(delimiter)
        return needsQuotes ? "\"\(text.replacingExactly("\"", with: "\"\""))\"" : text
    }

    /// How a reader is told of it.
    var options: FeedOptions {
        var options = FeedOptions()
        options.format = format
        options.encoding = encoding
        options.table.delimiter = table.delimiter ?? UInt8(ascii: format == .tsv ? "\t" : ",")
        options.table.names = table.names
        options.table.hasHeader = table.hasHeader
        options.table.headerLine = table.preamble?.line
        if let skippedRow { options.table.skip = .written([skippedRow]) }
        return options
    }
}
