import CSluiceSQLite
import SluiceLoad
import SluiceRecords
import SluiceSchema

/// The table `sluice_fetch`: it is written in the transaction of the data that it speaks of.
extension SQLiteStore {
    /// What is known of the feeds that a pipeline has loaded.
    package func fetchMarks(pipeline: String) throws(Failure) -> [FetchMark] {
        guard try hasFetchMarks() else { return [] }
        let query = try connection.prepare(
            "SELECT source, request, etag, last_modified FROM sluice_fetch WHERE pipeline = ?")
        query.bind(1, pipeline)
        var marks: [FetchMark] = []
        while try query.step() {
            marks.append(
                FetchMark(
                    source: query.text(0), request: query.text(1), etag: query.optionalText(2),
                    lastModified: query.optionalText(3)))
        }
        return marks
    }

    /// Replaces what is known of the feeds of a pipeline, within the transaction of a run.
    package func replaceFetchMarks(_ marks: [FetchMark], pipeline: String) throws(Failure) {
        if try hasFetchMarks() {
            let deletion = try connection.prepare("DELETE FROM sluice_fetch WHERE pipeline = ?")
            deletion.bind(1, pipeline)
            try deletion.run()
        }
        guard !marks.isEmpty else { return }
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS sluice_fetch (
              pipeline TEXT NOT NULL, source TEXT NOT NULL, request TEXT NOT NULL, etag TEXT, last_modified TEXT,
              PRIMARY KEY (pipeline, source)
            ) STRICT, WITHOUT ROWID
            """)
        let insertion = try connection.prepare("INSERT INTO sluice_fetch VALUES (?, ?, ?, ?, ?)")
        for mark in marks {
            insertion.bind(1, pipeline)
            insertion.bind(2, mark.source)
            insertion.bind(3, mark.request)
            insertion.bind(4, mark.etag)
            insertion.bind(5, mark.lastModified)
            try insertion.run()
        }
    }

    private func hasFetchMarks() throws(Failure) -> Bool {
        try connection.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'sluice_fetch'") != 0
    }

    /// The highest stored value of an attribute, as a text; nil: there is none. To be asked within a run.
    package func highest(_ attribute: Int, of entity: Int) throws(Failure) -> String? {
        if editLayers[entity] != nil { return try highestImported(attribute, of: entity) }
        let entity = model.entities[entity]
        let column = quoted(entity.attributes[attribute].name)
        return try connection.text(
            "SELECT \(column) FROM \(quoted(entity.table)) WHERE \(column) IS NOT NULL ORDER BY \(column) DESC LIMIT 1")
    }

    package func highest(
        _ attribute: Int, of entity: Int, by relationship: Int
    ) throws(Failure) -> [(target: [String], value: String)] {
        let (child, name) = (model.entities[entity], model.entities[entity].attributes[attribute].name)
        let (column, reference) = (quoted(name), quoted(child.relationships[relationship].name))
        let target = model.entities[child.relationships[relationship].targets[0].entity]
        let identifier = target.identifier.map { "t." + quoted(target.attributes[$0].name) }
        // A value that a program has changed does not come from the service.
        let isEdited = editLayers[entity] != nil
        let edited = isEdited ? " AND \"objectID\" NOT IN (SELECT objectID FROM edits)" : ""
        let imported =
            isEdited
            ? "UNION ALL SELECT \(reference), imported FROM edits JOIN \(quoted(child.table)) USING (\"objectID\")" : ""
        let edits =
            isEdited
            ? "WITH edits AS (SELECT objectID, imported FROM sluice_edit WHERE entity = ?1 AND attribute = ?2)" : ""
        let statement = try connection.prepare(
            """
            \(edits)
            SELECT max(value), \(identifier.joined(separator: ", ")) FROM (
              SELECT \(reference) AS target, \(column) AS value FROM \(quoted(child.table))
              WHERE \(column) IS NOT NULL\(edited) \(imported))
            JOIN \(quoted(target.table)) t ON t."objectID" = target GROUP BY t."objectID" HAVING max(value) IS NOT NULL
            """)
        if isEdited {
            statement.bind(1, child.name)
            statement.bind(2, name)
        }
        var found: [(target: [String], value: String)] = []
        while try statement.step() {
            found.append((identifier.indices.map { statement.text($0 + 1) }, statement.text(0)))
        }
        return found
    }
}
