import Records

/// The table `sluice_unresolved`: references that wait for their target.
final class WaitingList {
    private let model: Model
    private let run: Int
    private let connection: Connection
    private let insertion: Statement
    private let renewal: Statement
    private let deletion: Statement
    private let query: Statement

    init(_ connection: Connection, _ model: Model, run: Int) throws(Failure) {
        self.connection = connection
        self.model = model
        self.run = run
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS sluice_unresolved (
              entity TEXT NOT NULL, relationship TEXT NOT NULL, objectID INTEGER NOT NULL, value TEXT NOT NULL,
              run INTEGER NOT NULL, source INTEGER NOT NULL, file INTEGER NOT NULL, record INTEGER NOT NULL,
              line INTEGER NOT NULL, "column" INTEGER NOT NULL, "offset" INTEGER NOT NULL, path TEXT NOT NULL,
              PRIMARY KEY (entity, relationship, objectID)
            ) STRICT, WITHOUT ROWID
            """)
        let insert = """
            INSERT INTO sluice_unresolved
            (entity, relationship, objectID, value, run, source, file, record, line, "column", "offset", path)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
            ON CONFLICT (entity, relationship, objectID) DO UPDATE SET value = ?4, run = ?5, source = ?6, file = ?7,
            record = ?8, line = ?9, "column" = ?10, "offset" = ?11, path = ?12
            """
        // What waits for the same as before stays as it was: it waits since then.
        insertion = try connection.prepare(insert + " WHERE value <> ?4")
        renewal = try connection.prepare(insert)
        let place = "WHERE entity = ? AND relationship = ? AND objectID = ?"
        deletion = try connection.prepare("DELETE FROM sluice_unresolved \(place)")
        query = try connection.prepare("SELECT value FROM sluice_unresolved \(place)")
    }

    private func bind(_ statement: Statement, _ place: WaitingPlace) {
        let entity = model.entities[place.entity]
        statement.bind(1, entity.name)
        statement.bind(2, entity.relationships[place.relationship].name)
        statement.bind(3, place.objectID)
    }

    func add(_ place: WaitingPlace, _ value: String, _ at: FeedLocation, moved: Bool) throws(Failure) {
        let statement = moved ? renewal : insertion
        bind(statement, place)
        statement.bind(4, value)
        statement.bind(5, Int64(run))
        statement.bind(6, Int64(at.position.source))
        statement.bind(7, Int64(at.position.file))
        statement.bind(8, Int64(at.record))
        statement.bind(9, Int64(at.line))
        statement.bind(10, Int64(at.column))
        statement.bind(11, Int64(at.position.offset))
        statement.bind(12, at.path)
        try statement.run()
    }

    func remove(_ place: WaitingPlace) throws(Failure) {
        bind(deletion, place)
        try deletion.run()
    }

    func value(_ place: WaitingPlace) throws(Failure) -> String? {
        bind(query, place)
        guard try query.step() else { return nil }
        let value = query.text(0)
        query.reset()
        return value
    }

    func objects(_ entity: Int, _ relationship: Int) throws(Failure) -> SeenObjects {
        let objects = SeenObjects()
        let statement = try connection.prepare(
            "SELECT objectID FROM sluice_unresolved WHERE entity = ? AND relationship = ?")
        statement.bind(1, model.entities[entity].name)
        statement.bind(2, model.entities[entity].relationships[relationship].name)
        while try statement.step() { _ = objects.insert(statement.integer(0)) }
        return objects
    }

    func all(_ entity: Int, _ objectID: Int64) throws(Failure) -> [Waiting] {
        let statement = try connection.prepare(
            """
            SELECT relationship, value, source, file, record, line, "column", "offset", path
            FROM sluice_unresolved WHERE entity = ? AND objectID = ?
            """)
        statement.bind(1, model.entities[entity].name)
        statement.bind(2, objectID)
        var waits: [Waiting] = []
        while try statement.step() {
            let name = statement.text(0)
            guard let relationship = model.entities[entity].relationships.firstIndex(where: { $0.name == name }) else {
                continue
            }
            waits.append(Waiting(relationship: relationship, value: statement.text(1), at: location(statement)))
        }
        return waits
    }

    private func location(_ statement: Statement) -> FeedLocation {
        var position = RecordPosition()
        position.source = UInt16(truncatingIfNeeded: statement.integer(2))
        position.file = UInt32(truncatingIfNeeded: statement.integer(3))
        position.record = UInt64(bitPattern: statement.integer(4))
        position.line = UInt64(bitPattern: statement.integer(5))
        position.column = UInt64(bitPattern: statement.integer(6))
        position.offset = UInt64(bitPattern: statement.integer(7))
        return FeedLocation(position, path: statement.text(8))
    }
}
