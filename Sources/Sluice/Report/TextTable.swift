/// A table for a terminal: the first column to the left, numbers to the right.
struct TextTable {
    var header: [String]
    var rows: [[String]] = []
    private static let gap = "  "

    var text: String {
        let widths = header.indices.map { column in
            ([header] + rows).map { $0[column].count }.max() ?? 0
        }
        return ([header] + rows).map { row in
            let cells = row.indices.map { column in
                let padding = String(repeating: " ", count: widths[column] - row[column].count)
                return column == 0 ? row[column] + padding : padding + row[column]
            }
            return TextTable.gap + cells.joined(separator: TextTable.gap)
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
