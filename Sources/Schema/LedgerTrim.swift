/// Statements that remove old rows of the ledger of a pipeline, in SQL of any store.
///
/// Rows with saved feeds stay until these feeds are deleted: nothing else says which run wrote them. So does the last
/// run that others are compared with, however many found nothing new since, or failed. Of runs that the waiting list
/// names, or the history may name, the rows stay without their reports: when they were, and what they read.
package struct LedgerTrim {
    private let table: String
    private let old: String
    private let waiting: String
    /// The condition for runs that the history may forget; nil: there is no history.
    private let forgettable: String?

    /// - Parameters:
    ///   - table: the ledger, as SQL has it.
    ///   - waiting: the waiting list, likewise.
    ///   - pipeline: the parameter with the name of the pipeline.
    ///   - keep: the parameter with how many of its rows stay.
    ///   - forgettable: the condition for runs that the history may forget; nil: there is no history.
    package init(_ table: String, waiting: String, pipeline: String, keep: String, forgettable: String?) {
        self.table = table
        self.waiting = waiting
        self.forgettable = forgettable
        let loaded = "pipeline = \(pipeline) AND status = 'succeeded' AND report IS NOT NULL"
        let compared = "\(loaded) AND \(ReportMarks.isNoReplay)"
        old = """
            pipeline = \(pipeline) AND archive IS NULL
            AND run <= (SELECT run FROM \(table) WHERE pipeline = \(pipeline) ORDER BY run DESC LIMIT 1 OFFSET \(keep))
            AND run NOT IN (SELECT run FROM \(table) WHERE \(loaded) ORDER BY run DESC LIMIT 1)
            AND run NOT IN (SELECT run FROM \(table) WHERE \(compared) ORDER BY run DESC LIMIT 1)
            """
    }

    /// They have the same parameters.
    package var statements: [String] {
        var (all, gone) = (old, old)
        if let forgettable {
            all += " AND \(forgettable)"
            // What a run that found nothing new has made, no history names.
            gone = all + " AND status = 'unchanged'"
        }
        return [
            "DELETE FROM \(table) WHERE \(gone) AND run NOT IN (SELECT run FROM \(waiting))",
            "UPDATE \(table) SET report = NULL WHERE \(all) AND report IS NOT NULL",
        ]
    }
}
