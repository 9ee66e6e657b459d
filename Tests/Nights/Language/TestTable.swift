import TestSupport

/// A random table, whose rows are objects of texts.
struct TestTable {
    let delimiter: String
    let spread: Int

    /// Writes it, and returns its rows.
    func write(to text: inout [UInt8], _ random: inout SeededRandom) -> [FeedNode] {
        let all = ["id", "ref", "n", "kind", "name", "date", "flag", "x y", "é", "e\u{301}"].shuffled(using: &random)
        let names = Array(all.prefix(2 + random.below(9)))
        text += line(names.map { spelled($0, &random) }, &random).utf8
        return (0..<[0, 3, 12, 30][random.below(4)]).map { _ in
            let cells = names.map { cell($0, &random) }
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
