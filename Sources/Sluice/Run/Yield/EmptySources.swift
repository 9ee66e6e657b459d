import SluiceDefinition
import SluiceExtract
import SluiceRecords
import SluiceTransform

/// Finds the sources that give no record to any entity, or only such as are none, all without an identifier: whatever
/// their services answered, it was not the feed.
struct EmptySources {
    let definition: PipelineDefinition
    let inputs: [FeedInput]
    let census: FieldCensus

    /// Throws what such sources hold instead.
    func check(_ facts: [FeedFacts]) throws(Failure) {
        let sentences = facts.indices.compactMap { source -> String? in
            guard isExpected(source, facts[source]) else { return nil }
            if facts[source].hasRecords { return foreign(source, facts[source]).map { sentence(source, $0) } }
            return sentence(source, EmptySources.reason(inputs[source], facts[source], entities(of: source)))
        }
        guard !sentences.isEmpty else { return }
        throw Failure(.data, sentences.joined(separator: "; "))
    }

    /// Whether a source must give a record.
    private func isExpected(_ source: Int, _ facts: FeedFacts) -> Bool {
        if inputs[source].source.isAskedForEach { return false }
        if inputs[source].source.isIncremental, !isOtherAnswer(source, facts) { return false }
        return entities(of: source).contains { !definition.limits.allowNone(of: $0.name) }
    }

    /// Whether a service that is asked for what is new has a message instead, and nothing of what leads to records: it
    /// says that it is being maintained, and not that there is nothing.
    private func isOtherAnswer(_ source: Int, _ facts: FeedFacts) -> Bool {
        guard inputs[source].source.service != nil, !facts.hasRecords,
            let root = JSONBeginning.root(of: facts.beginning), case .object = root.kind,
            PageStatement(beginning: facts.beginning) != nil
        else { return false }
        return entities(of: source).flatMap(\.records).allSatisfy { path in
            if case .name(let name)? = path.steps.first { root[name] == nil } else { false }
        }
    }

    private func entities(of source: Int) -> [Entity] {
        definition.model.entities.filter { $0.sources.contains(source) }
    }

    private func sentence(_ source: Int, _ reason: String) -> String {
        let input = inputs[source]
        return "the source \(input.source.name) (\(input.location)) gives no record: \(reason)"
    }

    /// What a source holds that gives no record, and how it may be empty. Of one that has records elsewhere, or is an
    /// error, nobody wants to be told that.
    ///
    /// - Parameter entities: those that look for records in it.
    static func reason(_ input: FeedInput, _ facts: FeedFacts, _ entities: [Entity]) -> String {
        let isError = PageStatement(beginning: facts.beginning)?.isError == true
        let allowance = isError ? "" : " (\"limits\": { \"records\": 0 } allows that)"
        let taken = facts.taken.flatMap { $0 }.reduce(0, +)
        if taken > 0 {
            return "none of the \(grouped(Int(taken))) that its paths take has what \"where\" asks for" + allowance
        }
        let obstacle = obstacle(input, facts, entities) ?? FeedObstacle(found: "no path leads to any")
        return "\(obstacle)\(statement(input, facts))" + (obstacle.proposal == nil ? allowance : "")
    }

    // MARK: Records that are none

    /// What a source holds where all of its records lack their identifiers, and do not look like records. The run fails
    /// because of these rejects, if it may have none.
    private func foreign(_ source: Int, _ facts: FeedFacts) -> String? {
        if inputs[source].format.isTable || definition.limits.allowRejects { return nil }
        let members = definition.model.entities.indices.filter { entity in
            definition.model.entities[entity].sources.contains(source) && census.recordCount(entity) > 0
        }
        // What a feed looks like is only asked where something is wrong with it.
        lazy var shape = FeedShape(beginning: facts.beginning)
        var found: String?
        for member in members {
            let entity = definition.model.entities[member]
            guard entity.sources.count == 1, let name = missingIdentifier(of: entity, member),
                let place = entity.records.lazy.compactMap({ shape.foreignRecords(at: $0) }).first
            else { return nil }
            let (count, path) = (census.recordCount(member), entity.records[0].description.printable)
            found = found ?? "none of the \(grouped(count)) at `\(path)` has `\(name.printable)`; \(place)"
        }
        return found.map { $0 + EmptySources.statement(inputs[source], facts) }
    }

    /// Where an attribute of the identifier looks for its value, and no record has any.
    private func missingIdentifier(of entity: Entity, _ index: Int) -> String? {
        let fields = census.fields(of: index)
        let missing = entity.identifier.first { attribute in
            let rule = entity.attributes[attribute].value
            guard case .slot = rule.origin, rule.fallback == nil else { return false }
            return fields[attribute].isMissing
        }
        return missing.flatMap { fields[$0].paths.first }
    }

    /// What a service says instead, also in a file that somebody has saved of it: people search for that. What is no
    /// error in a file may be the title of the feed.
    private static func statement(_ input: FeedInput, _ facts: FeedFacts) -> String {
        guard let statement = PageStatement(beginning: facts.beginning),
            input.source.service != nil || statement.isError
        else { return "" }
        return statement.clause
    }

    private static func obstacle(_ input: FeedInput, _ facts: FeedFacts, _ entities: [Entity]) -> FeedObstacle? {
        if input.format.isTable, !facts.beginning.isEmpty {
            return facts.values == 0 ? FeedObstacle(found: "the table has no rows") : nil
        }
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
