import SluiceLoad
import SluiceRecords
import SluiceSchema

/// A reference that waits for its target: of which object, and by which relationship.
struct ReferenceOwner {
    var entity: Int
    var relationship: Int
    var objectID: Int64
}

/// The table `sluice_unresolved`: references that wait for their target.
final class WaitingList {
    private let model: Model
    /// Whether the table has a column for what links have of their own.
    private let hasValues: Bool
    private let run: Int
    private let connection: Connection
    private var statements = Statements()

    /// The statements that were needed so far.
    private struct Statements {
        var insertion = PreparedStatement()
        var renewal = PreparedStatement()
        var deletion = PreparedStatement()
        var deletionAt = PreparedStatement()
        /// Sets the link's own values of an entry that waits as before.
        var keeping = PreparedStatement()
        var positioning = PreparedStatement()
        var query = PreparedStatement()
        /// What waits by a relationship, behind an object and a position.
        var following = PreparedStatement()
    }

    private static let columns =
        "position, value, target, run, source, file, record, line, \"column\", \"offset\", path, keys"
    private static let owner = "entity = ?1 AND relationship = ?2 AND objectID = ?3"

    init(_ connection: Connection, _ model: Model, run: Int) throws(Failure) {
        self.connection = connection
        self.model = model
        self.run = run
        try connection.create(.unresolved)
        let table = try StoredTable(connection, "sluice_unresolved")
        if table?.column("keys") == nil {
            try connection.execute("ALTER TABLE sluice_unresolved ADD COLUMN keys TEXT")
        }
        // Most stores have no links with values of their own.
        let isThere = table?.column("with") != nil
        hasValues = isThere || model.entities.contains { $0.relationships.contains { !$0.values.isEmpty } }
        if hasValues, !isThere { try connection.execute("ALTER TABLE sluice_unresolved ADD COLUMN \"with\" TEXT") }
    }

    func forgetStatements() { statements = Statements() }

    // MARK: Statements

    private var insertion: String {
        """
        INSERT INTO sluice_unresolved (entity, relationship, objectID, \(WaitingList.columns)\(hasValues ? ", \"with\"" : ""))
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15\(hasValues ? ", ?16" : ""))
        ON CONFLICT (entity, relationship, objectID, position) DO UPDATE SET value = ?5, target = ?6, run = ?7,
        source = ?8, file = ?9, record = ?10, line = ?11, "column" = ?12, "offset" = ?13, path = ?14, keys = ?15\(hasValues ? ", \"with\" = ?16" : "")
        """
    }

    private func statement(for entry: NewWaitingReference) throws(Failure) -> Statement {
        if entry.isMoved { return try statements.renewal.get(connection, insertion) }
        // An entry that waits for the same target as before stays as it was: it waits since the earlier run.
        return try statements.insertion.get(
            connection, insertion + " WHERE value <> ?5 OR target IS NOT ?6 OR keys IS NOT ?15")
    }

    private func keeping() throws(Failure) -> Statement {
        try statements.keeping.get(
            connection,
            """
            UPDATE sluice_unresolved SET "with" = ?5 WHERE \(WaitingList.owner) AND position = ?4 AND "with" IS NOT ?5
            """)
    }

    private func deletion(at position: Int64?) throws(Failure) -> Statement {
        let sql = "DELETE FROM sluice_unresolved WHERE \(WaitingList.owner)"
        if position == nil { return try statements.deletion.get(connection, sql) }
        return try statements.deletionAt.get(connection, sql + " AND position = ?4")
    }

    private func positioning() throws(Failure) -> Statement {
        try statements.positioning.get(
            connection,
            """
            UPDATE sluice_unresolved SET source = ?5, file = ?6, record = ?7, line = ?8, "column" = ?9, "offset" = ?10,
            path = ?11 WHERE \(WaitingList.owner) AND run = ?4
            """)
    }

    private func query() throws(Failure) -> Statement {
        try statements.query.get(
            connection,
            """
            SELECT \(WaitingList.columns), \(hasValues ? "\"with\"" : "NULL") FROM sluice_unresolved
            WHERE \(WaitingList.owner) ORDER BY position
            """)
    }

    private func following() throws(Failure) -> Statement {
        try statements.following.get(
            connection,
            """
            SELECT objectID, position, value, target, keys, \(hasValues ? "\"with\"" : "NULL") FROM sluice_unresolved
            WHERE entity = ?1 AND relationship = ?2 AND (objectID, position) > (?3, ?4) AND run >= ?6
            ORDER BY objectID, position LIMIT ?5
            """)
    }

    private func bind(_ statement: Statement, _ owner: ReferenceOwner) {
        let entity = model.entities[owner.entity]
        statement.bind(1, entity.name)
        statement.bind(2, entity.relationships[owner.relationship].name)
        statement.bind(3, owner.objectID)
    }

    // MARK: Entries

    func add(_ entry: NewWaitingReference, _ entity: Int, _ relationship: Int) throws(Failure) {
        let (statement, waiting) = (try statement(for: entry), entry.waiting)
        let owner = ReferenceOwner(entity: entity, relationship: relationship, objectID: entry.objectID)
        bind(statement, owner)
        statement.bind(4, waiting.position)
        statement.bind(5, waiting.value.json)
        statement.bind(6, waiting.value.target)
        statement.bind(7, Int64(run))
        bind(statement, waiting.at, from: 8)
        statement.bind(15, waiting.value.keys)
        if hasValues { statement.bind(16, waiting.with) }
        try statement.run()
        guard waiting.with != nil, hasValues else { return }
        let keeping = try keeping()
        bind(keeping, owner)
        keeping.bind(4, waiting.position)
        keeping.bind(5, waiting.with)
        try keeping.run()
    }

    /// Binds a position in the feed, or nulls.
    private func bind(_ statement: Statement, _ at: FeedPosition?, from first: Int) {
        for (place, number) in FeedPosition.columns.enumerated() {
            if let at { statement.bind(first + place, number(at)) } else { statement.bind(first + place, nil) }
        }
        statement.bind(first + FeedPosition.columns.count, at?.path)
    }

    func setPosition(_ owner: ReferenceOwner, _ at: FeedPosition) throws(Failure) {
        let positioning = try positioning()
        bind(positioning, owner)
        positioning.bind(4, Int64(run))
        bind(positioning, at, from: 5)
        try positioning.run()
    }

    func remove(_ owner: ReferenceOwner, _ position: Int64?) throws(Failure) {
        let statement = try deletion(at: position)
        bind(statement, owner)
        if let position { statement.bind(4, position) }
        try statement.run()
    }

    /// Hands out what an object waits for, by position.
    func visit(_ owner: ReferenceOwner, _ body: (WaitingReference) -> Void) throws(Failure) {
        let query = try query()
        bind(query, owner)
        while try query.step() {
            let value = WaitingValue(
                json: query.text(1), target: query.optionalText(2),
                keys: query.optionalText(11))
            let hasPosition = query.integer(3) == Int64(run) && !query.isNull(4)
            body(
                WaitingReference(
                    position: try query.position(0), value: value, with: query.optionalText(12),
                    at: hasPosition ? query.feedPosition(from: 4) : nil))
        }
    }

    func objects(_ entity: Int, _ relationship: Int) throws(Failure) -> ObjectIDSet {
        let objects = ObjectIDSet()
        let statement = try connection.prepare(
            "SELECT objectID FROM sluice_unresolved WHERE entity = ? AND relationship = ?")
        statement.bind(1, model.entities[entity].name)
        statement.bind(2, model.entities[entity].relationships[relationship].name)
        while try statement.step() { _ = objects.insert(try statement.objectID(0)) }
        return objects
    }

    // MARK: Keys

    func append(
        _ range: WaitingRange, _ section: EntityRecords, _ batch: RecordBatch, _ work: RowScratch
    ) throws(Failure) -> [Int64] {
        let (entity, relationship) = (range.entity, range.relationship)
        let key = WaitingKey(model, entity, relationship)
        let statement = try following()
        var last = range.last
        bind(statement, ReferenceOwner(entity: entity, relationship: relationship, objectID: last.objectID))
        statement.bind(4, last.position)
        statement.bind(5, Int64(range.limit))
        statement.bind(6, range.ofThisRun ? Int64(run) : 0)
        var positions: [Int64] = []
        while try statement.step() {
            let entry = WaitingKey.Entry(
                objectID: try statement.objectID(0), position: try statement.position(1), json: statement.text(2),
                target: statement.text(3), keys: statement.optionalText(4), with: statement.optionalText(5))
            guard key.append(entry, after: &last, section, batch, work) else {
                throw connection.damage("sluice_unresolved is not in the order of its objects")
            }
            positions.append(last.position)
        }
        return positions
    }
}
