import SluiceRecords

/// Cuts what changed to the width of a terminal: a line of each change, in columns beside one another. `sluice history
/// --format json` has the whole values.
struct CutChanges {
    /// Columns of values below which a table is no help.
    private static let least = 10

    /// Cells of each line: run, time, name, what it was, what it is.
    private let header: [String]
    private let rows: [[String]]
    /// Of the last three columns.
    private let (name, was, now): (Int, Int, Int)

    init(_ header: [String], _ rows: [[String]], width: Int) {
        self.header = header
        self.rows = rows
        let wanted = header.indices.map { column in ([header] + rows).map { $0[column].columns }.max() ?? 0 }
        name = min(wanted[2], max(header[2].columns, width / 4))
        // A gap stands before each cell.
        let rest = width - wanted[0] - wanted[1] - name - 2 * header.count
        let half = max(rest / 2, CutChanges.least)
        was = min(wanted[3], max(half, rest - wanted[4]))
        now = min(wanted[4], max(half, rest - was))
    }

    /// The lines, each as wide as fits.
    var cells: [[String]] { rows.map(cut) }

    private func cut(_ row: [String]) -> [String] {
        let (old, new) = CutChanges.pair(row[3], was, row[4], now)
        return [row[0], row[1], row[2].shortened(toColumns: name), old, new]
    }

    /// Two values, each cut to a number of columns. Where only their equal beginnings would be seen, both begin shortly
    /// before they differ.
    private static func pair(_ old: String, _ oldWidth: Int, _ new: String, _ newWidth: Int) -> (String, String) {
        let width = min(oldWidth, newWidth)
        guard old.columns > oldWidth || new.columns > newWidth else { return (old, new) }
        let alike = zip(old, new).prefix { String($0).isIdentical(to: String($1)) }.count
        // Half of what is shown is what they differ by.
        let isSeen = old.prefix(alike).reduce(0) { $0 + String($1).columns } <= width / 2
        let skipped = old.isEmpty || new.isEmpty || isSeen ? 0 : max(0, alike - width / 4)
        return (cut(old, behind: skipped, oldWidth), cut(new, behind: skipped, newWidth))
    }

    private static func cut(_ text: String, behind skipped: Int, _ width: Int) -> String {
        let rest = skipped == 0 ? text : "…" + text.dropFirst(skipped)
        return rest.shortened(toColumns: width)
    }
}
