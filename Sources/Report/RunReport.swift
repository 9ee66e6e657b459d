import SluiceDefinition
import SluiceRecords
import SluiceTransform

/// What a run did: the report of `--report` and `--format json`, and what the text report is written from.
public struct RunReport: Sendable {
    /// How a run ended.
    public typealias Status = RunStatus

    /// A feed as it was read.
    public struct SourceFacts: Sendable {
        /// As the definition calls it.
        public var name: String
        /// As the definition or the command line names it.
        public var location: String
        /// Of the uncompressed feed.
        public var bytes: UInt64
        /// Top-level JSON values.
        public var values: UInt64
        /// Of the uncompressed feed, in hexadecimal; of several files, the digest of the lines that their digests make.
        public var sha256: String
        /// What the next run asks its service for; nil: for everything.
        public var since: Since?
        /// A digest of what the definition takes of a source that is asked for what is new: where it is another in the
        /// next run, that asks for everything. Nil: the source is no such source.
        public var taken: String?
        /// Whether a service was asked for everything, since the definition takes something else of it than before.
        public var isAnew = false
        /// Whether files that were read before were not read again, though the definition takes something else of them.
        public var isOutdated = false
        /// The files that the run which this one is compared with read as well, and that are there no longer: where
        /// objects that no record holds are deleted or marked, those of these files are.
        public var goneFiles: [String] = []

        /// Of a service that is asked for what is new.
        public struct Since: Sendable, Hashable {
            /// Whose values are sent: `Entity.attribute`.
            public var attribute: String
            /// The highest that records of this source have had, as the store has it; nil: none had any.
            public var value: String?

            /// From its parts.
            package init(attribute: String, value: String?) {
                self.attribute = attribute
                self.value = value
            }
        }

        /// From its parts.
        package init(name: String, location: String, bytes: UInt64, values: UInt64, sha256: String) {
            self.name = name
            self.location = location
            self.bytes = bytes
            self.values = values
            self.sha256 = sha256
        }
    }

    /// The outcome for one entity.
    public struct EntityFacts: Sendable {
        /// As the definition calls it.
        public var name: String
        /// The names of its relationships.
        public var relationships: [String]
        /// What became of its records and references.
        public var counts: EntityCounts
        /// Objects before the run, counted where the run deleted some; those marked as deleted are not among them.
        public var existing = 0
        /// The identifiers, as JSON, of some objects that the run has deleted; only of a run, not of a report that was
        /// read.
        package var firstDeleted: [String] = []
        /// What the records hold where attributes and relationships look for their values; empty where only a few
        /// mended records were read.
        package var fields: [FieldFacts] = []
        /// In how many fields the feed has drifted. Only of a run, not of a report that was read.
        package var drifted = DriftedFields()
        /// Fields that records have and the definition does not use, the first ``namesKept`` of them.
        public var unused: [UnusedField] = []
        /// Fields that records have more than once, the first ``namesKept`` of them.
        public var repeated: [String] = []
        /// Elements that this entity might take and none does, by their kind: the first ``namesKept`` of them.
        public var untaken: [UnusedField] = []
        /// How many records the run had with which this one is compared; nil: nobody knows, or not all of them come
        /// each night.
        public var recordsBefore: Int?
        /// Attributes whose stored values have taken another form, as the definition gives them another type.
        public var converted: [String] = []
        /// Whether objects that are counted as deleted have only been marked (`"absent": "mark"`).
        public var marks = false

        /// From its parts.
        package init(
            name: String, relationships: [String], counts: EntityCounts, existing: Int = 0, fields: [FieldFacts] = [],
            drifted: DriftedFields = DriftedFields(), unused: [UnusedField] = [], repeated: [String] = []
        ) {
            self.name = name
            self.relationships = relationships
            self.counts = counts
            self.existing = existing
            self.fields = fields
            self.drifted = drifted
            self.unused = unused
            self.repeated = repeated
        }

        /// More names would make the ledger grow for a feed whose keys are data.
        package static let namesKept = 1000
    }

    /// In how many fields the feed of an entity has drifted, as limits count them.
    package struct DriftedFields: Sendable {
        /// Those that the definition uses and no record has, or that have become null in all records.
        package var missing = 0
        /// Of these, those that a tenth of the records of the last succeeded run had, or more; and those of which no
        /// record has a value that is not null, and nine tenths had one.
        package var expected = 0
        /// Those that hold something else than the objects and lists in which the definition looks for values.
        package var shape = 0
        /// Those whose values have types that they did not have in the last succeeded run.
        package var type = 0

        /// Whether all objects are new, though the last succeeded run knew most of its own.
        package var isReplaced = false

        /// None.
        package init() {}
    }

    /// A field that the definition does not use.
    public struct UnusedField: Sendable, Hashable {
        /// A path from the record.
        public var name: String
        /// How many records have it.
        public var records: Int
        /// Whether the last succeeded run did not meet it; nil: there is none to compare with.
        public var isNew: Bool?
        /// A path of the definition that looks for something in it, though it is a scalar or a list in these records;
        /// nil: none does.
        public var sought: String?

        /// From its parts.
        package init(name: String, records: Int, isNew: Bool? = nil, sought: String? = nil) {
            self.name = name
            self.records = records
            self.isNew = isNew
            self.sought = sought
        }
    }

    /// What an earlier run did.
    public struct Load: Sendable {
        /// Its number in the ledger.
        public var run: Int
        /// By entity, as it counted.
        public var entities: [EntityFacts]
        /// How many findings of each kind it had.
        public var findings: [Finding.Kind: Int]

        /// From its parts.
        package init(run: Int, entities: [EntityFacts], findings: [Finding.Kind: Int]) {
            self.run = run
            self.entities = entities
            self.findings = findings
        }
    }

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
        /// Whether nobody knows what is stored: a server was lost over it.
        package var isUncertain = false
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

    /// What earlier runs have to do with it.
    public struct Earlier: Sendable {
        /// Of an unchanged run: the one that loaded the feed, where the ledger still knows it.
        public var load: Load?
        /// The run that this one's drift is compared with; nil: there is none.
        public var compared: Int?
        /// Of a replay, in a report from the ledger: the run whose feed it read again; nil: it read another feed.
        package var replayed: Int?
        /// How many findings that run had, by kind; of a report from the ledger, none.
        package var counts: [Finding.Kind: Int] = [:]
    }

    /// What was found.
    public struct Found: Sendable {
        /// By kind.
        public var counts: [Finding.Kind: Int] = [:]
        /// The first findings of each kind.
        public var examples: [Finding] = []
        /// By kind: how many of them the run did not have with which this one is compared; without those of which that
        /// is not known.
        public var news: [Finding.Kind: Int] = [:]
        /// By which the next run tells what is new.
        package var digests = FindingDigests()
        /// Of each relationship, the missing targets that most of its references name.
        public var missingTargets: [MissingTarget] = []
        /// The rejects by what is wrong with them; of a report that was read, none.
        public var rejectGroups: [RejectGroup] = []
        /// The files of each source, by which findings name them.
        public var feeds: [Feed] = []
    }

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

    /// What the objectID cache took, of all entities together.
    public struct CacheFacts: Sendable, Hashable {
        /// At the end.
        public var objects = 0
        /// At the end: all of it.
        public var bytes = 0
        /// Of these, the identifiers themselves; only of a run, not of a report that was read.
        public var identifierBytes = 0
        /// The most that it took, in bytes.
        public var peakBytes = 0
        /// What it might take, in bytes, but for what one batch adds.
        public var limit = 0

        /// From its parts.
        package init(objects: Int = 0, bytes: Int = 0, identifierBytes: Int = 0, peakBytes: Int = 0, limit: Int = 0) {
            self.objects = objects
            self.bytes = bytes
            self.identifierBytes = identifierBytes
            self.peakBytes = peakBytes
            self.limit = limit
        }

        /// Whether objects were forgotten for the limit.
        public var isLimited: Bool { peakBytes > limit }
    }

    /// The exit status of the command.
    public var exitStatus: Int32 {
        if let signal = outcome.signal { return 128 + signal }
        if let error = outcome.error { return error.kind.rawValue }
        if outcome.status == .failed { return Failure.Kind.data.rawValue }
        return outcome.findingsFailure?.kind.rawValue ?? 0
    }
}

extension RunReport {
    /// Whether nothing is stored of what the run did.
    var isUndone: Bool {
        task.isDry || [.failed, .cancelled].contains(outcome.status) && task.commit == .run && !outcome.isUncertain
    }

    /// Whether the run would delete more than it may, or read fewer records than it must. Then even a run that saves
    /// its batches does not keep what came after the last one: a feed that comes back half empty must not empty the
    /// table.
    package var holdsTooLittle: Bool {
        outcome.exceeded.contains { $0.kind == .deletes || $0.kind == .records }
    }

    /// Whether nothing is deleted of what the run would have deleted: deletions follow the last batch, and a run that
    /// fails then, for a limit or for another reason, keeps no more than its batches.
    var deletesNothing: Bool {
        if isUndone { return true }
        guard [.failed, .cancelled].contains(outcome.status), !outcome.isUncertain else { return false }
        return outcome.error != nil || outcome.status == .cancelled || holdsTooLittle
    }

    /// What has gone wrong, beside limits.
    var failures: [Failure] { [outcome.error, outcome.findingsFailure].compactMap { $0 } }

    /// Why the run failed, in sentences; empty where it did not.
    public var reasons: [String] { failures.map(\.description) + outcome.exceeded.map(\.message) }

    /// The same for lists of runs, most of which are over and done with.
    package var shortReasons: [String] { failures.map(\.description) + outcome.exceeded.map(\.summary) }
}
