import Sluice
import SluiceDefinition
import TestSupport

/// What is to happen in a night, drawn from its number alone: so a history stays the same where nights are left out.
struct Night {
    /// What keeps a run from succeeding, perhaps.
    enum Fault: CaseIterable {
        case none
        /// A feed ends in the middle, or is no JSON.
        case brokenFeed
        /// A limit allows nothing.
        case limit
        /// The disk takes only so many bytes of a file.
        case fullDisk
        /// The program that has started the run ends it at some finding.
        case cancelled
    }

    /// Limits, by their key.
    enum Limit: String, CaseIterable { case rejects, unresolved, duplicates, deletes }

    let number: Int
    var change: NightFeeds.Change
    var fault = Fault.none
    var limit: Limit
    /// How many bytes of a file the disk takes, where it is full.
    var bytes: UInt64
    /// Before which finding the run is cancelled.
    var finding: Int
    /// How many things the definition changes.
    var growth: Int
    var edits: Bool
    /// Which of two pipelines runs, where there may be two.
    var pipeline: Int
    var isForced: Bool
    var commit: PipelineDefinition.Commit
    var batchSize: Int
    var cacheLimit: Int?
    /// For all that is drawn later.
    var random: SeededRandom

    init(_ seed: Int, _ number: Int) {
        var random = SeededRandom(seed &* 1_000_003 &+ number)
        self.number = number
        change = [.none, .none, .order, .little, .little, .little, .much, .all][random.below(8)]
        if random.below(4) == 0 { fault = Fault.allCases[random.below(Fault.allCases.count)] }
        limit = Limit.allCases[random.below(Limit.allCases.count)]
        bytes = UInt64(4096 + random.below(120) * 1024)
        finding = random.below(12)
        growth = number > 0 && random.below(4) == 0 ? 1 + random.below(3) : 0
        edits = number > 0 && random.below(6) == 0
        pipeline = random.below(2)
        isForced = random.below(3) > 0
        commit = fault == .none && random.below(3) == 0 ? .batch : .run
        batchSize = [1, 2, 7, 30, 1000][random.below(5)]
        cacheLimit = [nil, 1, 200, 2000, 20_000][random.below(5)]
        self.random = random
    }

    /// Lets the night be one of those that may know their feed: it is seldom forced, saves once, and is of the same
    /// pipeline as the night before.
    ///
    /// - Parameter isCalm: whether little else happens.
    mutating func makeKnowable(isCalm: Bool) {
        if isCalm, random.below(4) > 0 {
            (fault, growth, edits, commit, pipeline) = (.none, 0, random.below(12) == 0, .run, 0)
            change = [.little, .little, .little, .order, .none][random.below(5)]
        }
        isForced = random.below(6) == 0
        if random.below(6) > 0 { (commit, pipeline) = (.run, 0) }
        if random.below(3) > 0 { (growth, edits) = (0, false) }
        if change == .all, random.below(2) == 0 { change = .little }
        // An item whose records are of two batches is not noted.
        if random.below(6) > 0 { batchSize = [30, 1000][random.below(2)] }
    }

    var summary: String {
        var parts = ["night \(number)", "feeds \(change)", "commit \(commit)", "batches of \(batchSize)"]
        if fault != .none { parts.append(fault == .limit ? "limit of \(limit)" : "\(fault)") }
        if growth > 0 { parts.append("\(growth) changes of the definition") }
        if edits { parts.append("edits") }
        if isForced { parts.append("forced") }
        return parts.joined(separator: ", ")
    }

    var options: RunOptions {
        var options = RunOptions()
        options.batchSize = batchSize
        options.cacheLimit = cacheLimit
        options.commit = commit
        options.force = isForced
        return options
    }
}
