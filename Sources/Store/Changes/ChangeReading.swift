import SluiceRecords
import SluiceSchema

/// Reads what has changed in a store since a moment.
struct ChangeReading {
    private let connection: any ReadConnection
    private let tables: Set<ExactText>
    private let runs = Fragment(table: "sluice_run")
    private let writes = Fragment(table: "sluice_change")
    private let objects = Fragment(table: "sluice_changed")

    init(_ connection: any ReadConnection) throws(StoreError) {
        self.connection = connection
        tables = try connection.tables(among: ["sluice_run", "sluice_change", "sluice_changed"])
    }

    private func has(_ table: String) -> Bool { tables.contains(ExactText(table)) }

    /// The moment that it is now.
    func token() throws(StoreError) -> ChangeToken {
        let run = try lastRun(Fragment("status <> 'running'"))
        return ChangeToken(
            run: run?.number ?? 0, change: try lastChange(), seed: connection.seed, started: run?.started,
            beside: connection.seedsBeside)
    }

    /// The last run that meets a condition, and when it started; nil: the store knows no such run.
    private func lastRun(_ condition: Fragment) throws(StoreError) -> (number: Int64, started: String)? {
        guard has("sluice_run") else { return nil }
        var found: (Int64, String)?
        let query = "SELECT run, started FROM " + runs + " WHERE " + condition + " ORDER BY run DESC LIMIT 1"
        try connection.run(query) { row throws(StoreError) in
            found = (Int64(try row.value(0) as Int), try row.value(1))
            return false
        }
        return found
    }

    private func lastChange() throws(StoreError) -> Int64 {
        guard has("sluice_change") else { return 0 }
        return try connection.number("SELECT max(change) FROM " + writes) ?? 0
    }

    /// Whether the store is another one than that of a token: it has fewer runs, or a run of that number which started
    /// at another time.
    private func isMadeAnew(since token: ChangeToken, _ now: ChangeToken) throws(StoreError) -> Bool {
        if now.run < token.run || now.change < token.change { return true }
        guard let then = token.started, let run = try lastRun("run = " + Fragment(value: .integer(token.run))) else {
            return false
        }
        return !run.started.isIdentical(to: then)
    }

    /// What has changed since; nil: nothing.
    func changes(since token: ChangeToken) throws(StoreError) -> StoreChanges? {
        let now = try self.token()
        guard now != token else { return nil }
        let hasOtherBeside = token.beside?.contains { then in
            connection.seedsBeside.contains { $0.name.isIdentical(to: then.name) && $0.version != then.version }
        }
        var changes = StoreChanges(
            token: now, entities: [:], seedReplaced: now.seed != token.seed || hasOtherBeside == true,
            isComplete: now.seed == token.seed)
        // A store that was made anew counts from 1 again.
        guard try !isMadeAnew(since: token, now) else {
            changes.isComplete = false
            return changes
        }
        try addRuns(token.run, now.run, &changes)
        try addWrites(token.change, now.change, &changes)
        try addObjects(token, &changes)
        let isSilent = changes.entities.isEmpty && changes.isComplete && !changes.seedReplaced
        return isSilent ? StoreChanges(token: now, entities: [:], seedReplaced: false, isComplete: true) : changes
    }

    private func addRuns(_ first: Int64, _ last: Int64, _ changes: inout StoreChanges) throws(StoreError) {
        guard last > first else { return }
        let isSince =
            " WHERE r.run > " + Fragment(value: .integer(first)) + " AND r.run <= " + Fragment(value: .integer(last))
        let known = try connection.number(
            "SELECT count(*) FROM " + runs + " r" + isSince + " AND " + ReportedCounts.isKnown)
        // The ledger forgets runs, or what they reported, see `ledger` of the definition; and a run that died may have
        // saved batches, and says nothing of them.
        if known ?? 0 < last - first { changes.isComplete = false }
        let columns =
            "SELECT e.key, CAST(sum(" + ReportedCounts.created + ") AS bigint), CAST(sum("
            + ReportedCounts.count("updated") + ") AS bigint), CAST(sum(" + ReportedCounts.count("deleted")
            + ") AS bigint) FROM "
        try add(
            columns + runs + " r" + ReportedCounts.entities + isSince + " AND " + ReportedCounts.isThere
                + " GROUP BY e.key",
            &changes)
    }

    private func addWrites(_ first: Int64, _ last: Int64, _ changes: inout StoreChanges) throws(StoreError) {
        guard has("sluice_change"), last > first else { return }
        let isSince = " WHERE change > " + Fragment(value: .integer(first))
        // Of older writes, each entity's last one may be there yet.
        let known = try connection.number("SELECT count(DISTINCT change) FROM " + writes + isSince)
        if known ?? 0 < last - first { changes.isComplete = false }
        try add(
            "SELECT entity, sum(created), sum(updated), sum(deleted) FROM " + writes + isSince + " GROUP BY entity",
            &changes)
    }

    private func add(_ query: Fragment, _ changes: inout StoreChanges) throws(StoreError) {
        try connection.run(query) { row throws(StoreError) in
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
        guard has("sluice_changed"), !changes.entities.isEmpty, changes.isComplete, try isAllKept(token) else { return }
        let isSince =
            "(run > " + Fragment(value: .integer(token.run)) + " OR run = 0 AND change > "
            + Fragment(value: .integer(token.change)) + ")"
        let count = try connection.number(
            "SELECT CAST(coalesce(sum(last - first + 1), 0) AS bigint) FROM " + objects + " WHERE " + isSince)
        guard let count, count <= ChangeReading.mostObjects else { return }
        for name in changes.entities.keys { changes.entities[name]?.objects = [:] }
        let named = "SELECT entity, first, last, kind FROM " + objects + " WHERE entity <> '' AND "
        try connection.run(named + isSince + " ORDER BY number") { row throws(StoreError) in
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
        let isUntold = " AND NOT EXISTS (SELECT 1 FROM " + objects + " c WHERE c.entity = '' AND "
        if has("sluice_run") {
            let since = " r WHERE r.run > " + Fragment(value: .integer(token.run)) + " AND " + ReportedCounts.isThere
            let changed =
                " AND EXISTS (SELECT 1 FROM " + ReportedCounts.list + " WHERE " + ReportedCounts.created + " + "
                + ReportedCounts.count("updated") + " + " + ReportedCounts.count("deleted") + " > 0)"
            let untold = isUntold + "c.run = r.run)"
            guard try connection.number("SELECT count(*) FROM " + runs + since + untold + changed) == 0 else {
                return false
            }
        }
        guard has("sluice_change") else { return true }
        let since = " w WHERE w.change > " + Fragment(value: .integer(token.change))
        let untold = isUntold + "c.run = 0 AND c.change = w.change)"
        return try connection.number("SELECT count(*) FROM " + writes + since + untold) == 0
    }
}

/// What the reports of runs count, as SQL over the ledger `r`.
private enum ReportedCounts {
    /// The entities of a report, as rows `e` with a `key`.
    static let list = Fragment(
        file: "json_each(r.report, '$.entities') e", server: "json_each(r.report::json -> 'entities') e")

    static let entities = Fragment(file: ", ", server: " CROSS JOIN LATERAL ") + list

    private static let hasReport = Fragment(file: "json_valid(r.report)", server: "r.report IS NOT NULL")

    /// Whether it is known what a run has done, or will be once it has ended.
    static let isKnown: Fragment =
        "r.status <> 'died' AND (r.status IN ('running', \(quotedText(HistoryTable.forgot))) OR " + hasReport + ")"

    /// Whether a run has ended with a report, and what it wrote is there.
    static let isThere: Fragment =
        "r.status <> 'running' AND " + hasReport + " AND (r.status = 'succeeded' OR "
        + Fragment(file: "json_extract(r.report, '$.commit')", server: "r.report::json ->> 'commit'") + " = 'batch')"

    static let created = "(" + count("created") + " + " + count("stubs") + ")"

    /// A count of an entity.
    static func count(_ name: String) -> Fragment {
        Fragment(file: "json_extract(e.value, '$.\(name)')", server: "(e.value ->> '\(name)')::bigint")
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
