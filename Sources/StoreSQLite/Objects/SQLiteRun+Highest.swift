import SluiceLoad
import SluiceRecords
import SluiceSchema

// The highest values that feeds have said. A value that a program has changed does not come from the service: beside it
// is the one that was imported.
extension SQLiteRun {
    package func highest(
        _ attribute: Int, of entity: Int, by relationship: Int, upTo latest: String?
    ) throws(Failure) -> [(target: [String], value: String)] {
        let child = model.entities[entity]
        let target = model.entities[child.relationships[relationship].targets[0].entity]
        let identifier = target.identifier.map { target.attributes[$0] }
        // Times are texts, in the order of time.
        let bound = latest.map { " WHERE sluice_said.value <= \(quotedText($0))" } ?? ""
        let statement = try connection.prepare(
            """
            SELECT max(sluice_said.value), \(identifier.map { "sluice_target." + quoted($0.name) }.joined(separator: ", "))
            FROM (\(valueQuery(attribute, of: entity, by: relationship))) sluice_said
            JOIN \(quoted(target.table)) sluice_target ON sluice_target."objectID" = sluice_said.target\(bound)
            GROUP BY sluice_target."objectID" HAVING max(sluice_said.value) IS NOT NULL
            """)
        if edits[entity] != nil {
            statement.bind(1, child.name)
            statement.bind(2, child.attributes[attribute].name)
        }
        var arena = Arena()
        defer { arena.deallocate() }
        var found: [(target: [String], value: String)] = []
        while try statement.step() {
            arena.reset()
            let texts = identifier.indices.map { place in
                let cell = statement.cell(1 + place, in: &arena)
                return cell.hasBytes ? arena.text(of: cell) : arena.json(of: cell)
            }
            found.append((texts, statement.text(0)))
        }
        return found
    }

    /// A query for what feeds have said of an attribute, with what a relationship refers to: `target` and `value`. Its
    /// own names are none that a table or a column of a definition may have.
    private func valueQuery(_ attribute: Int, of entity: Int, by relationship: Int) -> String {
        let child = model.entities[entity]
        let column = quoted(child.attributes[attribute].name)
        let reference = quoted(child.relationships[relationship].name)
        let stored =
            "SELECT \(reference) AS target, \(column) AS value FROM \(quoted(child.table))"
            + " WHERE \(column) IS NOT NULL"
        guard edits[entity] != nil else { return stored }
        // Beside the objects that a program has changed is what was imported.
        let edited = "FROM sluice_edit WHERE entity = ?1 AND attribute = ?2"
        return """
            \(stored) AND "objectID" NOT IN (SELECT sluice_edit.objectID \(edited)) UNION ALL
            SELECT sluice_child.\(reference), sluice_edited.imported
            FROM (SELECT sluice_edit.objectID AS o, sluice_edit.imported \(edited)) sluice_edited
            JOIN \(quoted(child.table)) sluice_child ON sluice_child."objectID" = sluice_edited.o
            """
    }
}
