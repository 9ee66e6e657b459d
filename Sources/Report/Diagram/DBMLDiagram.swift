import SluiceRecords

/// The tables of the store as DBML has them, which dbdiagram.io and others draw.
struct DBMLDiagram {
    let diagram: ModelDiagram

    var text: String {
        var parts = ["Project \(quoted(diagram.name)) {\n  Note: 'Written by sluice diagram.'\n}"]
        for box in diagram.boxes { parts += choices(of: box) }
        for box in diagram.boxes {
            parts.append(table(of: box))
            parts += box.references.filter { $0.kind != .one }.map { links($0, of: box) }
        }
        let references = diagram.boxes.flatMap(references)
        if !references.isEmpty { parts.append(references.joined(separator: "\n")) }
        return parts.joined(separator: "\n\n") + "\n"
    }

    // MARK: Tables

    private func table(of box: ModelDiagram.Box) -> String {
        let identifying = box.identifier
        var lines = ["  \"objectID\" integer [pk]"]
        lines += box.columns.map { line($0, of: box.name, isUnique: identifying.count == 1 && $0.isIdentifying) }
        for reference in box.references where reference.kind == .one { lines += columns(of: reference) }
        if box.hasMark { lines.append("  \(quoted(Entity.deletedAt)) datetime") }
        if identifying.count > 1 {
            lines += ["", "  indexes {", "    (\(identifying.map(quoted).joined(separator: ", "))) [unique]", "  }"]
        }
        if let note = note(on: box) { lines += ["", "  Note: \(note)"] }
        return "Table \(quoted(box.table)) {\n\(lines.joined(separator: "\n"))\n}"
    }

    private func note(on box: ModelDiagram.Box) -> String? {
        var parts: [String] = []
        if !box.table.isIdentical(to: box.name) { parts.append("The entity \(box.name).") }
        if box.isOfPrograms { parts.append("Its objects are those of programs.") }
        let across = box.columns.compactMap { column in column.across.map { (name: column.name, target: $0) } }
        parts += (across + box.across).map { "\($0.name) refers to \($0.target) of another store." }
        return parts.isEmpty ? nil : text(parts.joined(separator: " "))
    }

    private func line(_ column: ModelDiagram.Column, of owner: String, isUnique: Bool) -> String {
        let settings = [isUnique ? "unique" : nil, column.isRequired ? "not null" : nil].compactMap(\.self)
        let type = column.choices.isEmpty ? column.type : quoted(choiceName(owner, column))
        return "  \(quoted(column.name)) \(type)" + (settings.isEmpty ? "" : " [\(settings.joined(separator: ", "))]")
    }

    /// The columns of a to-one reference.
    private func columns(of reference: ModelDiagram.Reference) -> [String] {
        guard reference.targets.count > 1 else { return ["  \(quoted(reference.name)) integer"] }
        let note = text("objectID in " + names(reference.targets))
        return [
            "  \(quoted(reference.name)) integer [note: \(note)]", "  \(quoted(reference.name + "_entity")) text",
        ]
    }

    /// The table of a to-many relationship's links.
    private func links(_ reference: ModelDiagram.Reference, of box: ModelDiagram.Box) -> String {
        var lines = ["  \"source\" integer [not null]"]
        if reference.targets.count > 1 {
            lines.append("  \"target\" integer [not null, note: \(text("objectID in " + names(reference.targets)))]")
            lines.append("  \"target_entity\" text [not null]")
        } else {
            lines.append("  \"target\" integer [not null]")
        }
        lines.append("  \"position\" integer [not null]")
        lines += reference.values.map { line($0, of: reference.linkTable, isUnique: false) }
        let note = text("\(box.name).\(reference.name): \(reference.inWords(diagram.boxes))")
        return "Table \(quoted(reference.linkTable)) {\n\(lines.joined(separator: "\n"))\n\n  Note: \(note)\n}"
    }

    private func names(_ targets: [Int]) -> String { targets.map { diagram.boxes[$0].table }.joined(separator: " or ") }

    // MARK: Values and references

    /// The values of attributes that have few.
    private func choices(of box: ModelDiagram.Box) -> [String] {
        let own = box.columns.map { (box.name, $0) }
        let ofLinks = box.references.flatMap { reference in reference.values.map { (reference.linkTable, $0) } }
        return (own + ofLinks).filter { !$0.1.choices.isEmpty }.map { owner, column in
            let values = column.choices.map { "  \(quoted($0))" }.joined(separator: "\n")
            return "Enum \(quoted(choiceName(owner, column))) {\n\(values)\n}"
        }
    }

    private func choiceName(_ owner: String, _ column: ModelDiagram.Column) -> String { "\(owner)_\(column.name)" }

    /// What a database checks: a reference that leads to several tables is none.
    private func references(of box: ModelDiagram.Box) -> [String] {
        box.references.flatMap { reference -> [String] in
            let deletion = reference.cascades ? " [delete: cascade]" : " [delete: set null]"
            if reference.kind == .one {
                guard reference.targets.count == 1 else { return [] }
                return [ref(box.table, reference.name, reference.targets[0]) + deletion]
            }
            let source =
                "Ref: \(quoted(reference.linkTable)).\"source\" > \(quoted(box.table)).\"objectID\" [delete: cascade]"
            guard reference.targets.count == 1 else { return [source] }
            return [source, ref(reference.linkTable, "target", reference.targets[0]) + " [delete: cascade]"]
        }
    }

    private func ref(_ table: String, _ column: String, _ target: Int) -> String {
        "Ref: \(quoted(table)).\(quoted(column)) > \(quoted(diagram.boxes[target].table)).\"objectID\""
    }

    /// A name. DBML has no way to write a quotation mark in one.
    private func quoted(_ name: String) -> String {
        "\"" + name.printable.replacingExactly("\"", with: "'").replacingExactly("\\", with: "/") + "\""
    }

    private func text(_ text: String) -> String {
        "'" + text.printable.replacingExactly("\\", with: "\\\\").replacingExactly("'", with: "\\'") + "'"
    }
}
