import SluiceDefinition
import SluiceRecords

/// What a run did: the report of `--report` and `--format json`, and what the text report is written from.
public struct RunReport: Sendable {
    /// How a run ended.
    public typealias Status = RunStatus

    /// What was to be done.
    public var task: Task
    /// The number in the ledger; nil where the store has none because the run failed before it began.
    public var run: Int?
    /// How it ended.
    public var outcome: Outcome
    /// When, and how long.
    public var time: Time
    /// What is known of runs before it.
    public var earlier = Earlier()
    /// What was read, in the order of the definition.
    public var sources: [SourceFacts] = []
    /// What happened between the run and the services that it asked, in the order of the sources.
    public var wire: [WireFacts] = []
    /// What became of the records, by entity.
    public var entities: [EntityFacts] = []
    /// What is wrong with the feeds.
    public var found = Found()
    /// What the store was asked before the run was saved, in the order of the definition.
    public var checks: [CheckFacts] = []
    /// How many records were known by the run before, byte for byte, and not read.
    public var known = 0
    /// How records and memory grew.
    package var course = RunCourse()
    /// What the objectID cache took.
    public var cache = CacheFacts()

    package init(
        _ task: Task, run: Int? = nil, status: Status, error: Failure? = nil, started: Timestamp, finished: Timestamp
    ) {
        self.task = task
        self.run = run
        outcome = Outcome(status: status, error: error)
        time = Time(started: started, finished: finished)
    }

    /// The exit status of the command.
    public var exitStatus: Int32 {
        if let signal = outcome.signal { return 128 + signal }
        if let error = outcome.error { return error.kind.rawValue }
        if outcome.status == .failed { return Failure.Kind.data.rawValue }
        return outcome.findingsFailure?.kind.rawValue ?? 0
    }
}
