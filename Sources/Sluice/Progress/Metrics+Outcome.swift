import SluiceRecords
import SluiceReport

// What the metrics of each run have, also of one that could not begin.
extension Metrics {
    static let lastSuccess = "sluice_last_success_timestamp_seconds"
    static let lastLoad = "sluice_last_load_timestamp_seconds"

    /// When a run was. Returns its labels.
    mutating func addTimes(
        _ pipeline: String, started: Timestamp, finished: Timestamp, seconds: Double
    ) -> [(String, String)] {
        let own = [("pipeline", pipeline)]
        add("sluice_run_started_timestamp_seconds", "When the last run started.", own, started.unixSeconds)
        add("sluice_run_finished_timestamp_seconds", "When the last run ended.", own, finished.unixSeconds)
        add("sluice_run_duration_seconds", "How long the last run took.", own, seconds)
        return own
    }

    /// How it ended, and when one ended well.
    mutating func addOutcome(
        _ own: [(String, String)], lastSuccess: Double, lastLoad: Double?, _ status: RunReport.Status,
        _ exitStatus: Int32
    ) {
        add(Metrics.lastSuccess, "When a run last succeeded, or found nothing new.", own, lastSuccess)
        add(Metrics.lastLoad, "When a run last loaded a feed that was another one than before.", own, lastLoad)
        add(
            "sluice_run_status", "How the last run ended: 1 for its status, 0 for the others.",
            RunReport.Status.allCases.map { (own + [("status", $0.rawValue)], $0 == status ? 1 : 0) })
        add("sluice_run_exit_status", "The exit status of the last run.", own, Double(exitStatus))
    }

    /// The metrics of a run that could not begin, as its definition is wrong, or lacks a variable: the store knows
    /// nothing of it.
    ///
    /// - Parameter earlier: the metrics of the run before, which know when one succeeded last.
    static func unbegun(_ pipeline: String, at time: Timestamp, exitStatus: Int32, earlier: String) -> String {
        var metrics = Metrics()
        let own = metrics.addTimes(pipeline, started: time, finished: time, seconds: 0)
        metrics.addOutcome(
            own, lastSuccess: value(of: lastSuccess, own, in: earlier) ?? 0,
            lastLoad: value(of: lastLoad, own, in: earlier), .failed, exitStatus)
        return metrics.text
    }
}
