import SluiceLoad
import SluiceRecords
import SluiceSchema

// The highest values that feeds have said. A value that a program has changed does not come from the service: beside it
// is the one that was imported.
extension SQLiteRun {
    /// Prepares a statement that reads `edits`: the objects of which a program has changed an attribute, and what was
    /// imported.
    private func prepare(_ sql: String, withEditsOf attribute: Int, of entity: Int) throws(Failure) -> Statement {
        let entity = model.entities[entity]
        let statement = try connection.prepare(
            """
            WITH edits AS (SELECT objectID, imported FROM sluice_edit WHERE entity = ?1 AND attribute = ?2)
            \(sql)
            """)
        statement.bind(1, entity.name)
        statement.bind(2, entity.attributes[attribute].name)
        return statement
    }

    package func highest(
        _ attribute: Int, of entity: Int, by relationship: Int, upTo latest: String?
    ) throws(Failure) -> [(target: [String], value: String)] {
        let child = model.entities[entity]
        let column = quoted(child.attributes[attribute].name)
        let reference = quoted(child.relationships[relationship].name)
        let target = model.entities[child.relationships[relationship].targets[0].entity]
        let identifier = target.identifier.map { "t." + quoted(target.attributes[$0].name) }
        let isEdited = edits[entity] != nil
        let edited = isEdited ? " AND \"objectID\" NOT IN (SELECT objectID FROM edits)" : ""
        let imported =
            isEdited
            ? "UNION ALL SELECT \(reference), imported FROM edits JOIN \(quoted(child.table)) USING (\"objectID\")" : ""
        // Times are texts, in the order of time.
        let bound = latest.map { " WHERE value <= \(quotedText($0))" } ?? ""
        let sql = """
            SELECT max(value), \(identifier.joined(separator: ", ")) FROM (
              SELECT \(reference) AS target, \(column) AS value FROM \(quoted(child.table))
              WHERE \(column) IS NOT NULL\(edited) \(imported))
            JOIN \(quoted(target.table)) t ON t."objectID" = target\(bound) GROUP BY t."objectID" HAVING max(value) IS NOT NULL
            """
        let statement =
            isEdited ? try prepare(sql, withEditsOf: attribute, of: entity) : try connection.prepare(sql)
        var found: [(target: [String], value: String)] = []
        while try statement.step() {
            found.append((identifier.indices.map { statement.text($0 + 1) }, statement.text(0)))
        }
        return found
    }
}
