import SluiceLoad
import SluiceRecords

extension RunStore {
    /// What is made of the report of the last run of this pipeline that succeeded; where nothing is made of it, of the
    /// one before.
    package func lastSucceeded<Result>(_ make: (RunReport) -> Result?) throws(Failure) -> Result? {
        var found: Result?
        try succeededReports { json in
            found = RunReport(json: json, sources: nil).flatMap(make)
            return found == nil
        }
        return found
    }
}
