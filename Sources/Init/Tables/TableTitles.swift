import SluiceRecords

/// Which of the first rows of a table is the header, where titles and notes stand above it: `"Data Source","World
/// Development Indicators"`. Most rows from the header on have the same number of cells.
struct TableTitles {
    private let rows: [[String]]
    /// How many cells most rows have.
    private let width: Int

    init(_ rows: [[String]]) {
        self.rows = rows
        let counts = rows.reduce(into: [Int: Int]()) { counts, row in counts[row.count, default: 0] += 1 }
        width = counts.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key ?? 0
    }

    /// The index of the header; nil: no row is one for sure.
    var header: Int? {
        guard width > 1 else { return nil }
        return rows.indices.first { rows[$0].count == width && isHeader($0) }
    }

    private func isHeader(_ index: Int) -> Bool {
        let below = rows[(index + 1)...].filter { $0.count == width }
        guard below.count >= TableTitles.leastRecords, 3 * below.count >= 2 * (rows.count - index - 1) else {
            return false
        }
        let columns = rows[index].indices.filter { column in
            !rows[index][column].isEmpty || below.contains { !$0[column].isEmpty }
        }
        let numbers = columns.filter { !TableTitles.numbers(in: $0, below).isEmpty }
        let own = numbers.filter { TableHeader.number(rows[index][$0]) != nil }
        guard own.allSatisfy({ isYear(rows[index][$0], above: TableTitles.numbers(in: $0, below)) }) else {
            return false
        }
        // A first row as wide as the others is no title, whatever is empty in it, unless the header says it again.
        let areTitles = rows[..<index].allSatisfy { row in
            row.count != width || width > 2 && 5 * TableTitles.filled(row) <= 2 * width
                || TableTitles.isPart(row, of: rows[index])
        }
        let isAboveNumbers = own.count < numbers.count
        // A record may have a value twice, or none: texts above all numbers show that the row is none.
        let isSure = index > 0 && isAboveNumbers && numbers.allSatisfy { !rows[index][$0].isEmpty }
        guard hasNames(rows[index], columns) || isSure && isMostlyNamed(rows[index], columns) else { return false }
        // A row that ends with a delimiter, as the header does not, is a record: numbers show that it is none, or
        // titles that are far shorter.
        let areShort = columns.count > 2 && rows[..<index].allSatisfy { 2 * TableTitles.filled($0) <= columns.count }
        return areTitles && (areShort || isAboveNumbers)
    }

    /// So many records below a header show what a row is like.
    private static let leastRecords = 2

    /// Whether a row has another name for each column; that of a column of row numbers may lack.
    private func hasNames(_ row: [String], _ columns: [Int]) -> Bool {
        let names = columns.map { row[$0] }
        return names.dropFirst().allSatisfy { !$0.isEmpty } && Set(names.map { ExactText($0) }).count == names.count
    }

    /// Whether most columns have a name, be it that of another one.
    private func isMostlyNamed(_ row: [String], _ columns: [Int]) -> Bool {
        2 * columns.count { !row[$0].isEmpty } > columns.count
    }

    /// Whether a row has nothing but what another one has, and less than that.
    private static func isPart(_ row: [String], of other: [String]) -> Bool {
        filled(row) < filled(other) && zip(row, other).allSatisfy { $0.isEmpty || $0.isIdentical(to: $1) }
    }

    /// The numbers that a column has in all rows; none: it has others.
    private static func numbers(in column: Int, _ rows: [[String]]) -> [Double] {
        let cells = rows.map { $0[column] }.filter { !$0.isEmpty }
        let numbers = cells.compactMap(TableHeader.number)
        return numbers.count >= leastRecords && numbers.count == cells.count ? numbers : []
    }

    /// Whether a column of statistics is called as a year is, and does not hold years itself.
    private func isYear(_ name: String, above numbers: [Double]) -> Bool {
        guard let year = TableHeader.number(name), TableHeader.isYear(year) else { return false }
        return !numbers.allSatisfy(TableHeader.isYear)
    }

    private static func filled(_ row: [String]) -> Int { row.count { !$0.isEmpty } }
}
