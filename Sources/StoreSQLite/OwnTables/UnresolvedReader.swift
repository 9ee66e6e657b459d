import SluiceLoad
import SluiceRecords
import SluiceSchema

/// Reads the waiting list.
struct UnresolvedReader {
    let connection: Connection
    let model: Model
    var filter = UnresolvedFilter()

    /// Hands out the waiting references, those that wait longest first. Only the columns that decide the order are
    /// sorted, and each entry is read when its turn comes: there may be millions, of which the caller asks for a
    /// hundred.
    ///
    /// - Parameter most: how many; nil: all.
    func rows(most: Int?, each: (UnresolvedRow) throws(Failure) -> Void) throws(Failure) {
        guard try connection.hasTable("sluice_unresolved") else { return }
        let order = try connection.prepare(
            """
            SELECT w.entity, w.relationship, w.objectID, w.position FROM sluice_unresolved w WHERE \(condition)
            ORDER BY w.run, w.source, w.file, w."offset", w.entity, w.objectID, w.relationship, w.position LIMIT ?2
            """)
        bind(order)
        order.bind(2, Int64(most ?? -1))
        defer { order.reset() }
        let entry = try entryQuery()
        var queries: [Int: Statement] = [:]
        while try order.step() {
            let (name, relationship) = (order.text(0), order.text(1))
            guard let index = model.entities.firstIndex(where: { $0.name.isIdentical(to: name) }) else { continue }
            entry.bind(1, name)
            entry.bind(2, relationship)
            entry.bind(3, order.integer(2))
            entry.bind(4, order.integer(3))
            guard try entry.step() else { continue }
            defer { entry.reset() }
            let query =
                if let known = queries[index] { known } else { try identifierQuery(model.entities[index]) }
            queries[index] = query
            query.bind(1, order.integer(2))
            let object = try query.step() ? identifier(query) : "null"
            query.reset()
            try each(row(entry, model.entities[index], relationship, object))
        }
    }

    private func entryQuery() throws(Failure) -> Statement {
        let ledger = try Ledger.knownColumns(connection)
        let sources = ledger.contains("sources") ? "r.sources" : "NULL"
        // A seed has no ledger.
        let runs = ledger.isEmpty ? "(SELECT NULL AS run, '' AS started WHERE false)" : "sluice_run"
        return try connection.prepare(
            """
            SELECT w.run, r.started, w.target, w.value, w.source, w.file, w.record, w.line, w."column", w."offset",
            w.path, \(sources) FROM sluice_unresolved w LEFT JOIN \(runs) r ON r.run = w.run
            WHERE w.entity = ? AND w.relationship = ? AND w.objectID = ? AND w.position = ?
            """)
    }

    func count() throws(Failure) -> Int {
        guard try connection.hasTable("sluice_unresolved") else { return 0 }
        let statement = try connection.prepare("SELECT count(*) FROM sluice_unresolved w WHERE \(condition)")
        bind(statement)
        defer { statement.reset() }
        return try statement.step() ? Int(statement.integer(0)) : 0
    }

    /// Hands out the targets that references wait for, those that most wait for first, until it is told to stop.
    func targets(each: (UnresolvedTarget) throws(Failure) -> Bool) throws(Failure) {
        guard try connection.hasTable("sluice_unresolved") else { return }
        let statement = try connection.prepare(
            """
            SELECT w.entity, w.relationship, w.target, w.value, count(*), min(w.run) FROM sluice_unresolved w
            WHERE \(condition) GROUP BY w.entity, w.relationship, w.target, w.value
            ORDER BY count(*) DESC, w.entity, w.relationship, w.value, w.target
            """)
        bind(statement)
        defer { statement.reset() }
        while try statement.step() {
            guard let entity = model.entity(named: statement.text(0)) else { continue }
            let target = UnresolvedTarget(
                entity, statement.text(1), target: statement.optionalText(2), value: statement.text(3),
                references: Int(statement.integer(4)), run: Int(statement.integer(5)), in: model)
            if try !each(target) { return }
        }
    }

    private let condition = "(w.entity, w.relationship) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?1))"

    private func bind(_ statement: Statement) {
        let pairs = filter.relationships(of: model).map { pair in
            JSONText.array([pair.entity, pair.name].map(JSONText.quoted))
        }
        statement.bind(1, JSONText.array(pairs))
    }

    private func identifierQuery(_ entity: Entity) throws(Failure) -> Statement {
        let columns = entity.identifier.map { quoted(entity.attributes[$0].name) }.joined(separator: ", ")
        return try connection.prepare("SELECT \(columns) FROM \(quoted(entity.table)) WHERE \"objectID\" = ?")
    }

    /// The identifier of the object at which a query is, as findings have it.
    private func identifier(_ query: Statement) -> String {
        var arena = Arena()
        defer { arena.deallocate() }
        let cells = (0..<query.columnCount).map { query.cell($0, in: &arena) }
        return arena.json(ofKey: cells)
    }

    private func row(
        _ entry: Statement, _ entity: Entity, _ relationship: String, _ object: String
    ) -> UnresolvedRow {
        UnresolvedRow(
            run: Int(entry.integer(0)), since: entry.optionalText(1), entity: entity.name,
            identifier: object, relationship: relationship,
            targets: entry.optionalText(2).map { [$0] } ?? entity.targetNames(of: relationship, in: model),
            value: entry.text(3),
            at: entry.isNull(9) ? nil : entry.feedPosition(from: 4), sources: entry.optionalText(11))
    }
}
