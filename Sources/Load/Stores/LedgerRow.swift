import SluiceRecords
import SluiceSchema

/// A row of the ledger.
package struct LedgerRow: Sendable {
    package var run: Int
    package var pipeline: String
    /// A digest of what the definition said.
    package var definition: String?
    /// RFC 3339, UTC.
    package var started: String
    package var finished: String?
    /// `running`, `died`, or one of the report's.
    package var status: String
    /// JSON: what was read.
    package var sources: String?
    /// JSON.
    package var report: String?
    /// The run whose feed was read again.
    package var replayOf: Int?
    /// JSON: where the feed is saved.
    package var archive: String?
    /// Of sluice.
    package var version: String?
    /// The most memory that the process had, in bytes.
    package var peakMemory: Int?

    package init(run: Int, pipeline: String, started: String, status: String) {
        self.run = run
        self.pipeline = pipeline
        self.started = started
        self.status = status
    }
}

extension LedgerRow {
    /// Whether the run saved what it had done batch by batch; nil: it has left no report that would say.
    fileprivate var savesBatches: Bool? { report.map(ReportMarks.savesBatches) }

    /// Whether a saved feed, or mended rejects, were read.
    fileprivate var isReplay: Bool { replayOf != nil || report.map(ReportMarks.isReplay) == true }

    /// Whether the run loaded its feed, or found it loaded.
    package var hasSucceeded: Bool { ["succeeded", "unchanged"].contains(status) }

    /// Whether the ledger says that the run goes on: it may have died since.
    package var isRunning: Bool { status == "running" }

    /// Whether the run has ended without success: it failed, was cancelled or died. One that goes on has not.
    package var hasFailed: Bool { ["failed", "cancelled", "died"].contains(status) }

    /// Whether some records of a feed, rejects that were mended, were loaded, and nothing else of it.
    package var replaysRejects: Bool { report.map(ReportMarks.replaysRejects) == true }

    /// The columns of `sluice_run`, behind the number of the run.
    package static let columns = [
        "pipeline", "definition", "started", "finished", "status", "sources", "report", "replay_of", "archive",
        "version",
        "peak_memory",
    ]

    /// Reads a row: the number of the run, and `columns`; null is nil.
    package init(text: (_ column: Int) -> String?, integer: (_ column: Int) -> Int?) {
        self.init(run: integer(0) ?? 0, pipeline: text(1) ?? "", started: text(3) ?? "", status: text(5) ?? "")
        (definition, finished, sources, report) = (text(2), text(4), text(6), text(7))
        (replayOf, archive, version, peakMemory) = (integer(8), text(9), text(10), integer(11))
    }
}

/// Looks for the last run of a pipeline that loaded its feed, or found it loaded, if the store is as it left it:
/// nothing came after it but runs that changed nothing. A number that is missing may have been any run.
package struct LastRunSearch {
    package private(set) var found: LedgerRow?
    private let pipeline: String
    private var next: Int?

    package init(_ pipeline: String) { self.pipeline = pipeline }

    /// Takes in a row of the ledger, the newest first; returns whether the next one is wanted.
    package mutating func add(_ row: LedgerRow) -> Bool {
        if let next, row.run != next { return false }
        next = row.run &- 1
        if row.pipeline.isIdentical(to: pipeline), row.hasSucceeded {
            found = row
            return false
        }
        return isWithoutEffect(row)
    }

    private func isWithoutEffect(_ row: LedgerRow) -> Bool {
        if row.status == "unchanged" { return true }
        // A run that died has left no report.
        return row.hasFailed && row.savesBatches == false
    }
}

/// Looks for a run of a pipeline that has saved batches, and did not succeed, after the last one that did: of what it
/// read, the store has a part.
package struct UnfinishedSearch {
    package private(set) var isFound = false
    private let pipeline: String
    private let run: Int
    private let diedSaving: Bool

    /// - Parameters:
    ///   - run: only runs with lesser numbers count.
    ///   - diedSaving: whether a run that died before it recorded how it saves counts as one that saved batches.
    package init(_ pipeline: String, before run: Int, diedSaving: Bool) {
        self.pipeline = pipeline
        self.run = run
        self.diedSaving = diedSaving
    }

    /// Takes in a row of the ledger, the newest first; returns whether the next one is wanted.
    package mutating func add(_ row: LedgerRow) -> Bool {
        guard row.run < run, row.pipeline.isIdentical(to: pipeline), row.status != "unchanged" else { return true }
        // A replay has read no more than what was saved.
        if row.status == "succeeded" { return row.isReplay }
        isFound = row.savesBatches ?? diedSaving
        return !isFound
    }
}

/// What the ledger says of a run from its start on.
package struct RunStart: Sendable {
    /// RFC 3339, UTC.
    package var started: String
    /// A digest of what the definition says.
    package var definition: String?
    /// JSON: what is read.
    package var sources: String?
    /// The run whose feed is read again.
    package var replayOf: Int?
    /// Of sluice.
    package var version: String?

    package init(
        started: String, definition: String? = nil, sources: String? = nil, replayOf: Int? = nil, version: String? = nil
    ) {
        self.started = started
        self.definition = definition
        self.sources = sources
        self.replayOf = replayOf
        self.version = version
    }
}

/// How a run ended, for the ledger.
package struct RunOutcome: Sendable {
    package var status: String
    /// RFC 3339, UTC.
    package var finished: String
    /// JSON.
    package var report: String
    /// JSON: what was read; nil: as it was recorded at the start.
    package var sources: String?
    /// JSON: where the feed is saved.
    package var archive: String?
    /// The most memory that the process had, in bytes.
    package var peakMemory: Int?

    package init(
        status: String, finished: String, report: String, sources: String? = nil, archive: String? = nil,
        peakMemory: Int? = nil
    ) {
        self.status = status
        self.finished = finished
        self.report = report
        self.sources = sources
        self.archive = archive
        self.peakMemory = peakMemory
    }
}
