import SluiceExtract
import SluiceLoad
import SluiceRecords

extension RunReport {
    /// How long a pipeline has not succeeded, up to a run that did not.
    package struct Standing: Sendable, Hashable {
        /// The runs that have not succeeded since the last one that did, this one among them.
        package var runs = 1
        /// When the first of them started.
        package var since: Timestamp
        /// The last run that succeeded, or found nothing new: the data of the store are those of that time; nil: the
        /// ledger knows none.
        package var succeeded: Success?

        /// A run that succeeded.
        package struct Success: Sendable, Hashable {
            /// Its number in the ledger.
            package var run: Int
            /// When it ended.
            package var finished: Timestamp

            /// From its parts.
            package init(run: Int, finished: Timestamp) { (self.run, self.finished) = (run, finished) }
        }
    }
}

extension RunReport.Standing {
    /// Looks into the ledger for the runs before one.
    ///
    /// - Parameters:
    ///   - run: the number of that run; nil: it has none.
    ///   - started: when it started.
    package init(
        _ ledger: any StoreLedger, of pipeline: String, before run: Int?, started: Timestamp
    ) throws(Failure) {
        since = started
        var standing = RunReport.Standing(since: started)
        try ledger.rows(of: pipeline) { row in
            // Of a replay of rejects, nothing else of a feed was loaded.
            if row.run >= run ?? .max || row.replaysRejects { return true }
            if row.hasFailed {
                standing.runs += 1
                standing.since = Timestamp(text: row.started) ?? standing.since
            }
            guard row.hasSucceeded else { return true }
            let finished = row.finished.flatMap(Timestamp.init(text:))
            standing.succeeded = finished.map { Success(run: row.run, finished: $0) }
            return false
        }
        self = standing
    }

    /// From its parts.
    package init(since: Timestamp, succeeded: Success? = nil) { (self.since, self.succeeded) = (since, succeeded) }

    /// Lines for a person.
    var lines: [String] {
        let began = Timestamp.minutes(of: since.text)
        let failing = runs > 1 ? ["failing since \(began) UTC, in \(grouped(runs)) runs"] : []
        guard let succeeded else { return failing + (runs > 1 ? ["no run has succeeded that the ledger knows"] : []) }
        let moment = Timestamp.minutes(of: succeeded.finished.text)
        return failing + ["last succeeded: run \(succeeded.run), \(moment) UTC"]
    }

    /// As the report has it.
    var json: String {
        let success = succeeded.map { success in
            JSONText.object([("run", String(success.run)), ("finished", JSONText.quoted(success.finished.text))])
        }
        return JSONText.object([
            ("runs", String(runs)), ("since", JSONText.quoted(since.text)), ("succeeded", success ?? "null"),
        ])
    }

    /// As a report has it that was read.
    init?(_ node: JSONNode) {
        guard let since = node["since"]?.text.flatMap(Timestamp.init(text:)) else { return nil }
        self.init(since: since)
        runs = node.count("runs")
        if let success = node["succeeded"], let run = success["run"]?.integer,
            let finished = success["finished"]?.text.flatMap(Timestamp.init(text:))
        {
            succeeded = Success(run: run, finished: finished)
        }
    }
}
