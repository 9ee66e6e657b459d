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
        let names = LedgerRow.columns.map { known.contains($0) && !unread.contains($0) ? $0 : "NULL" }.joined(
            separator: ", ")
        let statement = try connection.prepare(
            "SELECT run, \(names) FROM sluice_run WHERE \(condition) ORDER BY run DESC")
        for (index, text) in texts.enumerated() { statement.bind(index + 1, text) }
        defer { statement.reset() }
        while try statement.step() {
            let row = LedgerRow(
                text: { statement.optionalText($0) },
                integer: { statement.isNull($0) ? nil : Int(statement.integer($0)) })
            if try !each(row) { return }
        }
    }

    func lastRun(of pipeline: String) throws(Failure) -> LedgerRow? {
        var search = LastRunSearch(pipeline)
        try rows { row in search.add(row) }
        return search.found
    }
}
