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
    private let store: any OpenStore
    /// Whether the store may hold a part of what a run read that did not succeed.
    private let isUnfinished: Bool
    /// By the names of sources: what the last run that succeeded, and read it, says of each.
    private var read: [ExactText: RunReport.SourceFacts] = [:]
    /// By the names of sources: what the definition takes of each now, see ``TakenParts``.
    private var taken: [ExactText: String] = [:]
    /// The names of the sources of which the definition takes something else than in the run that left the mark: then
    /// what the source gave before that lacks something, and everything is asked for.
    private var anew: Set<ExactText> = []
    /// Whether a saved feed, or mended rejects, were loaded after the last run: the store may have later values than
    /// the services were asked for.
    private var hasReplayed = false

    /// The value of the mark of a source that is asked for each record: each is asked for what is newer than what the
    /// store has of it.
    static let stored = "stored"

    /// - Parameters:
    ///   - run: the number of this run; nil: none has begun.
    ///   - hash: the digest of the whole definition; nil: it is not known.
    ///   - commit: how this run saves; a run that died without noting how it saves is taken to have saved in the same
    ///     way. nil: as the definition says.
    init(
        _ definition: PipelineDefinition, _ store: any OpenStore, _ lastRun: LastRun, run: Int? = nil,
        hash: String? = nil,
        commit: PipelineDefinition.Commit? = nil
    ) throws(Failure) {
        self.definition = definition
        self.store = store
        let asking = definition.sources.filter { $0.since != nil }
        guard !asking.isEmpty else {
            isUnfinished = false
            return
        }
        isUnfinished = try store.hasUnfinishedBatches(
            before: run ?? .max, diedSaving: (commit ?? definition.commit) == .batch)
        var found: [ExactText: RunReport.SourceFacts] = [:]
        var hasReplayed = false
        // Most of the time, the last report has all.
        _ = try store.lastSucceeded { report, _ -> Bool? in
            if report.task.isReplay { hasReplayed = true }
            for facts in report.sources where found[ExactText(facts.name)] == nil {
                found[ExactText(facts.name)] = facts
            }
            return asking.allSatisfy { found[ExactText($0.name)] != nil } ? true : nil
        }
        (read, self.hasReplayed) = (found, hasReplayed)
        let parts = TakenParts(definition, hash, lastRun)
        var others: Set<Int> = []
        for (index, source) in definition.sources.enumerated() where source.since != nil {
            let name = ExactText(source.name)
            let (digest, differs) = try parts.compared(index, with: read[name]?.taken)
            taken[name] = digest
            if read[name] != nil, differs { others.insert(index) }
        }
        anew = Set(parts.beside(others).map { ExactText(definition.sources[$0].name) })
    }

    /// The value since which a source is asked; nil: it is asked for everything.
    func value(of source: Source, _ since: WebSource.Since) -> String? {
        guard !isAnew(source), let mark = read[ExactText(source.name)]?.since,
            definition.model.names(since).contains(where: mark.attribute.isIdentical(to:))
        else { return nil }
        return mark.value
    }

    /// Whether the stored values show what a source has given for each record for which it was asked.
    func isKnown(_ source: Source) -> Bool {
        guard !isUnfinished, !hasReplayed, let since = source.since else { return false }
        return value(of: source, since) != nil
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
