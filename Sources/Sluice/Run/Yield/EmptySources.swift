import SluiceDefinition
import SluiceRecords

/// Finds the sources that give no record to any entity: whatever their services answered, it was not the feed.
struct EmptySources {
    let definition: PipelineDefinition
    let inputs: [FeedInput]

    /// Throws what such sources hold instead.
    func check(_ facts: [FeedFacts]) throws(Failure) {
        let sentences = facts.indices.compactMap { source -> String? in
            isExpected(source) && !facts[source].hasRecords ? sentence(source, facts[source]) : nil
        }
        guard !sentences.isEmpty else { return }
        throw Failure(.data, sentences.joined(separator: "; "))
    }

    /// Whether a source must give a record.
    private func isExpected(_ source: Int) -> Bool {
        if inputs[source].source.isIncremental || inputs[source].source.isAskedForEach { return false }
        return entities(of: source).contains { !definition.limits.records(of: $0.name).allowsNone }
    }

    private func entities(of source: Int) -> [Entity] {
        definition.model.entities.filter { $0.sources.contains(source) }
    }

    private func sentence(_ source: Int, _ facts: FeedFacts) -> String {
        let input = inputs[source]
        let entities = entities(of: source)
        let taken = facts.taken.flatMap { $0 }.reduce(0, +)
        let reason =
            taken > 0
            ? "none of the \(grouped(Int(taken))) that its paths take has what \"where\" asks for"
            : (obstacle(input, facts, entities) ?? "no path leads to any") + statement(input, facts)
        return "the source \(input.source.name) (\(input.location)) gives no record: \(reason)"
            + " (\"limits\": { \"records\": 0 } allows that)"
    }

    /// What a service says of itself instead: people search for that.
    private func statement(_ input: FeedInput, _ facts: FeedFacts) -> String {
        input.source.service == nil ? "" : PageStatement.clause(beginning: facts.beginning)
    }

    private func obstacle(_ input: FeedInput, _ facts: FeedFacts, _ entities: [Entity]) -> String? {
        if input.format.isTable, !facts.beginning.isEmpty { return facts.values == 0 ? "the table has no rows" : nil }
        return FeedShape(beginning: facts.beginning).obstacle(for: entities.flatMap(\.records))
    }
}

extension Source {
    /// The service that gives it; nil: none does.
    var service: WebSource? {
        if case .web(let service) = location { service } else { nil }
    }

    /// Whether it gives only what is new: then nothing is an answer.
    var isIncremental: Bool {
        if case .web(let service) = location { return service.since != nil }
        return isNew && !readsAll
    }

    /// Whether its feed is several answers of a service: one that is null has no record.
    var isPaged: Bool {
        if case .web(let service) = location { return service.isPaged }
        return false
    }

    /// Whether a service is asked for each record of an entity: then there may be nothing that is asked for.
    var isAskedForEach: Bool {
        service?.parents != nil
    }
}

extension FeedFacts {
    /// Whether nothing was asked: there was no record for which the service would have been.
    func isUnasked(_ source: Source) -> Bool { source.isAskedForEach && bytes == 0 }
}
