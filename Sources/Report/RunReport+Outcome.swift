import SluiceDefinition
import SluiceRecords

extension RunReport {
    /// What was to be done.
    public struct Task: Sendable {
        /// The name of the pipeline.
        public var pipeline: String
        /// The path of the store.
        public var store: String
        /// When it saved.
        public var commit: PipelineDefinition.Commit
        /// Whether the store was only read: what the report tells of would have been done.
        public var isDry = false
        /// Whether its feeds were saved ones.
        public var isReplay = false
        /// Whether these were mended rejects of a run, and no whole feeds; false, too, where an earlier version ran.
        public var replaysRejects = false
        /// Whether services were asked for everything, though `since` would ask for what is new.
        public var isFull = false
        /// The file that has all findings; nil: none was written, or as a stream.
        package var findings: String?
        /// The limits that were those of this run alone, and how much they were.
        public var allowed: [(limit: String, amount: String)] = []

        /// From its parts.
        package init(
            pipeline: String, store: String, commit: PipelineDefinition.Commit, isDry: Bool = false,
            isReplay: Bool = false
        ) {
            self.pipeline = pipeline
            self.store = store
            self.commit = commit
            self.isDry = isDry
            self.isReplay = isReplay
        }
    }

    /// How it ended.
    public struct Outcome: Sendable {
        /// How it ended.
        public var status: Status
        /// What ended it early.
        public var error: Failure?
        /// The signal that ended the run, if one did.
        public var signal: Int32?
        /// The limits beyond which it went.
        public var exceeded: [ExceededLimit] = []
        /// Whether the exit status is known; reports of earlier versions do not tell it.
        var hasKnownExit = true
        /// Whether nobody knows what is stored: a server was lost over it.
        package var isUncertain = false
        /// Whether tables have kept the new shape that the definition asks for, though the run has undone all else.
        package var isReshaped = false
        /// Why the findings, though written, could not take the name of their file. The run itself is over then.
        public var findingsFailure: Failure?
    }

    /// When it was.
    public struct Time: Sendable {
        /// When it began.
        public var started: Timestamp
        /// When it was over.
        public var finished: Timestamp
        /// Elapsed time, of a report that was read from the ledger.
        var recordedSeconds: Double?

        /// Elapsed time, to the millisecond: what is shown is the same whether it comes from the ledger or not.
        public var seconds: Double { recordedSeconds ?? (finished.secondsSince(started) * 1000).rounded() / 1000 }
    }
}
