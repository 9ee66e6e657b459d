import SluiceDefinition
import SluiceLoad
import SluiceRecords
import SluiceReport
import SluiceSchema
import SluiceStores

extension PipelineDefinition {
    /// The last run of the pipeline in its store, or in another one, where that did not succeed: then a replay of its
    /// rejects loads these, and nothing else of its feed. Nil: it did succeed, or no store knows one.
    ///
    /// - Parameter store: the other one, as it is given on the command line.
    package func lastRunIfFailed(in store: String?) throws(Failure) -> Int? {
        let location = try location(instead: store)
        var failed: Int?
        do throws(Failure) {
            try location.ledger().rows(of: name) { row throws(Failure) in
                // Of a replay of rejects, too, nothing else was loaded.
                if row.replaysRejects || row.status == "forgot" { return true }
                let isUndone = row.report.map(ReportMarks.savesBatches) != true
                if isUndone, row.hasFailed { failed = row.run }
                return false
            }
        } catch  where error.kind == .missing {
            return nil
        }
        return failed
    }
}
