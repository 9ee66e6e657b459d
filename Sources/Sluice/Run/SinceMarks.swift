import SluiceDefinition
import SluiceLoad
import SluiceRecords
import SluiceReport

/// What the runs before have left for services that are asked for what is new.
///
/// Each source has a mark of its own, which a run leaves that has succeeded: what a run that failed has saved (`commit:
/// batch`), or another source or pipeline has brought, says nothing of what this source has given.
struct SinceMarks {
    private let definition: PipelineDefinition
    private let store: any RunStore
    /// Whether the store may hold a part of what a run read that did not succeed.
    private let isUnfinished: Bool
    /// Whether a run has begun: then all is in the store that the definition speaks of.
    private let hasBegun: Bool

    /// - Parameters:
    ///   - run: the number of this run; nil: none has begun.
    ///   - commit: how this run saves, and one that died without a word has saved, as far as is known; nil: as the
    ///     definition says.
    init(
        _ definition: PipelineDefinition, _ store: any RunStore, run: Int? = nil,
        commit: PipelineDefinition.Commit? = nil
    ) throws(Failure) {
        self.definition = definition
        self.store = store
        hasBegun = run != nil
        guard definition.sources.contains(where: { $0.since != nil }) else {
            isUnfinished = false
            return
        }
        isUnfinished = try store.hasUnfinishedBatches(
            before: run ?? .max, diedSaving: (commit ?? definition.commit) == .batch)
    }

    /// The value since which a source is asked, as the store has it; nil: it is asked for everything.
    func value(of source: Source, _ since: WebSource.Since) throws(Failure) -> String? {
        guard let facts = try lastRead(source) else { return nil }
        if let mark = facts.since {
            return definition.model.names(since).contains(where: mark.attribute.isIdentical(to:)) ? mark.value : nil
        }
        // Versions before this one left none.
        guard !isUnfinished, try isWhole else { return nil }
        return try store.highest(since.attribute, of: since.entity)
    }

    /// Whether what the store has tells what a source has given of each record for which it was asked.
    func isKnown(_ source: Source) throws(Failure) -> Bool {
        if isUnfinished { return false }
        return try lastRead(source) != nil
    }

    /// Whether all is in the store that the definition speaks of. Who asks a service and does not run, does not make it.
    private var isWhole: Bool {
        get throws(Failure) {
            if hasBegun { return true }
            return try store.lastRun() != nil
        }
    }

    /// What the last run that succeeded says of a source; nil: none has read it.
    private func lastRead(_ source: Source) throws(Failure) -> RunReport.SourceFacts? {
        try store.lastSucceeded { report in report.sources.first { $0.name.isIdentical(to: source.name) } }
    }
}

extension Source {
    /// What its service is told, also where this run asks for everything; nil: nothing.
    var since: WebSource.Since? {
        guard case .web(let service) = location else { return nil }
        return service.since ?? service.passedOver
    }
}

extension Model {
    /// What an attribute whose values are sent is called, and was.
    func names(_ since: WebSource.Since) -> [String] {
        let entity = entities[since.entity]
        let attribute = entity.attributes[since.attribute]
        return ([entity.name] + entity.was).flatMap { entity in
            ([attribute.writtenName] + attribute.was).map { "\(entity).\($0)" }
        }
    }
}
