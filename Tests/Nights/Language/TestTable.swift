import TestSupport

/// A random table, whose rows are objects of texts.
struct TestTable {
    let delimiter: String
    let spread: Int
    private var names: [String] = []
    private var rows: [Row] = []

    private struct Row {
        var cells: [String]
        /// The seed of its quotes and its end.
        var spelling: Int
    }

    init(delimiter: String, spread: Int) { (self.delimiter, self.spread) = (delimiter, spread) }

    /// Gets columns and rows.
    ///
    /// - Parameter loners: so many rows more have identifiers that nothing else has, and so there are columns of these.
    mutating func fill(loners: Int, _ random: inout SeededRandom) {
        let all = ["id", "ref", "n", "kind", "name", "date", "flag", "x y", "é", "e\u{301}"].shuffled(using: &random)
        names = Array(all.prefix(2 + random.below(9)))
        if loners > 0 { names += ["id", "n", "kind", "name", "flag"].filter { !names.contains($0) } }
        rows = (0..<[0, 3, 12, 30][random.below(4)]).map { _ in row(&random) }
        for number in 0..<loners {
            var row = row(&random)
            let own = ["id": "\(1001 + number)", "n": "\(number)", "name": "YWI=", "flag": "true", "kind": "a"]
            row.cells = zip(names, row.cells).map { own[$0] ?? $1 }
            rows.append(row)
        }
    }

    private func row(_ random: inout SeededRandom) -> Row {
        Row(cells: names.map { cell($0, &random) }, spelling: random.below(1 << 30))
    }

    /// - Parameters:
    ///   - amount: of a thousand rows, so many go, come twice or are others.
    ///   - reorders: whether rows come in another order.
    mutating func change(amount: Int, reorders: Bool, _ random: inout SeededRandom) {
        rows = rows.flatMap { row in
            guard random.below(1000) < amount else { return [row] }
            return [[], [row, row], [self.row(&random)]][random.below(3)]
        }
        if reorders { rows.shuffle(using: &random) }
    }

    /// Writes it, and returns its rows.
    func write(to text: inout [UInt8], _ random: inout SeededRandom) -> [FeedNode] {
        text += line(names.map { spelled($0, &random) }, &random).utf8
        return rows.map { kept in
            let cells = kept.cells
            var random = SeededRandom(kept.spelling)
            let row = FeedNode(
                .object(
                    zip(names, cells).map { name, cell in
                        (Text(name), FeedNode(cell.isEmpty ? .null : .string(Text(cell))))
                    }))
            row.place(at: text.count)
            text += line(cells.map { spelled($0, &random) }, &random).utf8
            if random.below(10) == 0 { text += "\r\n".utf8 }
            return row
        }
    }

    private func line(_ cells: [String], _ random: inout SeededRandom) -> String {
        cells.joined(separator: delimiter) + (random.below(3) == 0 ? "\r\n" : "\n")
    }

    private func cell(_ name: String, _ random: inout SeededRandom) -> String {
        var generator = FeedGenerator(random: random, spread: spread)
        defer { random = generator.random }
        let isField = ["n", "kind", "name", "date", "flag"].contains(name)
        switch (isField ? generator.field(name) : generator.identifier()).kind {
        case .null: return ""
        case .boolean(let value): return value ? "true" : "false"
        case .number(let number): return number
        case .string(let text): return text.description
        case .array, .object: return "[]"
        }
    }

    /// A cell as it is written; the only one of a row must not be an empty line.
    private func spelled(_ cell: String, _ random: inout SeededRandom) -> String {
        let needsQuotes = cell.contains(delimiter) || cell.hasPrefix("\"") || cell.unicodeScalars.contains("\n")
        guard needsQuotes || random.below(6) == 0 else { return cell }
        return "\"" + cell.replacing("\"", with: "\"\"") + "\""
    }
}
