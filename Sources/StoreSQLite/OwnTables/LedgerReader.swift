import SluiceLoad
import SluiceRecords

/// Reads the ledger.
struct LedgerReader {
    let connection: Connection

    /// Hands out rows, the newest first, until it is told to stop.
    ///
    /// - Parameters:
    ///   - condition: SQL, with a parameter for each text.
    ///   - unread: columns that are not asked for: a report may be long.
    func rows(
        where condition: String = "true", _ texts: [String] = [], without unread: Set<String> = [],
        each: (LedgerRow) throws(Failure) -> Bool
    ) throws(Failure) {
        let known = try Ledger.knownColumns(connection)
        if known.isEmpty { return }
        let names = Ledger.columns.map { known.contains($0.0) && !unread.contains($0.0) ? $0.0 : "NULL" }.joined(
            separator: ", ")
        let statement = try connection.prepare(
            "SELECT run, \(names) FROM sluice_run WHERE \(condition) ORDER BY run DESC")
        for (index, text) in texts.enumerated() { statement.bind(index + 1, text) }
        defer { statement.reset() }
        while try statement.step() {
            if try !each(row(statement)) { return }
        }
    }

    private func row(_ statement: Statement) -> LedgerRow {
        func text(_ column: Int) -> String? { statement.isNull(column) ? nil : statement.text(column) }
        func integer(_ column: Int) -> Int? { statement.isNull(column) ? nil : Int(statement.integer(column)) }
        var row = LedgerRow(
            run: Int(statement.integer(0)), pipeline: statement.text(1), started: statement.text(3),
            status: statement.text(5))
        (row.definition, row.finished, row.sources, row.report) = (text(2), text(4), text(6), text(7))
        (row.replayOf, row.archive, row.version, row.peakMemory) = (integer(8), text(9), text(10), integer(11))
        return row
    }

    /// The last run of a pipeline that loaded its feed, or found it loaded, if the store is as it left it: nothing came
    /// after it but runs that changed nothing. A number that is missing may have been any run.
    func lastRun(of pipeline: String) throws(Failure) -> LedgerRow? {
        var found: LedgerRow?
        var next: Int?
        try rows { row throws(Failure) in
            if let next, row.run != next { return false }
            next = row.run &- 1
            if row.pipeline.isIdentical(to: pipeline), ["succeeded", "unchanged"].contains(row.status) {
                found = row
                return false
            }
            return try isWithoutEffect(row)
        }
        return found
    }

    private func isWithoutEffect(_ row: LedgerRow) throws(Failure) -> Bool {
        if row.status == "unchanged" { return true }
        guard ["failed", "cancelled"].contains(row.status), let report = row.report else { return false }
        let commit = try connection.text(
            "SELECT CASE WHEN json_valid(?1) THEN json_extract(?1, '$.commit') END", report)
        return commit == "run"
    }
}
