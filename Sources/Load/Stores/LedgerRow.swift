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
    /// JSON: what was read; nil: as it was noted at the start.
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
