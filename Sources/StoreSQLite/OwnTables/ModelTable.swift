import SluiceRecords
import SluiceSchema

/// The table `sluice_model`: what each pipeline that writes to the store says of its entities.
struct ModelTable {
    let connection: Connection

    private var isThere: Bool {
        get throws(Failure) {
            try connection.integer("SELECT 1 FROM sqlite_schema WHERE name = 'sluice_model' AND type = 'table'") != nil
        }
    }

    // MARK: Reading

    func rows() throws(Failure) -> [ModelRow] {
        guard try isThere else { return [] }
        let statement = try connection.prepare(
            "SELECT pipeline, entity, description, json_valid(description) FROM sluice_model ORDER BY pipeline, entity")
        var rows: [ModelRow] = []
        while try statement.step() {
            let (pipeline, entity, json) = (statement.text(0), statement.text(1), statement.text(2))
            guard statement.integer(3) == 1, let description = try description(entity, json) else {
                throw Failure(
                    .io,
                    "the store \(connection.path) is damaged: its table sluice_model says nothing sensible of the entity"
                        + " \(entity) and the pipeline \(pipeline)")
            }
            rows.append(ModelRow(pipeline: pipeline, description: description, stored: (entity, json)))
        }
        return rows
    }

    private func description(_ entity: String, _ json: String) throws(Failure) -> EntityDescription? {
        let statement = try connection.prepare(
            """
            SELECT json_extract(?1, '$.table'), json_extract(?1, '$.absent'), json_extract(?1, '$.lost') IS 1,
            json_extract(?1, '$.was'), json_extract(?1, '$.tableWas'),
            json_extract(?1, '$.view') IS 1, json_extract(?1, '$.programs') IS 1, json_extract(?1, '$.edits') IS 1
            """)
        statement.bind(1, json)
        guard try statement.step(), let table = statement.optionalText(0), let absent = statement.optionalText(1) else {
            return nil
        }
        var description = EntityDescription(
            name: entity, table: table, identifier: try texts(json, "$.identifier"), absent: absent, attributes: [],
            relationships: [])
        description.isLost = statement.integer(2) == 1
        description.was = statement.optionalText(3)
        description.tableWas = statement.optionalText(4)
        description.isViewed = statement.integer(5) == 1
        description.isOfPrograms = statement.integer(6) == 1
        description.keepsEdits = statement.integer(7) == 1
        statement.reset()
        guard let attributes = try attributes(json, "$.attributes"), let relationships = try relationships(json) else {
            return nil
        }
        description.attributes = attributes
        description.relationships = relationships
        return description
    }

    private func texts(_ json: String, _ path: String) throws(Failure) -> [String] {
        let statement = try connection.prepare("SELECT value FROM json_each(?, ?) ORDER BY key")
        statement.bind(1, json)
        statement.bind(2, path)
        var texts: [String] = []
        while try statement.step() { texts.append(statement.text(0)) }
        return texts
    }

    private func attributes(
        _ json: String, _ path: String
    ) throws(Failure) -> [EntityDescription.Attribute]? {
        let statement = try connection.prepare(
            """
            SELECT key, json_extract(value, '$.type'), json_extract(value, '$.lost') IS 1, json_extract(value, '$.was'),
            json_extract(value, '$.fraction'), json_extract(value, '$.scale'), json_extract(value, '$.as') IS NOT NULL
            FROM json_each(?, ?) WHERE type = 'object'
            """)
        statement.bind(1, json)
        statement.bind(2, path)
        var attributes: [EntityDescription.Attribute] = []
        while try statement.step() {
            guard let type = statement.optionalText(1) else { return nil }
            attributes.append(
                .init(
                    name: statement.text(0), type: type, fraction: statement.optionalInteger(4),
                    scale: statement.optionalInteger(5), isInteger: statement.integer(6) == 1,
                    isLost: statement.integer(2) == 1, was: statement.optionalText(3)))
        }
        return attributes
    }

    private func relationships(_ json: String) throws(Failure) -> [EntityDescription.Relationship]? {
        let statement = try connection.prepare(
            """
            SELECT key, json_extract(value, '$.to'), json_extract(value, '$.many') IS 1,
            json_extract(value, '$.onDelete'), json_extract(value, '$.lost') IS 1, json_extract(value, '$.was'),
            json_extract(value, '$.set') IS 0, json_extract(value, '$.with')
            FROM json_each(?, '$.relationships') WHERE type = 'object'
            """)
        statement.bind(1, json)
        var relationships: [EntityDescription.Relationship] = []
        while try statement.step() {
            guard let targets = statement.optionalText(1), let onDelete = statement.optionalText(3) else { return nil }
            let with = statement.optionalText(7)
            guard let values = try with.map({ with throws(Failure) in try attributes(with, "$") }) ?? [] else {
                return nil
            }
            relationships.append(
                .init(
                    name: statement.text(0), targets: try texts(targets, "$"), isMany: statement.integer(2) == 1,
                    onDelete: onDelete, isLost: statement.integer(4) == 1, was: statement.optionalText(5),
                    isSet: statement.integer(6) == 0, values: values))
        }
        return relationships
    }

    // MARK: Writing

    /// Makes the table hold these rows, and no others of those that were read. What is the same is not written.
    func write(_ rows: [ModelRow], dropping dropped: [ModelRow], run: Int) throws(Failure) {
        let changed = rows.filter(\.isChanged)
        guard !changed.isEmpty || !dropped.isEmpty else { return }
        if try !isThere { try connection.execute(ModelTable.sql) }
        // First all old rows go: the name of one may be that of another from now on.
        for row in dropped + changed { try delete(row) }
        let insertion = try connection.prepare(
            "INSERT INTO sluice_model (pipeline, entity, description, run) VALUES (?, ?, ?, ?)")
        for row in changed {
            insertion.bind(1, row.pipeline)
            insertion.bind(2, row.description.name)
            insertion.bind(3, row.description.json)
            insertion.bind(4, Int64(run))
            try insertion.run()
        }
    }

    private func delete(_ row: ModelRow) throws(Failure) {
        guard let stored = row.stored else { return }
        let deletion = try connection.prepare("DELETE FROM sluice_model WHERE pipeline = ? AND entity = ?")
        deletion.bind(1, row.pipeline)
        deletion.bind(2, stored.entity)
        try deletion.run()
    }

    private static let sql = """
        CREATE TABLE sluice_model (
          pipeline TEXT NOT NULL, entity TEXT NOT NULL, description TEXT NOT NULL, run INTEGER NOT NULL,
          PRIMARY KEY (pipeline, entity)
        ) STRICT, WITHOUT ROWID
        """
}

extension Statement {
    fileprivate func optionalText(_ column: Int) -> String? { isNull(column) ? nil : text(column) }

    fileprivate func optionalInteger(_ column: Int) -> Int? { isNull(column) ? nil : Int(integer(column)) }
}
