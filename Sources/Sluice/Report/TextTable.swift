/// A table for a terminal. Where it is too wide, its columns follow one another in several tables, each with the first
/// column.
struct TextTable {
    enum Alignment { case left, right }

    var header: [String]
    var rows: [[String]] = []
    /// Of each column; those that are not named here are like the last one: by default the first to the left, numbers to
    /// the right.
    var alignments = [Alignment.left, .right]
    /// The columns of the terminal.
    var width = 80

    private static let gap = "  "

    var text: String {
        let widths = header.indices.map { column in ([header] + rows).map { $0[column].columns }.max() ?? 0 }
        return blocks(widths).map { block($0, widths) }.joined(separator: "\n")
    }

    /// The columns of each table.
    private func blocks(_ widths: [Int]) -> [[Int]] {
        var blocks: [[Int]] = []
        var block: [Int] = []
        var used = 0
        for column in header.indices {
            let needed = widths[column] + TextTable.gap.count
            if used + needed > width, block.count > 1 {
                blocks.append(block)
                block = [0]
                used = widths[0] + TextTable.gap.count
            }
            block.append(column)
            used += needed
        }
        return blocks + [block]
    }

    private func block(_ columns: [Int], _ widths: [Int]) -> String {
        ([header] + rows).map { row in
            let cells = columns.enumerated().map { place, column in
                let isRight = alignments[min(column, alignments.count - 1)] == .right
                // Nothing stands behind the last cell, not even spaces.
                if !isRight, place == columns.count - 1 { return row[column] }
                return row[column].padded(toColumns: widths[column], right: isRight)
            }
            let line = TextTable.gap + cells.joined(separator: TextTable.gap)
            // Nor do they where the last cells are empty.
            return String(line.reversed().drop { $0 == " " }.reversed())
        }.joined(separator: "\n") + "\n"
    }
}

/// A number with commas between its thousands.
func grouped(_ number: Int) -> String {
    var digits = String(number.magnitude)
    var groups: [Substring] = []
    while digits.count > 3 {
        groups.insert(digits.suffix(3), at: 0)
        digits.removeLast(3)
    }
    groups.insert(digits[...], at: 0)
    return (number < 0 ? "-" : "") + groups.joined(separator: ",")
}
