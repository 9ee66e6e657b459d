import SluiceRecords

// What a store was when a run ended, for a store that is made as it was.
extension HistorySource {
    /// Refuses a run of which it is not known, or not known any more, what it left in the whole store.
    package func refuseState(of run: Int64) throws(Failure) {
        let isEnded = try integer(
            """
            SELECT 1 FROM \(dialect.ownTable("sluice_run")) r, \(dialect.ownTable("sluice_history")) h
            WHERE r.run = \(run) AND r.run < h.run
            """)
        guard isEnded != nil else { throw Failure(.missing, "the store \(name) knows of no run \(run) that has ended") }
        try refuse(Int(run))
        try refuse(run, where: descriptions())
    }

    /// A query for the rows that `sluice_model` had.
    ///
    /// - Parameter model: the table as it is, as SQL has it.
    package func modelRows(at run: Int64, _ model: String) throws(Failure) -> String {
        let change = try integer("SELECT min(run) FROM \(dialect.ownTable("sluice_history_change")) WHERE run > \(run)")
        guard let change else { return "SELECT pipeline, entity, description, run FROM \(model)" }
        return """
            SELECT pipeline, name, description, since FROM \(dialect.ownTable("sluice_history_model")) WHERE run = \(change)
            """
    }
}

extension HistoryTable {
    /// A query for the rows of the table that were true when a run ended, and ended since: its columns, in their order.
    package func endedRows(at run: Int64, _ dialect: any Dialect) -> String {
        let values = pastColumns.map { "p.\($0)" }.joined(separator: ", ")
        let past = dialect.ownTable(past)
        let (rows, version) =
            hasLinks
            ? ("\(past) AS h JOIN \(past) AS p ON p.r = h.r AND p.o = h.o AND p.n > 0 WHERE h.n = 0 AND", "h")
            : ("\(past) p WHERE", "p")
        return "SELECT \(values) FROM \(rows) \(version).f <= \(run) AND \(version).r > \(run)"
    }
}
