import SluiceLoad
import SluicePostgreSQL
import SluiceRecords
import SluiceSchema

/// The ledger and the waiting list of a store on a server, to be read.
package struct ServerLedger: StoreLedger {
    private let connection: ServerConnection
    private let namespace: ServerNamespace
    private let schema: String
    private let hasWaitingList: Bool

    /// Throws `missing` where there is no store.
    package init(_ location: ServerLocation) throws(Failure) {
        connection = try location.connectForReading(nil)
        schema = location.schema
        namespace = ServerNamespace(schema)
        try connection.execute("SET default_transaction_read_only = on")
        let catalog = ServerCatalog(connection, schema)
        guard try catalog.hasLedger else { throw Failure(.missing, "the store \(location) does not exist") }
        try catalog.checkOwnTables()
        hasWaitingList = try catalog.table("sluice_unresolved") != nil
    }

    private var runs: ServerLedgerTable { ServerLedgerTable(connection, "\(namespace).sluice_run", "") }

    package func rows(of pipeline: String?, each: (LedgerRow) throws(Failure) -> Bool) throws(Failure) {
        try runs.rows(of: pipeline, each: each)
    }

    package func row(_ run: Int) throws(Failure) -> LedgerRow? {
        var found: LedgerRow?
        try runs.rows(of: nil, where: "run = \(run)") { row in
            found = row
            return false
        }
        return found
    }

    package func isHeld() throws(Failure) -> Bool {
        // A standby knows no locks of the server that it follows.
        if try connection.query("SELECT pg_is_in_recovery()").boolean(0, 0) { return true }
        return try ServerLock(connection, schema).isHeld()
    }

    // MARK: The waiting list

    /// Entries that are read together.
    private static let chunk = 5000

    private static let condition = """
        (w.entity COLLATE "C", w.relationship COLLATE "C") IN (SELECT * FROM unnest($1::text[], $2::text[]))
        """

    private func values(_ filter: UnresolvedFilter, _ model: Model) -> [ServerValue] {
        let pairs = filter.relationships(of: model)
        return [.texts(pairs.map(\.entity)), .texts(pairs.map(\.name))]
    }

    package func unresolvedCount(in model: Model, _ filter: UnresolvedFilter) throws(Failure) -> Int {
        guard hasWaitingList else { return 0 }
        let found = try connection.query(
            "SELECT count(*) FROM \(namespace).sluice_unresolved w WHERE \(ServerLedger.condition)",
            values: values(filter, model))
        return Int(found.integer(0, 0))
    }

    package func unresolved(
        in model: Model, _ filter: UnresolvedFilter, most: Int?, each: (UnresolvedRow) throws(Failure) -> Void
    ) throws(Failure) {
        guard hasWaitingList else { return }
        // With a limit, the server keeps so many while it reads, and sorts no others.
        try inPortions(
            """
            SELECT w.run, r.started, w.entity, w."objectID", w.relationship, w.target, w.value, w.source, w.file,
            w.record, w.line, w."column", w."offset", w.path, r.sources
            FROM \(namespace).sluice_unresolved w LEFT JOIN \(namespace).sluice_run r USING (run)
            WHERE \(ServerLedger.condition)
            ORDER BY w.run, w.source NULLS FIRST, w.file NULLS FIRST, w."offset" NULLS FIRST, w.entity, w."objectID",
            w.relationship, w.position LIMIT $3::bigint
            """, values(filter, model) + [.text(most.map { String($0) })]
        ) { found throws(Failure) in
            let identifiers = try identifiers(found, model)
            for row in 0..<found.count {
                guard let entity = model.entity(named: found.text(row, 2)) else { continue }
                let identifier = identifiers[ExactText(entity.name)]?[found.integer(row, 3)] ?? "null"
                try each(self.row(found, row, entity, identifier, model))
            }
            return true
        }
    }

    /// Hands out the rows of a query, some at a time, until it is told to stop. By a cursor: there may be millions, and
    /// they have no key in their order.
    private func inPortions(
        _ query: String, _ values: [ServerValue], _ each: (ServerRows) throws(Failure) -> Bool
    ) throws(Failure) {
        try connection.execute("BEGIN")
        defer { try? connection.execute("ROLLBACK") }
        try connection.query("DECLARE portions CURSOR FOR \(query)", values: values)
        while true {
            let found = try connection.query("FETCH \(ServerLedger.chunk) FROM portions")
            if try !each(found) || found.count < ServerLedger.chunk { return }
        }
    }

    private func row(
        _ found: ServerRows, _ row: Int, _ entity: Entity, _ identifier: String, _ model: Model
    ) -> UnresolvedRow {
        let name = found.text(row, 4)
        return UnresolvedRow(
            run: Int(found.integer(row, 0)), since: found.optionalText(row, 1), entity: entity.name,
            identifier: identifier, relationship: name,
            targets: found.optionalText(row, 5).map { [$0] } ?? entity.targetNames(of: name, in: model),
            value: found.text(row, 6), at: found.isNull(row, 12) ? nil : found.feedPosition(row, from: 7),
            sources: found.optionalText(row, 14))
    }

    /// The identifiers of the objects of some entries, as JSON: by entity and objectID.
    private func identifiers(_ found: ServerRows, _ model: Model) throws(Failure) -> [ExactText: [Int64: String]] {
        var objects: [ExactText: [Int64]] = [:]
        for row in 0..<found.count { objects[ExactText(found.text(row, 2)), default: []].append(found.integer(row, 3)) }
        var identifiers: [ExactText: [Int64: String]] = [:]
        var arena = Arena()
        defer { arena.deallocate() }
        for (name, objectIDs) in objects {
            guard let entity = model.entity(named: name.string) else { continue }
            let attributes = entity.identifier.map { entity.attributes[$0] }
            let rows = try connection.query(
                """
                SELECT "objectID", \(attributes.map { quoted($0.name) }.joined(separator: ", "))
                FROM \(namespace.named(entity.table)) WHERE "objectID" = ANY($1)
                """, .integers(objectIDs))
            for row in 0..<rows.count {
                arena.reset()
                var cells: [Cell] = []
                for (part, attribute) in attributes.enumerated() {
                    let form = CellForm(attribute.conversion.stored)
                    let cell = unsafe form.cell(rows.bytes(row, 1 + part), in: &arena)
                    cells.append(cell ?? .null)
                }
                identifiers[name, default: [:]][rows.integer(row, 0)] = arena.json(ofKey: cells)
            }
        }
        return identifiers
    }

    package func missingTargets(
        in model: Model, _ filter: UnresolvedFilter, each: (UnresolvedTarget) throws(Failure) -> Bool
    ) throws(Failure) {
        guard hasWaitingList else { return }
        try inPortions(
            """
            SELECT w.entity, w.relationship, w.target, w.value, count(*), min(w.run)
            FROM \(namespace).sluice_unresolved w
            WHERE \(ServerLedger.condition) GROUP BY w.entity, w.relationship, w.target, w.value
            ORDER BY count(*) DESC, w.entity, w.relationship, w.value, w.target NULLS FIRST
            """, values(filter, model)
        ) { found throws(Failure) in
            for row in 0..<found.count {
                guard let entity = model.entity(named: found.text(row, 0)) else { continue }
                let target = UnresolvedTarget(
                    entity, found.text(row, 1), target: found.optionalText(row, 2), value: found.text(row, 3),
                    references: Int(found.integer(row, 4)), run: Int(found.integer(row, 5)), in: model)
                if try !each(target) { return false }
            }
            return true
        }
    }
}
