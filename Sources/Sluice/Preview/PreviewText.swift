import SluiceRecords
import SluiceReport

extension Preview {
    /// The most columns of a terminal that a value takes.
    private static let widest = 32
    static let (null, absent) = ("∅", "·")

    /// The rows as aligned tables, one for each entity.
    ///
    /// - Parameter width: the columns of the terminal. What is wider goes into several tables.
    package func text(width: Int, colours: Bool) -> String {
        let style = TextStyle(colours: colours)
        let parts = entities.map { text(of: $0, width, style) }
        return (parts + (legend.map { [style.coloured($0, .faint) + "\n"] } ?? [])).joined(separator: "\n")
    }

    private func text(of entity: EntityRows, _ width: Int, _ style: TextStyle) -> String {
        var text = style.coloured(entity.entity.name.printable, .strong) + "\n"
        let accepted = entity.rows.filter { $0.faults.isEmpty && $0.gone == nil }
        if !accepted.isEmpty { text += table(entity.entity, accepted, width).text }
        if entity.rows.isEmpty {
            let paths = entity.entity.records.map(\.description).joined(separator: ", ")
            let why =
                entity.entity.isOfPrograms
                ? "its objects belong to programs"
                : entity.left > 0
                    ? "\"where\" leaves out all of \(grouped(entity.left))"
                    : entity.parent.map { "only a run asks for them, for each \($0)" }
                        ?? (error == nil ? "nothing matches \(paths)" : "the reading ended before the first one")
            text += "  no records: \(why.printable)\n"
        }
        for row in entity.rows where !row.faults.isEmpty {
            let reasons = row.faults.map { Finding.place(of: $0.member) + $0.reason }.joined(separator: "; ")
            let sentence = "\(row.at.text(feeds)): rejected: \(reasons)".printable
            text += style.coloured(sentence.wrapped(width, first: "  ", rest: "    "), .bad) + "\n"
        }
        for row in entity.rows {
            guard let gone = row.gone else { continue }
            let sentence = "\(row.at.text(feeds)): says that \(Preview.shown(gone)) is gone".printable
            text += sentence.wrapped(width, first: "  ", rest: "    ") + "\n"
        }
        return text
    }

    private func table(_ entity: Entity, _ rows: [Row], _ width: Int) -> TextTable {
        let relationships = entity.relationships.map { relationship in
            "\(relationship.name) → \(relationship.targets.map { names[$0.entity] }.joined(separator: "|"))"
        }
        let header = ["line"] + (entity.attributes.map(\.name) + relationships).map(Preview.cell)
        var table = TextTable(header: header)
        table.width = width
        table.alignments = [.right]
        for column in entity.attributes { table.alignments.append(column.isNumber ? .right : .left) }
        table.alignments += relationships.map { _ in .left }
        table.rows = rows.map { row in
            [String(row.at.line)] + row.values.map { Preview.cell(Preview.shown($0)) }
        }
        return table
    }

    /// What fits into a cell.
    private static func cell(_ text: String) -> String { text.printable.shortened(toColumns: widest) }

    private static func shown(_ value: Value) -> String {
        switch value {
        case .null: null
        case .absent: absent
        case .integer(let number): String(number)
        case .real(let number): "\(number)"
        case .text(let text): shown(text)
        case .bytes(let digits): "x'\(digits.prefix(widest))'"
        case .impossible(let text): "\(shown(text)) (impossible)"
        case .reference(let entity, let key):
            (entity.map { "\($0.printable) " } ?? "") + (key.count == 1 ? shown(key[0]) : shown(.list(key)))
        case .link(let target, let names, let values):
            "\(shown(target)) (\(zip(names, values).map { "\($0.printable): \(shown($1))" }.joined(separator: ", ")))"
        case .list(let values): "[" + values.prefix(widest).map(shown).joined(separator: ", ") + "]"
        }
    }

    /// A text as it is, unless it could be taken for something else.
    private static func shown(_ text: String) -> String {
        // No more of a long text is looked at than is shown.
        let head = String(text.prefix(widest + 1)).printable
        let isPlain = !text.isEmpty && text != null && text != absent && text.first != " " && text.last != " "
        return isPlain ? head : "\"\(head)\""
    }

    /// What the signs mean that the tables have.
    private var legend: String? {
        let values = Set(entities.flatMap { $0.rows.flatMap(\.values) })
        let signs = [
            (Value.null, "\(Preview.null) null"),
            (.absent, "\(Preview.absent) absent: no path matches, null in a new object"),
        ].filter { values.contains($0.0) }.map(\.1)
        return signs.isEmpty ? nil : signs.joined(separator: "   ")
    }
}

extension Attribute {
    fileprivate var isNumber: Bool {
        if conversion.isMany { return false }
        return switch conversion.type {
        case .integer, .real, .decimal, .boolean, .duration: true
        case .text, .date, .datetime, .json, .bytes: false
        }
    }
}
