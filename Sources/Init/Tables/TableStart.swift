import SluiceExtract
import SluiceRecords

/// The first rows of a table.
struct TableStart {
    /// Their cells, without quotation marks; the header is the first of them, if there is one.
    private(set) var rows: [[String]]
    /// What stands above the header.
    private(set) var preamble: Preamble?

    /// Rows above the header of a table, such as a title.
    struct Preamble: Equatable {
        /// How many they are; empty lines are none.
        var rows: Int
        /// The line of the header, from 1 on.
        var line: Int
    }

    private static let mostRows = 50

    /// - Parameter delimiter: what stands between the cells.
    init(of source: any ByteSource, delimiter: UInt8) throws(Failure) {
        let first = TableStart.rows(of: try TableGuess.firstBytes(of: source), delimiter)
        // What spreadsheets write of the delimiter is no row.
        let given = first.first?.cells.first.map { $0.hasPrefix("sep=") } == true ? first.dropFirst() : first[...]
        rows = given.map(\.cells)
        guard let header = TableTitles(rows).header, header > 0 else { return }
        preamble = Preamble(rows: header, line: given[given.startIndex + header].line)
        rows.removeFirst(header)
    }

    /// The cells of the first rows, each with the line in which it begins; the last one may be cut, and is left out
    /// where others are there.
    private static func rows(of bytes: [UInt8], _ delimiter: UInt8) -> [(cells: [String], line: Int)] {
        var rows: [(cells: [String], line: Int)] = []
        var (row, cell): ([String], [UInt8]) = ([], [])
        var (line, first, isQuoted) = (1, 1, false)
        for byte in bytes.withoutByteOrderMark {
            if byte == 0x0a { line += 1 }
            if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if isQuoted || byte != delimiter && byte != 0x0a && byte != 0x0d {
                cell.append(byte)
            } else if byte != 0x0d {
                row.append(String(decoding: cell, as: UTF8.self))
                cell = []
                guard byte == 0x0a else { continue }
                if row != [""] { rows.append((row, first)) }
                (row, first) = ([], line)
                if rows.count == mostRows { return rows }
            }
        }
        if bytes.count < 1 << 16, !cell.isEmpty || !row.isEmpty {
            rows.append((row + [String(decoding: cell, as: UTF8.self)], first))
        }
        return rows
    }
}
