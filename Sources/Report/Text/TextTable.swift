import SluiceRecords

/// A table for a terminal. Where names in its first column make it too wide, they stand in lines of their own above
/// what belongs to them; where that is not enough, its columns follow one another in several tables, each with the
/// first column, or the table is a list.
package struct TextTable {
    package enum Alignment { case left, right }

    var header: [String]
    package var rows: [[String]] = []
    /// Of each column; those that are not named here are like the last one: by default the first to the left, numbers
    /// to the right.
    package var alignments = [Alignment.left, .right]
    /// The columns of the terminal.
    package var width = 80
    /// Whether each row is one line, however long: what may have any number of rows is searched with `grep`, and read
    /// by other programs.
    package var isList = false

    /// From its parts.
    package init(header: [String], rows: [[String]] = [], alignments: [Alignment] = [.left, .right], width: Int = 80) {
        self.header = header
        self.rows = rows
        self.alignments = alignments
        self.width = width
    }

    /// Whether all columns stand beside one another.
    package var isWhole: Bool { layout.blocks.count == 1 }

    private var layout: TableLayout {
        var layout = TableLayout(header, alignments, width: width)
        for row in rows { layout.measure(row) }
        if isList { layout.tighten(Array(header.indices)) } else { layout.narrow() }
        return layout
    }

    package var text: String {
        let layout = layout
        let blocks = isList ? [Array(header.indices)] : layout.blocks
        let tables = blocks.map { columns in ([header] + rows).map { layout.line($0, columns) }.joined() }
        return tables.joined(separator: "\n")
    }
}

/// Where the cells of a table stand: what it needs to know of its rows before the first of them is written.
struct TableLayout {
    let header: [String]
    /// See `TextTable`.
    private let alignments: [TextTable.Alignment]
    private let width: Int
    /// By column.
    private var widths: [Int]
    /// What stands before each column.
    private var gap = "  "

    /// How many columns of a terminal names have at least, where some of them are longer.
    private static let leastName = 16

    init(_ header: [String], _ alignments: [TextTable.Alignment], width: Int) {
        self.header = header
        self.alignments = alignments
        self.width = width
        widths = header.map(\.columns)
    }

    /// Makes room for a row.
    mutating func measure(_ row: [String]) {
        for column in widths.indices { widths[column] = max(widths[column], row[column].columns) }
    }

    /// Gives the first column no more than all others leave of a line, if they leave enough for a name.
    mutating func narrow() {
        let others = widths.dropFirst().reduce(0) { $0 + $1 + gap.count }
        let rest = width - others - gap.count
        guard alignments.first == .left, rest >= max(TableLayout.leastName, header[0].columns) else { return }
        widths[0] = min(widths[0], rest)
    }

    /// Moves the columns of a list together where that makes its lines fit.
    ///
    /// - Parameter shown: the columns that are shown at all.
    mutating func tighten(_ shown: [Int]) {
        let cells = shown.reduce(0) { $0 + widths[$1] }
        if cells + shown.count * gap.count > width, cells + shown.count <= width { gap = " " }
    }

    /// The columns of each table: all, or those that fit, each with the first one.
    var blocks: [[Int]] {
        var blocks: [[Int]] = []
        var block: [Int] = []
        var used = 0
        for column in header.indices {
            let needed = widths[column] + gap.count
            if used + needed > width, block.count > 1 {
                blocks.append(block)
                block = [0]
                used = widths[0] + gap.count
            }
            block.append(column)
            used += needed
        }
        return blocks + [block]
    }

    /// A line of a table with some columns; above it, a name that is too long for its column.
    func line(_ row: [String], _ columns: [Int]) -> String {
        if columns.first == 0, row[0].columns > widths[0] {
            return gap + row[0] + "\n" + line([""] + row.dropFirst(), columns)
        }
        let cells = columns.enumerated().map { place, column in
            let isRight = alignments[min(column, alignments.count - 1)] == .right
            // Nothing stands behind the last cell, not even spaces.
            if !isRight, place == columns.count - 1 { return row[column] }
            return row[column].padded(toColumns: widths[column], right: isRight)
        }
        let line = gap + cells.joined(separator: gap)
        // Nor do they where the last cells are empty.
        return String(line.reversed().drop { $0 == " " }.reversed()) + "\n"
    }
}
