import SluiceRecords

/// How many of something some entities may have, or must.
package struct PlanLimit: Sendable {
    /// What is counted.
    package enum Kind: String, Sendable { case rejects, unresolved, duplicates, deletes, records }

    package enum Amount: Sendable {
        /// All of the entities together; of records, each.
        case count(Int)
        /// Each entity; of records, of those of the last run.
        case share(percent: Double)
        /// Of records: some, if there were that many in the last run.
        case some(after: Int)
    }

    package var kind: Kind
    package var amount: Amount
    package var entities: [String]
    /// Whether it is the entity's own.
    package var isOwn: Bool

    package init(_ kind: Kind, _ amount: Amount, _ entities: [String], isOwn: Bool) {
        self.kind = kind
        self.amount = amount
        self.entities = entities
        self.isOwn = isOwn
    }
}

extension SetPlan {
    /// The limits that are exceeded.
    func addLimits(_ limits: [PlanLimit]) {
        func sum(_ condition: String) -> String {
            "CAST(sum(CASE WHEN \(condition) THEN value ELSE 0 END) AS BIGINT)"
        }
        let waits = "name LIKE '%.unresolved'"
        writer.add(
            .limits, "totals",
            """
            SELECT entity, \(sum("name = 'records'")) AS records, \(sum("name = 'rejected'")) AS rejected, \
            \(sum("name = 'conflicting'")) AS conflicting, \(sum("name = 'deleted'")) AS deleted, \
            \(sum("name = 'existing'")) AS existing, \(sum(waits)) AS unresolved, \
            \(sum("\(waits) OR name LIKE '%.resolved'")) AS referring \
            FROM \(dialect.name("counts")) GROUP BY entity
            """)
        let queries = limits.enumerated().filter { !$0.element.entities.isEmpty }.map { query($0.element, $0.offset) }
        let none = """
            SELECT CAST(0 AS BIGINT) AS n, '' AS name, CAST(NULL AS \(dialect.textType)) AS entity, \
            CAST(0 AS BIGINT) AS allowed, CAST(0 AS BIGINT) AS found, CAST(NULL AS BIGINT) AS earlier WHERE 1 = 0
            """
        writer.add(.limits, "exceeded", ([none] + queries).joined(separator: " UNION ALL "))
    }

    private func query(_ limit: PlanLimit, _ number: Int) -> String {
        let names = limit.entities.map { dialect.text($0) }.joined(separator: ", ")
        let (found, of): (String, String) =
            switch limit.kind {
            case .rejects: ("t.rejected", "t.records")
            case .unresolved: ("t.unresolved", "t.referring")
            case .duplicates: ("t.conflicting", "t.records")
            case .deletes: ("t.deleted", "t.existing")
            case .records: ("t.records", "coalesce(l.records, 0)")
            }
        let head = "SELECT CAST(\(number) AS BIGINT) AS n, '\(limit.kind.rawValue)' AS name"
        let tables = "FROM \(dialect.name("totals")) t LEFT JOIN \(dialect.name("last")) l ON l.entity = t.entity"
        let wanted = "t.entity IN (\(names))"
        switch limit.amount {
        case .count(let count) where limit.kind != .records && !limit.isOwn:
            return """
                \(head), CAST(NULL AS \(dialect.textType)) AS entity, CAST(\(count) AS BIGINT) AS allowed, \
                CAST(sum(\(found)) AS BIGINT) AS found, CAST(NULL AS BIGINT) AS earlier \(tables) WHERE \(wanted) \
                HAVING sum(\(found)) > \(count)
                """
        default: break
        }
        let rounding = limit.kind == .records ? "ceil" : "floor"
        let allowed =
            switch limit.amount {
            case .count(let count): "\(count)"
            case .share(let percent): "\(rounding)(CAST(\(of) AS DOUBLE) * CAST(\(percent) AS DOUBLE) / 100)"
            case .some(let before): "CASE WHEN \(of) >= \(before) THEN 1 ELSE 0 END"
            }
        let (exceeds, earlier) = limit.kind == .records ? ("<", "l.records") : (">", "CAST(NULL AS BIGINT)")
        return """
            \(head), t.entity, CAST(\(allowed) AS BIGINT) AS allowed, \(found) AS found, \(earlier) AS earlier \
            \(tables) WHERE \(wanted) AND \(found) \(exceeds) \(allowed)
            """
    }
}
