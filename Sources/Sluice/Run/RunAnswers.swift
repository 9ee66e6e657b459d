import SluiceDefinition
import SluiceFetch
import SluicePosix
import SluiceRecords
import SluiceReport
import SluiceStores

/// The answers of services that are kept beside the store, for the run after this one.
struct RunAnswers {
    /// By source; nil: none are kept.
    private let answers: [KeptAnswers?]
    /// By source: whether this run continues with answers of another run, which had died.
    let areOfOthers: [Bool]
    /// By source: whether these answers are so old that lists may have moved since, more than they do while a run reads
    /// them.
    let areOld: [Bool]

    /// Runs that are at most so many seconds apart count as one.
    static var pause: Int { environmentVariable("SLUICE_TEST_PAUSE").flatMap { Int($0) } ?? 600 }

    /// - Parameters:
    ///   - first: those of the first reading, if this is the second: what it has left is this run's own.
    ///   - usesKept: whether answers of earlier runs are taken.
    ///   - writes: whether any are kept.
    ///   - reading: which one it is of the feeds.
    init(
        _ inputs: [FeedInput], _ definition: PipelineDefinition, _ store: StoreLocation, usesKept: Bool, writes: Bool,
        reading: KeptAnswers.Reading, after first: RunAnswers? = nil
    ) throws(Failure) {
        var answers: [KeptAnswers?] = []
        for input in inputs {
            let path = RunAnswers.path(of: input.source, definition, store)
            guard let settings = input.web?.keeping, settings.areKept || reading != .only && writes else {
                // The definition may have kept answers before.
                if writes, input.web != nil { KeptAnswers.delete(path) }
                answers.append(nil)
                continue
            }
            answers.append(try KeptAnswers(path, settings, usesKept: usesKept, writes: writes, reading: reading))
        }
        self.answers = answers
        areOfOthers = first?.areOfOthers ?? answers.map { $0?.hasLeft == true }
        areOld = first?.areOld ?? answers.map { ($0?.silence).map { $0 > RunAnswers.pause } ?? false }
    }

    subscript(source: Int) -> KeptAnswers? { answers[source] }

    /// Leaves them to the second reading of the run.
    func handOver() {
        for answers in answers { answers?.end(.again) }
    }

    /// Ends the run, as its report has it.
    func end(_ report: RunReport) {
        for answers in answers { answers?.end(report.end) }
    }

    /// Beside the store; of one on a server, beside the definition.
    private static func path(of source: Source, _ definition: PipelineDefinition, _ store: StoreLocation) -> String {
        let name = fingerprint(of: [definition.name, source.name]).prefix(16)
        if let path = store.path { return StorePath.creatable(path) + ".answers-" + name }
        return definition.file + ".answers-" + name
    }
}

extension RunReport {
    /// What the outcome means for the answers that the run was given.
    fileprivate var end: KeptAnswers.End {
        switch outcome.status {
        case .succeeded, .unchanged: .success
        case .cancelled: .failure
        case .failed: outcome.exceeded.isEmpty && outcome.error?.kind != .data ? .failure : .useless
        }
    }
}
