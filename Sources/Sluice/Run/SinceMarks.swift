import SluiceDefinition
import SluiceLoad
import SluiceRecords
import SluiceReport

/// The marks that earlier runs have left for services that are asked for what is new.
///
/// Each source has a mark of its own, which a run that succeeded leaves: data that a run that failed has saved
/// (`commit: batch`), or that another source or pipeline has brought, say nothing about what this source has given.
struct SinceMarks {
    private let definition: PipelineDefinition
    private let store: any RunStore
    /// Whether the store may hold a part of what a run read that did not succeed.
    private let isUnfinished: Bool
    /// Whether a run has begun: then the store has all parts that the definition names.
    private let hasBegun: Bool
    /// By the names of sources: what the last run that succeeded, and read it, says of each.
    private var read: [ExactText: RunReport.SourceFacts] = [:]
    /// By the names of sources: what the definition takes of each now, see ``TakenParts``.
    private var taken: [ExactText: String] = [:]
    /// The names of the sources of which the definition takes something else than in the run that left the mark: then
    /// what the source gave before that lacks something, and everything is asked for.
    private var anew: Set<ExactText> = []

    /// - Parameters:
    ///   - run: the number of this run; nil: none has begun.
    ///   - hash: the digest of the whole definition; nil: it is not known.
    ///   - commit: how this run saves; a run that died without noting how it saves is taken to have saved in the same
    ///     way. nil: as the definition says.
    init(
        _ definition: PipelineDefinition, _ store: any RunStore, run: Int? = nil, hash: String? = nil,
        commit: PipelineDefinition.Commit? = nil
    ) throws(Failure) {
        self.definition = definition
        self.store = store
        hasBegun = run != nil
        let asking = definition.sources.filter { $0.since != nil }
        guard !asking.isEmpty else {
            isUnfinished = false
            return
        }
        isUnfinished = try store.hasUnfinishedBatches(
            before: run ?? .max, diedSaving: (commit ?? definition.commit) == .batch)
        var found: [ExactText: RunReport.SourceFacts] = [:]
        // Most of the time, the last report has all.
        _ = try store.lastSucceeded { report, _ -> Bool? in
            for facts in report.sources where found[ExactText(facts.name)] == nil {
                found[ExactText(facts.name)] = facts
            }
            return asking.allSatisfy { found[ExactText($0.name)] != nil } ? true : nil
        }
        read = found
        let parts = TakenParts(definition, hash, store)
        var others: Set<Int> = []
        for (index, source) in definition.sources.enumerated() where source.since != nil {
            let name = ExactText(source.name)
            let (digest, differs) = try parts.compared(index, with: read[name]?.taken)
            taken[name] = digest
            if read[name] != nil, differs { others.insert(index) }
        }
        anew = Set(parts.beside(others).map { ExactText(definition.sources[$0].name) })
    }

    /// The value since which a source is asked, as the store has it; nil: it is asked for everything.
    func value(of source: Source, _ since: WebSource.Since) throws(Failure) -> String? {
        guard let facts = read[ExactText(source.name)], !isAnew(source) else { return nil }
        if let mark = facts.since {
            return definition.model.names(since).contains(where: mark.attribute.isIdentical(to:)) ? mark.value : nil
        }
        // Versions before this one left none.
        guard !isUnfinished, try isWhole else { return nil }
        return try store.highest(since.attribute, of: since.entity)
    }

    /// Whether the stored values show what a source has given for each record for which it was asked.
    func isKnown(_ source: Source) -> Bool {
        !isUnfinished && read[ExactText(source.name)] != nil && !isAnew(source)
    }

    /// Whether everything is asked for once more, since the definition takes something else of the source than before.
    func isAnew(_ source: Source) -> Bool { anew.contains(ExactText(source.name)) }

    /// What a run that succeeds notes of what the definition takes of a source; nil: the source has no mark.
    ///
    /// - Parameter isOwn: whether the source was asked, and not another feed read in its place: that gave what was
    ///   saved, and not everything.
    func taken(of source: Source, isOwn: Bool) -> String? {
        let name = ExactText(source.name)
        return isOwn ? taken[name] : read[name]?.taken ?? taken[name]
    }

    /// Whether the store has all parts that the definition names. A check that asks a service without a run does not
    /// create them.
    private var isWhole: Bool {
        get throws(Failure) {
            if hasBegun { return true }
            return try store.lastRun() != nil
        }
    }
}

extension Source {
    /// The setting of what its service is told, even where this run asks for everything; nil: nothing.
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
