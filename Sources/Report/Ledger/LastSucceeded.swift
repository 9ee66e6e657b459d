import SluiceLoad
import SluiceRecords

extension OpenStore {
    /// What is made of the report of the last run of this pipeline that succeeded; where nothing is made of it, of the
    /// one before.
    ///
    /// - Parameter make: is given what the run read as well, as the ledger has it.
    package func lastSucceeded<Result>(_ make: (RunReport, _ sources: String?) -> Result?) throws(Failure) -> Result? {
        var found: Result?
        try succeededReports { json, sources in
            found = RunReport(json: json, sources: nil).flatMap { make($0, sources) }
            return found == nil
        }
        return found
    }
}
