import SluiceRecords

/// An entry of the waiting list, as people see it.
package struct UnresolvedRow: Sendable {
    /// The run that found it.
    package var run: Int
    /// When that run started (RFC 3339, UTC); nil: the ledger has forgotten it.
    package var since: String?
    package var entity: String
    /// JSON: of the object that refers; a list for several attributes.
    package var identifier: String
    package var relationship: String
    /// The entities that the target may be of.
    package var targets: [String]
    /// JSON: the identifier of the target.
    package var value: String
    /// Where it stood in the feed; nil: no record of that run held it.
    package var at: FeedPosition?
    /// JSON: what that run read.
    package var sources: String?
}

/// Which entries of the waiting list are asked for.
package struct UnresolvedFilter: Sendable {
    /// The entity whose objects refer; nil: all.
    package var entity: String?
    /// Nil: all.
    package var relationship: String?

    package init(entity: String? = nil, relationship: String? = nil) {
        self.entity = entity
        self.relationship = relationship
    }
}

/// A target that references wait for.
package struct UnresolvedTarget: Sendable {
    /// The entity whose objects refer.
    package var entity: String
    package var relationship: String
    /// The entities that the target may be of.
    package var targets: [String]
    /// JSON: the identifier of the target.
    package var value: String
    /// How many references wait for it.
    package var references: Int
    /// The first run that found one of them.
    package var run: Int
}

/// Reads the waiting list.
struct UnresolvedReader {
    let connection: Connection
    let model: Model
    var filter = UnresolvedFilter()

    /// Hands out what waits, what waits longest first, until it is told to stop.
    func rows(each: (UnresolvedRow) throws(Failure) -> Bool) throws(Failure) {
        guard try hasTable("sluice_unresolved") else { return }
        let ledger = try Ledger.knownColumns(connection)
        let sources = ledger.contains("sources") ? "r.sources" : "NULL"
        // A seed has no ledger.
        let runs = ledger.isEmpty ? "(SELECT NULL AS run, '' AS started WHERE false)" : "sluice_run"
        let statement = try connection.prepare(
            """
            SELECT w.run, r.started, w.entity, w.objectID, w.relationship, w.target, w.value, w.source, w.file,
            w.record, w.line, w."column", w."offset", w.path, \(sources)
            FROM sluice_unresolved w LEFT JOIN \(runs) r USING (run)
            WHERE \(condition)
            ORDER BY w.run, w.source, w.file, w."offset", w.entity, w.objectID, w.relationship, w.position
            """)
        bind(statement)
        defer { statement.reset() }
        var queries: [Int: Statement] = [:]
        while try statement.step() {
            let name = statement.text(2)
            guard let index = model.entities.firstIndex(where: { $0.name == name }) else { continue }
            let query =
                if let known = queries[index] { known } else { try identifierQuery(model.entities[index]) }
            queries[index] = query
            if try !each(row(statement, model.entities[index], query)) { return }
        }
    }

    /// Hands out the targets that references wait for, those that most wait for first, until it is told to stop.
    func targets(each: (UnresolvedTarget) throws(Failure) -> Bool) throws(Failure) {
        guard try hasTable("sluice_unresolved") else { return }
        let statement = try connection.prepare(
            """
            SELECT w.entity, w.relationship, w.target, w.value, count(*), min(w.run) FROM sluice_unresolved w
            WHERE \(condition) GROUP BY w.entity, w.relationship, w.target, w.value
            ORDER BY count(*) DESC, w.entity, w.relationship, w.value, w.target
            """)
        bind(statement)
        defer { statement.reset() }
        while try statement.step() {
            guard let entity = model.entities.first(where: { $0.name == statement.text(0) }) else { continue }
            let name = statement.text(1)
            let target = UnresolvedTarget(
                entity: entity.name, relationship: name,
                targets: statement.isNull(2) ? targets(of: entity, name) : [statement.text(2)],
                value: statement.text(3), references: Int(statement.integer(4)), run: Int(statement.integer(5)))
            if try !each(target) { return }
        }
    }

    private var condition: String {
        (filter.entity == nil ? "true" : "w.entity = ?1")
            + (filter.relationship == nil ? "" : " AND w.relationship = ?2")
    }

    private func bind(_ statement: Statement) {
        if let entity = filter.entity { statement.bind(1, entity) }
        if let relationship = filter.relationship { statement.bind(2, relationship) }
    }

    private func targets(of entity: Entity, _ relationship: String) -> [String] {
        let relationship = entity.relationships.first { $0.name == relationship }
        return relationship?.targets.map { model.entities[$0.entity].name } ?? []
    }

    private func hasTable(_ name: String) throws(Failure) -> Bool {
        try connection.integer("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", name) != nil
    }

    /// The identifier of an object, as JSON.
    private func identifierQuery(_ entity: Entity) throws(Failure) -> Statement {
        let parts = entity.identifier.map { index in
            let column = quoted(entity.attributes[index].name)
            return "iif(typeof(\(column)) = 'blob', hex(\(column)), \(column))"
        }
        let list = parts.map { "json_quote(\($0))" }.joined(separator: " || ', ' || ")
        let value = parts.count == 1 ? list : "'[' || \(list) || ']'"
        return try connection.prepare("SELECT \(value) FROM \(quoted(entity.table)) WHERE \"objectID\" = ?")
    }

    private func row(
        _ statement: Statement, _ entity: Entity, _ identifier: Statement
    ) throws(Failure) -> UnresolvedRow {
        identifier.bind(1, statement.integer(3))
        let object = try identifier.step() ? identifier.text(0) : "null"
        identifier.reset()
        let name = statement.text(4)
        return UnresolvedRow(
            run: Int(statement.integer(0)), since: statement.isNull(1) ? nil : statement.text(1), entity: entity.name,
            identifier: object, relationship: name,
            targets: statement.isNull(5) ? targets(of: entity, name) : [statement.text(5)],
            value: statement.text(6), at: position(statement), sources: statement.isNull(14) ? nil : statement.text(14))
    }

    private func position(_ statement: Statement) -> FeedPosition? {
        statement.isNull(12) ? nil : statement.feedPosition(from: 7)
    }
}
