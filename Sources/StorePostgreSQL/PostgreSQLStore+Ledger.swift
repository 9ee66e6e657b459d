import SluiceLoad
import SluicePostgreSQL
import SluiceRecords
import SluiceSchema

// What a store knows of its runs.
extension PostgreSQLStore: RunStore, StoreRun {
    package var number: Int { run }

    var ledger: ServerLedgerTable { ServerLedgerTable(connection, stored("sluice_run"), pipeline) }

    package var fit: (any RecordFit)? { get throws(Failure) { try ServerFit(model, connection) } }

    package var keepsLedger: Bool { hasLedger }

    package func lastRun() throws(Failure) -> LedgerRow? {
        guard hadLedger, check.isComplete else { return nil }
        return try ledger.lastRun()
    }

    package func hasUnfinishedBatches(before run: Int, diedSaving: Bool) throws(Failure) -> Bool {
        guard hadLedger else { return false }
        var search = UnfinishedSearch(pipeline, before: run, diedSaving: diedSaving)
        try ledger.rows(of: pipeline) { row in search.takeIn(row) }
        return search.isFound
    }

    package func succeededReports(
        _ each: (_ report: String, _ sources: String?) throws(Failure) -> Bool
    ) throws(Failure) {
        guard hasLedger || hadLedger else { return }
        var first: Int64?
        if let asked = beginning.reports {
            let last = try connection.rows(of: asked)
            for row in 0..<last.count {
                let sources = last.isNull(row, 2) ? nil : last.text(row, 2)
                if try !each(last.text(row, 1), sources) { return }
            }
            if last.count < BeginningReads.fewReports { return }
            first = last.integer(last.count - 1, 0)
        }
        try ledger.rows(
            of: pipeline, before: first, where: ServerLedgerTable.hasReport
        ) { row throws(Failure) in
            try each(row.report ?? "", row.sources)
        }
    }

    package func archivedRuns(_ each: (_ run: Int, _ archive: String) throws(Failure) -> Void) throws(Failure) {
        try ledger.rows(of: pipeline, where: "archive IS NOT NULL") { row throws(Failure) in
            try each(row.run, row.archive ?? "")
            return true
        }
    }

    package func forgetArchive(ofRun run: Int) throws(Failure) { try ledger.forgetArchive(run) }

    package func noteEnded(_ start: RunStart, _ outcome: (_ run: Int) -> RunOutcome) throws(Failure) -> Int {
        if isDry { return try dryNumber() }
        try connection.write("BEGIN")
        do throws(Failure) {
            let run = try ledger.start(start)
            try ledger.finish(
                run, outcome(run), keep: use.keptRuns, waiting: waitingTable, settleHistory(ofEnded: run)
            )
            try connection.execute("COMMIT")
            return run
        } catch {
            try? connection.execute("ROLLBACK")
            throw error
        }
    }

    /// The waiting list, as SQL has it; nil: the store had none when it was opened.
    var waitingTable: String? { ownTables.contains("sluice_unresolved") ? stored("sluice_unresolved") : nil }

    private func dryNumber() throws(Failure) -> Int {
        Int(try connection.query("SELECT coalesce(max(run), 0) + 1 FROM \(stored("sluice_run"))").integer(0, 0))
    }

    // MARK: What web services are told

    package func fetchMarks(pipeline: String) throws(Failure) -> [FetchMark] {
        guard has("sluice_fetch") else { return [] }
        var asked = beginning.marks
        beginning.marks = nil
        if asked == nil { asked = try askForMarks() }
        guard let asked else { return [] }
        let found = try connection.rows(of: asked)
        return (0..<found.count).map { row in
            FetchMark(
                source: found.text(row, 0), request: found.text(row, 1), etag: found.optionalText(row, 2),
                lastModified: found.optionalText(row, 3))
        }
    }

    package func replaceFetchMarks(_ marks: [FetchMark], pipeline: String) throws(Failure) {
        try connection.write("DELETE FROM \(named("sluice_fetch")) WHERE pipeline = $1", .text(pipeline))
        if marks.isEmpty { return }
        try connection.write(
            """
            INSERT INTO \(named("sluice_fetch")) (pipeline, source, request, etag, last_modified)
            SELECT $1, k.* FROM unnest($2, $3, $4, $5) k
            """, .text(pipeline), .texts(marks.map(\.source)), .texts(marks.map(\.request)), .texts(marks.map(\.etag)),
            .texts(marks.map(\.lastModified)))
    }

    package func highest(
        _ attribute: Int, of entity: Int, by relationship: Int, upTo latest: String?
    ) throws(Failure) -> [(target: [String], value: String)] {
        let (child, reference) = (model.entities[entity], model.entities[entity].relationships[relationship])
        let target = model.entities[reference.targets[0].entity]
        let column = child.attributes[attribute]
        guard hasTable(entity), hasTable(reference.targets[0].entity), hasColumn(column.name, of: entity),
            hasColumn(reference.name, of: entity)
        else { return [] }
        let identifier = target.identifier.map { target.attributes[$0] }
        let bound = latest.map { text in
            " AND c.\(quoted(column.name)) <= \(quotedText(text))::\(column.conversion.stored.type == .date ? "date" : "timestamptz")"
        }
        let rows = try connection.query(
            """
            SELECT max(c.\(quoted(column.name))), \(identifier.map { "t." + quoted($0.name) }.joined(separator: ", "))
            FROM \(named(child.table)) c JOIN \(named(target.table)) t ON t."objectID" = c.\(quoted(reference.name))
            WHERE c.\(quoted(column.name)) IS NOT NULL\(bound ?? "") GROUP BY t."objectID"
            """)
        var found: [(target: [String], value: String)] = []
        var arena = Arena()
        defer { arena.deallocate() }
        for row in 0..<rows.count {
            arena.reset()
            let texts = ([column] + identifier).enumerated().compactMap { place, attribute in
                unsafe CellForm(attribute.conversion.stored).cell(rows.bytes(row, place), in: &arena).map { cell in
                    cell.hasBytes ? arena.text(of: cell) : arena.json(of: cell)
                }
            }
            if texts.count == identifier.count + 1 { found.append((Array(texts.dropFirst()), texts[0])) }
        }
        return found
    }

    private func hasTable(_ entity: Int) -> Bool { !check.missing.tables.contains(entity) }

    private func hasColumn(_ name: String, of entity: Int) -> Bool {
        !check.missing.columns.contains { $0.entity == entity && $0.column.name.isIdentical(to: name) }
    }
}
