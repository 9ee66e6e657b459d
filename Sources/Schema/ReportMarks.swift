/// What is read of the report of a run, which the ledger keeps as JSON, below the module that writes it: three members
/// of `RunReport.json`.
package enum ReportMarks {
    /// SQL, of a row of the ledger: no saved feed was read, nor mended rejects.
    package static let isNoReplay = "report LIKE '%\"replay\": false%'"

    /// Whether a saved feed, or mended rejects, were read.
    package static func isReplay(_ report: String) -> Bool { StoredJSON(report)?["replay"]?.isTrue == true }

    /// Whether mended rejects were read, and nothing else of a feed.
    package static func replaysRejects(_ report: String) -> Bool { StoredJSON(report)?["mended"]?.isTrue == true }

    /// Whether the run saved what it had done batch by batch.
    package static func savesBatches(_ report: String) -> Bool { StoredJSON(report)?["commit"]?.string != "run" }

    /// Whether services were queried for everything.
    package static func isFull(_ report: String) -> Bool { StoredJSON(report)?["full"]?.isTrue == true }
}
