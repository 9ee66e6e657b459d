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
    private var keyQueries: [KeyQuery: Statement] = [:]

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

    // MARK: Keys

    private struct KeyQuery: Hashable {
        var width: Int
        var isList: Bool
    }

    /// The parts of the value as SQL has them, after the objectID.
    private func keyStatement(width: Int, isList: Bool) throws(Failure) -> Statement {
        let query = KeyQuery(width: width, isList: isList)
        if let statement = keyQueries[query] { return statement }
        let paths = width == 1 ? ["$"] : (0..<width).map { "$[\($0)]" }
        let parts = paths.map { "json_extract(value, '\($0)')" }.joined(separator: ", ")
        let which = isList ? "objectID > ?3 ORDER BY objectID LIMIT ?4" : "objectID = ?3"
        let statement = try connection.prepare(
            "SELECT objectID, \(parts) FROM sluice_unresolved WHERE entity = ?1 AND relationship = ?2 AND \(which)")
        keyQueries[query] = statement
        return statement
    }

    func load(
        _ place: WaitingPlace, row: Int, _ section: EntityRecords, _ batch: RecordBatch
    ) throws(Failure) -> Bool {
        let width = model.entities[place.entity].relationships[place.relationship].key.count
        let statement = try keyStatement(width: width, isList: false)
        bind(statement, place)
        guard try statement.step() else { return false }
        setKey(statement, place.entity, place.relationship, row, section, batch)
        statement.reset()
        return true
    }

    func append(
        _ entity: Int, _ relationship: Int, after: Int64, limit: Int, _ section: EntityRecords, _ batch: RecordBatch,
        _ work: RowWork
    ) throws(Failure) {
        let width = model.entities[entity].relationships[relationship].key.count
        let statement = try keyStatement(width: width, isList: true)
        bind(statement, WaitingPlace(entity: entity, relationship: relationship, objectID: after))
        statement.bind(4, Int64(limit))
        while try statement.step() {
            let row = section.appendTypedRow()
            for cell in 0..<section.width { section.typed[row * section.width + cell] = .absent }
            setKey(statement, entity, relationship, row, section, batch)
            work.ensure(row + 1)
            work.clearDifferences(row)
            work.objectIDs[row] = statement.integer(0)
        }
    }

    private func setKey(
        _ statement: Statement, _ entity: Int, _ relationship: Int, _ row: Int, _ section: EntityRecords,
        _ batch: RecordBatch
    ) {
        let definition = model.entities[entity].relationships[relationship]
        let start = model.entities[entity].layout.keyStart(definition, at: relationship, target: 0)
        for (part, conversion) in definition.targets[0].conversions.enumerated() {
            section.typed[row * section.width + start + part] =
                statement.cell(1 + part, as: conversion.type.column, in: batch)
        }
    }

    // MARK: Entries

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
