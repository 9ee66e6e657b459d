import SluiceExtract
import SluicePostgreSQL
import SluiceRecords

/// A pipeline as its file defines it: where the feeds come from, which records they hold, how those become objects,
/// and which store they go to.
///
/// ```swift
/// let definition = try PipelineDefinition(contentsOf: "stops.jsonc", environment: ["STORE": "/var/lib/stops"])
/// let run = try PipelineRun(definition)
/// ```
public struct PipelineDefinition: Sendable {
    /// When a run's changes become visible.
    public enum Commit: String, CaseIterable, Sendable {
        /// All or nothing, at the end of the run.
        case run
        /// Every batch is saved for good.
        case batch
    }

    /// Where each run's feed is saved for replay.
    package struct Archive: Sendable, Hashable {
        /// The path of the directory, relative to the working directory.
        package var directory: String
        /// How many feeds stay; nil: all.
        package var keep: Int?
    }

    /// What the store keeps from one run to the next, beside the objects.
    package struct Keeping: Sendable {
        /// How many runs of this pipeline the ledger keeps; nil: all.
        package var runs: Int?
        /// Of how many runs the store keeps which objects they have changed.
        package var changes = 0
        /// Whether a run leaves fingerprints of its feeds, so that the next one reads only what has changed.
        package var fingerprints = true
        /// What becomes of the past of the objects; nil: what the store has begun, it goes on with.
        package var history: HistoryUse?
    }

    /// How the store is published as a seed. What is nil has its default.
    package struct Seed: Sendable, Hashable {
        /// The path of the folder, relative to the working directory.
        package var directory: String?
        /// How many seeds before the newest stay.
        package var keep: Int?
        /// Of the compression.
        package var level: Int?
        /// The path of the private key that signs manifests, relative to the working directory.
        package var sign: String?
    }

    /// The file, as the user named it; of a definition that was made in code, its name.
    public package(set) var file: String
    /// The name of the pipeline, in reports and in the ledger.
    public package(set) var name: String
    /// In the order of the definition.
    package var sources: [Source]
    /// The path of the SQLite database, relative to the working directory; of a store on a server, what messages call
    /// it.
    public package(set) var store: String
    /// Records in a batch, at the most.
    public package(set) var batchSize: Int
    /// When a run saves.
    public package(set) var commit: Commit
    /// How many findings a run may have.
    package var limits: Limits
    /// Where feeds are saved.
    package var archive: Archive?
    /// What the store keeps from one run to the next, beside the objects.
    package var keeping: Keeping
    /// What a run asks the store before it saves: its `checks`, in the order of the definition.
    package var questions: [Question] = []
    /// The path of the file to which every run writes its findings, relative to the working directory.
    package var findings: String?
    /// Commands that are started when a run has ended.
    package var after: Hooks
    /// Where the store is on a server; nil: it is a file.
    package var server: ServerLocation?
    /// How the store is published.
    package var seed: Seed?
    /// What a run loads. It has no entities while a variable that they need is not set, see ``require(_:)``.
    package var model: Model
    /// What the file says, with its variables replaced.
    package var tree: JSONTree
    /// The limits that are set in place of what the file says of them.
    package internal(set) var allowances: Set<Allowance.Place> = []
    /// What is wrong only for those who use a part: variables that are not set, above all.
    package var pending: [Pending]

    package static let defaultBatchSize = 5000
    static let defaultLedgerKeep = 1000
}

extension PipelineDefinition {
    /// The parts of a definition that not every command uses.
    package enum Part: Hashable, Sendable {
        /// The name, the limits, and whatever is in no other part.
        case settings
        /// The location of the source with that index.
        case source(Int)
        case store
        case archive
        case findings
        case after
        case seed
        /// The entities, and so the model.
        case entities
    }

    /// A failure for those who use a part.
    package struct Pending: Sendable {
        package var part: Part
        package var failure: Failure
    }

    /// Checks that the environment sets every variable of some parts.
    ///
    /// Only what a command uses must be set, so reading a definition lets unset variables pass: their texts stay as
    /// they are written. A command names the parts that it is about to use before it uses them.
    package func require(_ parts: Part...) throws(DefinitionProblems) {
        try require(parts)
    }

    /// Checks that the environment sets every variable of some parts.
    package func require(_ parts: [Part]) throws(DefinitionProblems) {
        let failures = pending.filter { parts.contains($0.part) }.map(\.failure)
        if !failures.isEmpty { throw DefinitionProblems(failures) }
    }
}

extension PipelineDefinition {
    /// The place of what a list of keys leads to, for a message about it.
    ///
    ///     definition.place("entities", "Stop", "attributes", "name", "type")
    ///
    /// Elements of arrays are named by their index. It is the place of the last key's text, or of the nearest one above
    /// that is there.
    package func place(_ keys: String...) -> Failure.Place { tree.place(keys) }

    /// The value that a list of keys leads to, if it is there.
    package func node(_ keys: String...) -> JSONNode? { tree.node(keys) }
}
