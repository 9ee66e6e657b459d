import SluiceRecords

/// Reads what has changed in a store since a moment.
struct ChangeReading {
    private let connection: StoreConnection
    private let tables: Set<String>

    init(_ connection: StoreConnection) throws(StoreError) {
        self.connection = connection
        var found: Set<String> = []
        let sql = "SELECT name FROM main.sqlite_schema WHERE name IN ('sluice_run', 'sluice_change', 'sluice_changed')"
        try connection.run(sql, []) { row throws(StoreError) in
            found.insert(try row.value(0))
            return true
        }
        tables = found
    }

    /// The moment that it is now.
    func token() throws(StoreError) -> ChangeToken {
        ChangeToken(
            run: try last("run", in: "sluice_run", " WHERE status <> 'running'"),
            change: try last("change", in: "sluice_change"), seed: connection.seed)
    }

    private func last(_ column: String, in table: String, _ condition: String = "") throws(StoreError) -> Int64 {
        guard tables.contains(table),
            case .integer(let last)? = try connection.first("SELECT max(\(column)) FROM main.\(table)\(condition)")
        else { return 0 }
        return last
    }

    /// What has changed since; nil: nothing.
    func changes(since token: ChangeToken) throws(StoreError) -> StoreChanges? {
        let now = try self.token()
        guard now != token else { return nil }
        var changes = StoreChanges(
            token: now, entities: [:], seedReplaced: now.seed != token.seed, isComplete: now.seed == token.seed)
        // A store that was made anew counts from 1 again.
        guard now.run >= token.run, now.change >= token.change else {
            changes.isComplete = false
            return changes
        }
        try addRuns(token.run, now.run, &changes)
        try addWrites(token.change, &changes)
        try addObjects(token, &changes)
        let isSilent = changes.entities.isEmpty && changes.isComplete && !changes.seedReplaced
        return isSilent ? StoreChanges(token: now, entities: [:], seedReplaced: false, isComplete: true) : changes
    }

    private func addRuns(_ first: Int64, _ last: Int64, _ changes: inout StoreChanges) throws(StoreError) {
        guard last > first else { return }
        guard
            case .integer(let known)? = try connection.first(
                "SELECT count(*) FROM main.sluice_run WHERE run > ? AND run <= ?",
                [.value(.integer(first)), .value(.integer(last))])
        else { return }
        // The ledger forgets, see `ledger` of the definition.
        if known < last - first { changes.isComplete = false }
        let sql = """
            SELECT e.key, sum(json_extract(e.value, '$.created') + json_extract(e.value, '$.stubs')),
            sum(json_extract(e.value, '$.updated')), sum(json_extract(e.value, '$.deleted'))
            FROM main.sluice_run r, json_each(r.report, '$.entities') e
            WHERE r.run > ? AND r.run <= ? AND json_valid(r.report)
            AND (r.status = 'succeeded' OR json_extract(r.report, '$.commit') = 'batch') GROUP BY e.key
            """
        try add(sql, [.value(.integer(first)), .value(.integer(last))], &changes)
    }

    private func addWrites(_ first: Int64, _ changes: inout StoreChanges) throws(StoreError) {
        guard tables.contains("sluice_change") else { return }
        guard case .integer(let oldest)? = try connection.first("SELECT min(change) FROM main.sluice_change") else {
            return
        }
        if oldest > first + 1 { changes.isComplete = false }
        try add(
            """
            SELECT entity, sum(created), sum(updated), sum(deleted) FROM main.sluice_change WHERE change > ?
            GROUP BY entity
            """, [.value(.integer(first))], &changes)
    }

    private func add(_ sql: String, _ values: [StatementValue], _ changes: inout StoreChanges) throws(StoreError) {
        try connection.run(sql, values) { row throws(StoreError) in
            let (created, updated, deleted): (Int, Int, Int) = (try row.value(1), try row.value(2), try row.value(3))
            guard created + updated + deleted > 0 else { return true }
            var entity = changes.entities[try row.value(0)] ?? EntityChanges()
            entity.created += created
            entity.updated += updated
            entity.deleted += deleted
            changes.entities[try row.value(0)] = entity
            return true
        }
    }

    // MARK: Objects

    /// Objects that are named one by one; of more than that, it is as good to read all.
    private static let mostObjects: Int64 = 100_000

    /// Which objects they are, where all runs and writes since have said so.
    private func addObjects(_ token: ChangeToken, _ changes: inout StoreChanges) throws(StoreError) {
        guard tables.contains("sluice_changed"), !changes.entities.isEmpty, try isAllKept(token) else { return }
        let since = "(run > ? OR run = 0 AND change > ?)"
        let values: [StatementValue] = [.value(.integer(token.run)), .value(.integer(token.change))]
        guard
            case .integer(let count)? = try connection.first(
                "SELECT coalesce(sum(last - first + 1), 0) FROM main.sluice_changed WHERE \(since)", values),
            count <= ChangeReading.mostObjects
        else { return }
        for name in changes.entities.keys { changes.entities[name]?.objects = [:] }
        let sql =
            "SELECT entity, first, last, kind FROM main.sluice_changed WHERE \(since) AND entity <> '' ORDER BY number"
        try connection.run(sql, values) { row throws(StoreError) in
            let (entity, first, last): (String, Int, Int) = (try row.value(0), try row.value(1), try row.value(2))
            guard let kind = ObjectChange(rawValue: try row.value(3)), first <= last else { return true }
            for id in Int64(first)...Int64(last) {
                let before = changes.entities[entity, default: EntityChanges(objects: [:])].objects?[id]
                changes.entities[entity, default: EntityChanges(objects: [:])].objects?[id] =
                    before.map { $0.followed(by: kind) } ?? kind
            }
            return true
        }
    }

    /// Whether each run and write since that has changed something has said what.
    private func isAllKept(_ token: ChangeToken) throws(StoreError) -> Bool {
        let runs = """
            SELECT count(*) FROM main.sluice_run r WHERE r.run > ? AND r.status <> 'running' AND json_valid(r.report)
            AND (r.status = 'succeeded' OR json_extract(r.report, '$.commit') = 'batch')
            AND NOT EXISTS (SELECT 1 FROM main.sluice_changed c WHERE c.run = r.run AND c.entity = '')
            AND EXISTS (SELECT 1 FROM json_each(r.report, '$.entities') e WHERE json_extract(e.value, '$.created')
            + json_extract(e.value, '$.stubs') + json_extract(e.value, '$.updated') + json_extract(e.value, '$.deleted') > 0)
            """
        if tables.contains("sluice_run"), try connection.first(runs, [.value(.integer(token.run))]) != .integer(0) {
            return false
        }
        guard tables.contains("sluice_change") else { return true }
        let writes = """
            SELECT count(*) FROM main.sluice_change w WHERE w.change > ?
            AND NOT EXISTS (SELECT 1 FROM main.sluice_changed c WHERE c.run = 0 AND c.change = w.change AND c.entity = '')
            """
        return try connection.first(writes, [.value(.integer(token.change))]) == .integer(0)
    }
}

extension ObjectChange {
    /// What two changes are in all. What is created where another was deleted may have the same objectID.
    fileprivate func followed(by later: ObjectChange) -> ObjectChange {
        switch (self, later) {
        case (.created, .updated): .created
        case (.deleted, .created): .updated
        default: later
        }
    }
}
