import SluiceRecords

/// An entity-relationship diagram as Mermaid draws it, in Markdown on many sites.
///
/// A solid line leads to what identifies the object, a dashed one to any other. A to-one reference is a column, too.
struct MermaidDiagram {
    let diagram: ModelDiagram

    var text: String {
        var names = Names()
        let boxes = diagram.boxes.map { names.entity($0.name) }
        var lines = ["---", "title: \(MermaidDiagram.title(diagram.name))", "---", "erDiagram"]
        for (index, box) in diagram.boxes.enumerated() { lines += columns(of: box, called: boxes[index], boxes) }
        for (index, box) in diagram.boxes.enumerated() {
            for reference in box.references {
                lines += reference.targets.map { line(reference, from: boxes[index], to: boxes[$0]) }
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func columns(of box: ModelDiagram.Box, called name: String, _ boxes: [String]) -> [String] {
        var names = Names()
        var lines = box.columns.map { column in
            let key = column.isIdentifying ? " PK" : ""
            let word = names.word(column.name)
            return "        \(MermaidDiagram.word(column.type)) \(word)\(key)\(comment(on: column, called: word))"
        }
        for reference in box.references where reference.kind == .one {
            let type = reference.targets.map { MermaidDiagram.word(diagram.boxes[$0].name) }.joined(separator: "-or-")
            lines.append("        \(type) \(names.word(reference.name)) FK")
        }
        for (name, target) in box.across {
            lines.append("        \(MermaidDiagram.word(target)) \(names.word(name)) \"in another store\"")
        }
        if box.hasMark { lines.append("        datetime \(names.word(Entity.deletedAt))") }
        return ["    \(name) {"] + lines + ["    }"]
    }

    private func comment(on column: ModelDiagram.Column, called word: String) -> String {
        var parts: [String] = []
        if !column.name.isIdentical(to: word) { parts.append(column.name) }
        if column.isRequired, !column.isIdentifying { parts.append("required") }
        if let target = column.across { parts.append("\(target) in another store") }
        if !column.choices.isEmpty { parts.append(column.choices.joined(separator: ", ")) }
        return parts.isEmpty ? "" : " \"\(MermaidDiagram.quotable(parts.joined(separator: "; ")))\""
    }

    private func line(_ reference: ModelDiagram.Reference, from source: String, to target: String) -> String {
        let ends = reference.kind == .one ? "o|" : "o{"
        let values = reference.values.isEmpty ? "" : " with " + reference.values.map(\.name).joined(separator: ", ")
        let label = MermaidDiagram.quotable(reference.name + values + (reference.cascades ? ", cascade" : ""))
        return "    \(source) }o\(reference.isIdentifying ? "--" : "..")\(ends) \(target) : \"\(label)\""
    }

    /// A line of YAML.
    private static func title(_ name: String) -> String {
        "\"" + quotable(name).replacingExactly("\\", with: "\\\\") + "\""
    }

    /// What may stand between quotation marks, which know no escapes.
    static func quotable(_ text: String) -> String {
        var quotable = String.UnicodeScalarView()
        // A mark may follow, which is one character with it.
        for scalar in text.printable.unicodeScalars {
            switch scalar {
            case "\"", "`": quotable.append("'")
            case "%", "\\", ";": quotable.append("_")
            default: quotable.append(scalar)
            }
        }
        return String(quotable)
    }

    /// A word of the letters that types and names of columns may have.
    static func word(_ text: String) -> String {
        let kept = String(
            text.map { character in
                character.isASCII && (character.isLetter || character.isNumber || "_[]-".contains(character))
                    ? character : "_"
            })
        return kept.first?.isLetter == true ? kept : "_" + kept
    }

    /// Names that are different ones, whatever is left of them.
    private struct Names {
        private var used: Set<ExactText> = []

        mutating func word(_ name: String) -> String { unique(MermaidDiagram.word(name)) }

        mutating func entity(_ name: String) -> String { "\"\(unique(MermaidDiagram.quotable(name)))\"" }

        private mutating func unique(_ name: String) -> String {
            var (text, number) = (name, 2)
            while !used.insert(ExactText(text)).inserted {
                text = "\(name)_\(number)"
                number += 1
            }
            return text
        }
    }
}
