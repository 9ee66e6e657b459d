import SluiceDefinition
import SluiceFetch
import SluiceLoad
import SluiceRecords
import SluiceReport
import SluiceTransform

/// Judges what a run got from its sources: whether it is what the definition, the service or the run before speak of.
struct YieldCheck {
    let definition: PipelineDefinition
    let inputs: [FeedInput]
    let census: FieldCensus
    /// By source: what its service has not found where it was asked for what belongs to records.
    let notFound: [PartedFeed.NotFound?]

    /// Tells what finds nothing.
    func report(_ facts: [FeedFacts], to sink: any FindingSink) {
        let incremental = Set(
            inputs.indices.filter {
                isIncremental($0) || facts[$0].isUnasked(inputs[$0].source) || notFound[$0]?.isAll == true
            })
        UnmatchedFindings(definition.model, definition.limits, facts, incremental: incremental).report(to: sink)
        for check in pageChecks(facts) { check.report(to: sink) }
        for case (let source, let found?) in zip(notFound.indices, notFound) {
            let text = "\(grouped(found.count)) of \(grouped(found.asked)) answers, the first of \(found.first)"
            report(.notFound, text, of: source, to: sink)
        }
        for (source, facts) in facts.enumerated() {
            guard let strange = facts.pages?.strange, strange.count > 0 else { continue }
            let many = strange.count == 1 ? "" : "\(grouped(strange.count)) answers, the first of "
            report(.answers, many + strange.first, of: source, to: sink)
        }
        for (source, facts) in facts.enumerated() {
            guard let odd = facts.oddFile else { continue }
            let name = inputs[source].feed.name(ofFile: odd.file)
            sink.report(.emptyFile, path: name, at: .beginning(of: source, file: odd.file), found: odd.found)
        }
        for source in inputs.indices { reportEncoding(of: source, facts[source], to: sink) }
    }

    /// Tells which answers for records say nothing of what belongs to these.
    private func report(
        _ reason: Finding.Unmatched, _ found: String, of source: Int, to sink: any FindingSink
    ) {
        sink.report(reason, path: inputs[source].location, at: .beginning(of: source), found: found)
    }

    /// Tells of a feed that is UTF-8, and was read in another encoding.
    private func reportEncoding(of source: Int, _ facts: FeedFacts, to sink: any FindingSink) {
        guard let (file, text) = facts.misreading, let encoding = inputs[source].source.encoding else { return }
        var position = RecordPosition()
        position.source = UInt16(truncatingIfNeeded: source)
        position.file = UInt32(truncatingIfNeeded: file)
        (position.line, position.column, position.offset) = (text.line, text.column, text.offset)
        sink.report(.encoding, path: encoding, at: FeedPosition(position, path: "$"))
    }

    /// Whether a source gives only what is new, or what belongs to that: of services that are asked for each record of
    /// an entity, whose records are the new ones.
    private func isIncremental(_ source: Int) -> Bool {
        if inputs[source].source.isIncremental { return true }
        guard let parents = inputs[source].parentsOfAnswers else { return false }
        // No source is asked for its own records, nor in a circle.
        return definition.model.entities[parents.entity].sources.contains(where: isIncremental)
    }

    /// Throws where a source gave nothing, or something else than records, or less than its pages promise.
    func check(_ facts: [FeedFacts]) throws(Failure) {
        try ListedRecords(model: definition.model, inputs: inputs).check(facts)
        try OneColumn(model: definition.model, inputs: inputs).check(facts)
        try EmptySources(definition: definition, inputs: inputs, census: census).check(facts)
        for check in pageChecks(facts) { try check.check() }
    }

    private func pageChecks(_ facts: [FeedFacts]) -> [PageCheck] {
        facts.indices.compactMap { source in
            facts[source].pages.map { PageCheck(source: source, input: inputs[source], yield: $0) }
        }
    }
}

extension PipelineDefinition {
    /// The entities that have fewer records than they must, as far as the ledger of a store knows.
    func shortages(_ entities: [RunReport.EntityFacts], _ store: any OpenStore) throws(Failure) -> [ExceededLimit] {
        let incomplete = partialSources
        let partial = model.entities.filter { !incomplete.isDisjoint(with: $0.sources) }
        return limits.short(
            entities, last: try LastCounts(store, model).records, partial: Set(partial.map { ExactText($0.name) }))
    }
}
