import SluiceRecords

extension RenamePlanner {
    // MARK: What links have of their own

    /// Renames columns of the tables of links, which are called as they will be by now.
    mutating func renameLinkValues(_ index: Int) throws(Failure) {
        for relationship in model.entities[index].relationships where relationship.isMany {
            let links = model.entities[index].linkTable(of: relationship)
            guard let table = try image.table(links) else { continue }
            for value in relationship.values where !value.was.isEmpty || value.written != nil {
                let old = value.was.lazy.compactMap { table.column($0)?.name }.first
                if let old, table.column(value.name) != nil {
                    refuse(
                        index, ["relationships", relationship.name, "with", value.name],
                        "\(value.name) was \(old), and the table \(table.name) of the store \(path) has both")
                } else if let old {
                    renaming.columns.append(.init(table: links, from: old, to: value.name))
                    try image.renameColumn(of: links, old, value.name)
                }
                renameInRows(index, relationship, old ?? value.name, value.name)
            }
        }
    }

    private mutating func renameInRows(_ index: Int, _ relationship: Relationship, _ old: String, _ new: String) {
        let entity = model.entities[index].name
        var written: String?
        for row in rows.indices where rows[row].description.name.isIdentical(to: entity) {
            let links = rows[row].description.relationships.firstIndex { $0.name.isSameName(as: relationship.name) }
            guard let links else { continue }
            let value = rows[row].description.relationships[links].values.firstIndex { $0.name.isSameName(as: old) }
            guard let value else { continue }
            written = rows[row].description.relationships[links].values[value].name
            rows[row].description.relationships[links].values[value].name = new
        }
        guard let written, !written.isIdentical(to: new) else { return }
        renaming.waitingValues.append(
            Renaming.LabelMove(entity: entity, relationship: relationship.name, from: written, to: new))
    }
}
