import SluiceLoad
import SluicePostgreSQL
import SluiceRecords
import SluiceSchema

// The highest values that feeds have said.
extension ServerRun {
    package func highest(
        _ attribute: Int, of entity: Int, by relationship: Int, upTo latest: String?
    ) throws(Failure) -> [(target: [String], value: String)] {
        let (child, reference) = (model.entities[entity], model.entities[entity].relationships[relationship])
        let target = model.entities[reference.targets[0].entity]
        let column = child.attributes[attribute]
        guard hasTable(entity), hasTable(reference.targets[0].entity), hasColumn(column.name, of: entity),
            hasColumn(reference.name, of: entity)
        else { return [] }
        let identifier = target.identifier.map { target.attributes[$0] }
        let bound = latest.map { text in
            " AND c.\(quoted(column.name)) <= \(quotedText(text))::\(column.conversion.stored.type == .date ? "date" : "timestamptz")"
        }
        let rows = try connection.query(
            """
            SELECT max(c.\(quoted(column.name))), \(identifier.map { "t." + quoted($0.name) }.joined(separator: ", "))
            FROM \(named(child.table)) c JOIN \(named(target.table)) t ON t."objectID" = c.\(quoted(reference.name))
            WHERE c.\(quoted(column.name)) IS NOT NULL\(bound ?? "") GROUP BY t."objectID"
            """)
        var found: [(target: [String], value: String)] = []
        var arena = Arena()
        defer { arena.deallocate() }
        for row in 0..<rows.count {
            arena.reset()
            let texts = ([column] + identifier).enumerated().compactMap { place, attribute in
                unsafe CellForm(attribute.conversion.stored).cell(rows.bytes(row, place), in: &arena).map { cell in
                    cell.hasBytes ? arena.text(of: cell) : arena.json(of: cell)
                }
            }
            if texts.count == identifier.count + 1 { found.append((Array(texts.dropFirst()), texts[0])) }
        }
        return found
    }

    private func hasTable(_ entity: Int) -> Bool { !check.missing.tables.contains(entity) }

    private func hasColumn(_ name: String, of entity: Int) -> Bool {
        !check.missing.columns.contains { $0.entity == entity && $0.column.name.isIdentical(to: name) }
    }
}
